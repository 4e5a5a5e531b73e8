struct ReceiptEvidence: Sendable {
    var id: ReceiptID
    var bundle: BundleID
    var storedAt: Instant
    var validation: Validation
    /// Facts in which the receipt, signed by Apple, contradicts the verified answer.
    var contradictions: [Contradiction]
    /// Facts in which the `latest_receipt`, signed by Apple, contradicts the answer.
    var answerContradictions: [Contradiction] = []
    /// Purchases that still run, by the receipt that Apple signed, and that the answer lacks.
    var unanswered: [KnownPurchase] = []
    /// The kinds of products outside the catalogue, from the receipt that Apple signed.
    var signedKinds: [ProductID: ProductKind]

    init(
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

    /// Whether the receipt counts as missing evidence: it could disprove any accusation.
    var isMissing: Bool {
        switch validation {
        case .unverified: true
        case .unusable(let why): why != .xcode
        case .verified(let receipt): !receipt.anomalies.isEmpty
        // The account is gone, so the receipt's purchases cannot be checked.
        case .rejected(let why): why == .accountGone
        }
    }

    var verified: VerifiedReceipt? {
        guard case .verified(let receipt) = validation else { return nil }
        return VerifiedReceipt(
            id: id, storedBundle: bundle, storedAt: storedAt, receipt: receipt)
    }
}
