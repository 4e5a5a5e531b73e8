/// The final outcome of one receipt, and the requests it took.
package struct ValidationReport: Sendable {
    var validation: Validation
    var proof = ReceiptProof.verifyReceipt
    var attempts = AttemptSummary()
    var requests = RequestRecord()
    var body: AnswerBody?
    /// Facts in which the receipt, signed by Apple, contradicts the answer that verified it.
    var contradictions: [Contradiction] = []
    /// The kinds of products that the catalogue lacks, from a receipt that Apple signed.
    var signedKinds: [ProductID: ProductKind] = [:]
    /// Purchases that the receipt shows and the answer lacks. Apple's signature is not checked.
    var unanswered: [KnownPurchase] = []
    /// The check of Apple's signature on the answer. Nil when it was not checked or there is none.
    var signature: AnswerSignature?
    /// Whether it was not asked about, because its app is stopped.
    var isOfStoppedApp = false

    init(_ validation: Validation) { self.validation = validation }

    /// Takes what the receipt that was asked about shows beside the answer.
    mutating func prove(_ question: Question, by proof: LocalProof) {
        guard let receipt = question.receipt else { return }
        let facts = proof.facts(of: receipt, with: validation)
        contradictions = facts.contradictions
        signedKinds = facts.kinds
        unanswered = facts.unanswered
    }
}
