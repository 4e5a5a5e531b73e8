/// What became of each of a user's receipts.
package struct UserAnswers: Sendable {
    /// In the order of the receipts.
    var perReceipt: [ValidationReport]
    /// For each receipt the index in `asked` of the question that it shares; nil without one.
    let questionIndices: [Int?]
    let asked: [(Inquiry.Asked, report: ValidationReport)]
    let requests: RequestRecord

    /// The question whose answer stands for a receipt; nil for one that was not sent.
    func question(ofReceiptAt index: Int) -> Question? {
        questionIndices[index].map { asked[$0].0.question }
    }
}
