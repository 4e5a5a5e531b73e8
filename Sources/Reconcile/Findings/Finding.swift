/// One disagreement or event worth a line of a report: who, what is stored, what Apple says.
///
/// The columns of SPEC §6, but for those that only a run or its history can add
/// (`ReportedFinding`). Nil is an empty cell.
package struct Finding: Hashable, Sendable {
    package var kind: FindingKind
    package var severity: Severity
    package var direction: Direction
    package var user: UserID?
    package var entitlement: EntitlementID?
    /// The receipt whose answer carried the covering or cancelled transaction.
    package var receipt: ReceiptID?
    package var productStored: ProductID?
    package var productApple: ProductID?
    package var originalTransaction: TransactionID?
    package var transaction: TransactionID?
    package var environment: StoreEnvironment?
    package var bundle: BundleID?
    package var ownership: Ownership?
    package var storedActive: Bool?
    package var storedExpiresAt: Instant?
    package var appleState: AppleState
    package var appleExpiresAt: Instant?
    package var eventAt: Instant?
    package var reason: String?
    package var proposedAction: ProposedAction
    /// One plain sentence that a stranger understands.
    package var explanation: String
    /// SHA-256 of the body, as received, of the answer to `receipt`, in hexadecimal. Filled in when
    /// the finding is recorded, beside the answers.
    package var evidenceSHA256: String?
    /// Whether Apple signed what that answer says; nil where it carries no `latest_receipt`.
    package var evidenceSigned: Bool?
    /// What tells two findings of one kind, user and entitlement apart.
    package var reference: String
    /// What it may come to; the row of a report shows it only where it counts.
    package var estimate: Estimate?

    package init(
        kind: FindingKind, weight: FindingKind.Weight, user: UserID?, explanation: String,
        reference: String = ""
    ) {
        self.kind = kind
        severity = weight.severity
        direction = weight.direction
        self.user = user
        self.explanation = explanation
        self.reference = reference
        appleState = .none
        proposedAction = kind.proposedAction
    }

    package var identity: FindingIdentity {
        FindingIdentity(kind: kind, user: user, entitlement: entitlement, reference: reference)
    }
}

/// What makes a finding the same from night to night (SPEC §9).
package struct FindingIdentity: Hashable, Sendable {
    package var kind: FindingKind
    package var user: UserID?
    package var entitlement: EntitlementID?
    package var reference: String

    /// The first 32 hexadecimal digits of SHA-256 over the four parts, each preceded by its length
    /// in bytes as eight bytes, big-endian, so that no two different lists collide.
    package var id: String {
        let parts = [kind.rawValue, user?.text ?? "", entitlement?.text ?? "", reference]
        let bytes = parts.flatMap { part in
            withUnsafeBytes(of: UInt64(part.utf8.count).bigEndian, Array.init) + Array(part.utf8)
        }
        return String(Digest.sha256(bytes).hexadecimal.prefix(32))
    }
}

/// Apple's side of a right, as the column `apple_state` prints it.
package enum AppleState: String, Hashable, Sendable {
    case active, grace, revoked
    case familyRevoked = "family_revoked"
    case billingRetry = "billing_retry"
    case expired
    case none
}

// Filled from what made the finding (SPEC §9, "Columns by kind").
extension Finding {
    /// A finding of the first table.
    init(_ rule: RowRule, on rowCase: RowCase) {
        self.init(
            kind: rule.kind, weight: rule.kind.weight, user: rowCase.user.evidence.user,
            explanation: rule.sentence(rowCase),
            reference: rowCase.row == nil ? rowCase.right.reference : "")
        entitlement = rowCase.row?.id
        productStored = rowCase.row?.product
        storedActive = rowCase.row?.isActive
        storedExpiresAt = rowCase.row?.expiresAt
        if let best = rowCase.best { show(best) }
        if let owed = rowCase.owed { productApple = owed.product }
        eventAt = rule.cause(rowCase)
    }

    /// Apple's side of a right: the best grantor's columns.
    mutating func show(_ grantor: Grantor) {
        show(grantor.covering)
        productApple = grantor.product
        appleState = grantor.appleState
        appleExpiresAt = grantor.endsAt
        if let why = grantor.reason { reason = why }
    }

    /// The transaction that decides, and the receipt whose answer carried it.
    mutating func show(_ purchase: Purchase) {
        receipt = purchase.source.id
        productApple = purchase.product
        originalTransaction = purchase.originalID
        transaction = purchase.id
        environment = purchase.source.receipt.environment
        bundle = purchase.source.receipt.bundle
        ownership = purchase.ownership
    }
}

extension Grantor {
    var appleState: AppleState { AppleState(rawValue: state.rawValue) ?? .none }

    /// Why Apple took it back, or why it ended.
    var reason: String? {
        switch state {
        case .revoked, .familyRevoked: covering.cancellationReasonName
        case .expired where kind == .autoRenewable, .billingRetry: expirationReason.rawValue
        default: nil
        }
    }
}

extension Right {
    /// A group and a product of one name are two rights.
    var reference: String {
        switch self {
        case .group: "group:" + name
        case .product: "product:" + name
        }
    }
}
