/// One stored receipt and what is known of it. A class: every rule about receipts looks at it.
final class ReceiptEvidence: Sendable {
    let id: ReceiptID
    let bundle: BundleID
    let storedAt: Instant
    let validation: Validation
    let proof: ReceiptProof
    /// Nil unless Apple verified it.
    let verified: VerifiedReceipt?
    /// Facts in which the receipt, signed by Apple, contradicts the verified answer.
    let contradictions: [Contradiction]
    /// Facts in which the `latest_receipt`, signed by Apple, contradicts the answer.
    let answerContradictions: [Contradiction]
    /// Purchases that still run, by the receipt that Apple signed, and that the answer lacks.
    let unanswered: [KnownPurchase]
    /// The kinds of products outside the catalogue, from the receipt that Apple signed.
    let signedKinds: [ProductID: ProductKind]

    init(
        id: ReceiptID, bundle: BundleID, storedAt: Instant, validation: Validation,
        proof: ReceiptProof = .answer, contradictions: [Contradiction] = [],
        answerContradictions: [Contradiction] = [], unanswered: [KnownPurchase] = [],
        signedKinds: [ProductID: ProductKind] = [:]
    ) {
        self.id = id
        self.bundle = bundle
        self.storedAt = storedAt
        self.validation = validation
        self.proof = proof
        self.contradictions = contradictions
        self.answerContradictions = answerContradictions
        self.unanswered = unanswered
        self.signedKinds = signedKinds
        verified =
            if case .verified(let receipt) = validation {
                VerifiedReceipt(
                    id: id, storedBundle: bundle, storedAt: storedAt, receipt: receipt,
                    proof: proof)
            } else {
                nil
            }
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
}
