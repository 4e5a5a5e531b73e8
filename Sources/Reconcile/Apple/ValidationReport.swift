/// The final outcome of one receipt, and the requests it took.
package struct ValidationReport: Sendable {
    var validation: Validation
    var proof = ReceiptProof.verifyReceipt
    var attempts = AttemptSummary()
    var requests = RequestRecord()
    var body: AnswerBody?
    /// What the receipt that was asked about shows beside the answer that verified it.
    var facts = SignedFacts()
    /// The check of Apple's signature on the answer. Nil when it was not checked or there is none.
    var signature: AnswerSignature?
    /// Whether it was not asked about, because its app is stopped.
    var isOfStoppedApp = false

    init(_ validation: Validation) { self.validation = validation }

    mutating func prove(_ question: Question, by proof: LocalProof) {
        guard let receipt = question.receipt else { return }
        facts = proof.facts(of: receipt, with: validation)
    }
}
