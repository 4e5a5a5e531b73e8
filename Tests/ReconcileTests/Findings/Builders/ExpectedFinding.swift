import Testing

@testable import Reconcile

/// A finding as it must be, but for its explanation and its money. A member that is not given must
/// be empty. Instants are days from the judgement.
struct ExpectedFinding: Sendable {
    let kind: FindingKind
    let severity: Severity
    let direction: Direction
    let action: ProposedAction
    var user: UserID? = "u"
    var entitlement: EntitlementID?
    var receipt: ReceiptID?
    var productStored: ProductID?
    var productApple: ProductID?
    var originalTransaction: TransactionID?
    var transaction: TransactionID?
    var environment: StoreEnvironment?
    var bundle: BundleID?
    var ownership: Ownership?
    var storedActive: Bool?
    var storedUntil: Double?
    var state = AppleState.none
    var appleUntil: Double?
    var event: Double?
    var reason: String?
    var evidence: String?
    var reference = ""

    /// Compares each member on its own, so that a failure names it.
    func check(_ finding: Finding, _ location: SourceLocation = #_sourceLocation) {
        #expect(finding.kind.rawValue == kind.rawValue, sourceLocation: location)
        #expect(finding.severity == severity, sourceLocation: location)
        #expect(finding.direction == direction, sourceLocation: location)
        #expect(finding.proposedAction == action, sourceLocation: location)
        #expect(finding.user == user, sourceLocation: location)
        #expect(finding.eventAt == event.map { .day($0) }, sourceLocation: location)
        #expect(finding.reason == reason, sourceLocation: location)
        #expect(finding.evidenceSHA256 == evidence, sourceLocation: location)
        #expect(finding.evidenceSigned == nil, sourceLocation: location)
        #expect(finding.reference == reference, sourceLocation: location)
        checkStoredSide(finding, location)
        checkAppleSide(finding, location)
    }

    private func checkStoredSide(_ finding: Finding, _ location: SourceLocation) {
        #expect(finding.entitlement == entitlement, sourceLocation: location)
        #expect(finding.productStored == productStored, sourceLocation: location)
        #expect(finding.storedActive == storedActive, sourceLocation: location)
        #expect(
            finding.storedExpiresAt == storedUntil.map { .day($0) }, sourceLocation: location)
    }

    private func checkAppleSide(_ finding: Finding, _ location: SourceLocation) {
        #expect(finding.receipt == receipt, sourceLocation: location)
        #expect(finding.productApple == productApple, sourceLocation: location)
        #expect(finding.originalTransaction == originalTransaction, sourceLocation: location)
        #expect(finding.transaction == transaction, sourceLocation: location)
        #expect(finding.environment == environment, sourceLocation: location)
        #expect(finding.bundle == bundle, sourceLocation: location)
        #expect(finding.ownership == ownership, sourceLocation: location)
        #expect(finding.appleState == state, sourceLocation: location)
        #expect(finding.appleExpiresAt == appleUntil.map { .day($0) }, sourceLocation: location)
    }
}

extension Finding {
    /// Its severity and its direction.
    var weight: FindingKind.Weight { .init(severity: severity, direction: direction) }
}

extension FindingKind.Weight {
    static let criticalLeak = Self(severity: .critical, direction: .leak)
    static let highLeak = Self(severity: .high, direction: .leak)
    static let highOwed = Self(severity: .high, direction: .owed)
    static let high = Self(severity: .high, direction: .none)
    static let medium = Self(severity: .medium, direction: .none)
    static let low = Self(severity: .low, direction: .none)
}
