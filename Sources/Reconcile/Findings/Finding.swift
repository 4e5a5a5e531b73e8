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
    /// What tells two findings of one kind, user and entitlement apart (SPEC §5, `finding_id`).
    package var reference: String
    /// What it may come to; the row of a report shows it only where it counts.
    package var estimate: Estimate?

    package init(
        kind: FindingKind, severity: Severity, direction: Direction, user: UserID?,
        explanation: String, reference: String = ""
    ) {
        (self.kind, self.severity, self.direction) = (kind, severity, direction)
        (self.user, self.explanation, self.reference) = (user, explanation, reference)
        appleState = .none
        proposedAction = kind.proposedAction
    }

    /// What `finding_id` is the hash of: kind, user, entitlement and reference, each preceded by
    /// its length in bytes as eight bytes, big-endian, so that no two different lists collide.
    package var fingerprint: [UInt8] {
        [kind.rawValue, user?.text ?? "", entitlement?.text ?? "", reference].flatMap { part in
            withUnsafeBytes(of: UInt64(part.utf8.count).bigEndian, Array.init) + Array(part.utf8)
        }
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
