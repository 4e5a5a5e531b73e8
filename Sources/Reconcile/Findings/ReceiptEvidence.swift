/// One stored receipt and what is known of it. A class: every rule about receipts looks at it.
final class ReceiptEvidence: Sendable {
    let id: ReceiptID
    let bundle: BundleID
    let storedAt: Instant
    let validation: Validation
    /// What the outcome is based on.
    let proof: ReceiptProof
    /// Whose answer the outcome was read from; nil when nobody was asked.
    let source: AnswerSource?
    /// The number of that question, among those about the user.
    let question: Int?
    /// What shows its purchases: Apple's answer about it, and those about its customers, which may
    /// stand for other receipts, too.
    let answers: [VerifiedReceipt]
    /// Facts in which the receipt, signed by Apple, contradicts the verified answer.
    let contradictions: [Contradiction]
    /// Facts in which the `latest_receipt`, signed by Apple, contradicts the answer.
    let answerContradictions: [Contradiction]
    /// Purchases that still run, by the receipt that Apple signed, and that the answer lacks.
    let unanswered: [KnownPurchase]
    /// The kinds of products outside the catalogue, from the receipt that Apple signed.
    let signedKinds: [ProductID: ProductKind]

    /// - Parameter answers: nil: the verified one alone.
    init(
        id: ReceiptID, bundle: BundleID, storedAt: Instant, validation: Validation,
        proof: ReceiptProof = .verifyReceipt, source: AnswerSource? = nil, question: Int? = nil,
        answers: [VerifiedReceipt]? = nil, contradictions: [Contradiction] = [],
        answerContradictions: [Contradiction] = [], unanswered: [KnownPurchase] = [],
        signedKinds: [ProductID: ProductKind] = [:]
    ) {
        self.id = id
        self.bundle = bundle
        self.storedAt = storedAt
        self.validation = validation
        self.proof = proof
        self.source = source
        self.question = question
        self.contradictions = contradictions
        self.answerContradictions = answerContradictions
        self.unanswered = unanswered
        self.signedKinds = signedKinds
        if let answers {
            self.answers = answers
        } else if case .verified(let receipt) = validation {
            self.answers = [
                VerifiedReceipt(
                    id: id, storedBundle: bundle, receipt: receipt, proof: proof,
                    question: question)
            ]
        } else {
            self.answers = []
        }
    }

    /// The answer that verified it; nil unless Apple did.
    var verified: VerifiedReceipt? { validation.isVerified ? answers.first : nil }

    func answer(of source: AnswerSource) -> VerifiedReceipt? {
        answers.first { $0.proof.source == source }
    }

    /// Whether the receipt counts as missing evidence: it could disprove any accusation.
    var isMissing: Bool {
        switch validation {
        case .unverified: true
        case .unusable(let why): why != .xcode
        case .verified: answers.contains { !$0.receipt.anomalies.isEmpty }
        // The account is gone, so the receipt's purchases cannot be checked.
        case .rejected(let why): why == .accountGone
        }
    }
}
