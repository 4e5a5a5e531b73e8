/// Everything a run knows of one user when it judges: the receipts on file, each with its
/// validation, and the stored entitlements, of the same snapshot.
package struct UserEvidence: Sendable {
    package var user: UserID
    package var receipts: [ReceiptEvidence]
    /// Stored rows with a null where none may be.
    package var invalidReceipts: Int
    package var entitlements: [StoredEntitlement]
    /// Stored rows with a null where none may be: nobody can tell what they grant.
    package var invalidEntitlements: Int
    /// The ids of those, as far as they have one.
    package var unreadableEntitlements: Set<EntitlementID>
    /// What the service handed out for the receipts.
    package var downloadKeys: [StoredDownloadKey] = []

    package init(
        user: UserID, receipts: [ReceiptEvidence], invalidReceipts: Int = 0,
        entitlements: [StoredEntitlement], invalidEntitlements: Int = 0,
        unreadableEntitlements: Set<EntitlementID> = []
    ) {
        self.user = user
        self.receipts = receipts
        self.invalidReceipts = invalidReceipts
        self.entitlements = entitlements
        self.invalidEntitlements = invalidEntitlements
        self.unreadableEntitlements = unreadableEntitlements
    }
}

/// One stored receipt and what was learned of it.
package struct ReceiptEvidence: Sendable {
    package var id: ReceiptID
    package var bundle: BundleID
    package var storedAt: Instant
    package var validation: Validation
    /// Where the receipt itself, signed by Apple, contradicts a verified answer.
    package var contradictions: [Contradiction]
    /// Where what Apple signed as it answered contradicts the answer.
    package var answerContradictions: [Contradiction] = []
    /// What the receipt, signed by Apple, says of products that are not in the catalogue.
    package var signedKinds: [ProductID: ProductKind]

    package init(
        id: ReceiptID, bundle: BundleID, storedAt: Instant, validation: Validation,
        contradictions: [Contradiction] = [], signedKinds: [ProductID: ProductKind] = [:]
    ) {
        self.id = id
        self.bundle = bundle
        self.storedAt = storedAt
        self.validation = validation
        self.contradictions = contradictions
        self.signedKinds = signedKinds
    }

    /// Whether evidence is missing because of it: what this receipt would show may answer any
    /// accusation.
    var isMissing: Bool {
        switch validation {
        case .unverified: true
        case .unusable(let why): why != .xcode
        case .verified(let receipt): !receipt.anomalies.isEmpty
        // The account is gone: what it proved can no longer be checked.
        case .rejected(let why): why == .accountGone
        }
    }

    var verified: VerifiedReceipt? {
        guard case .verified(let receipt) = validation else { return nil }
        return VerifiedReceipt(
            id: id, storedBundle: bundle, storedAt: storedAt, receipt: receipt)
    }
}
