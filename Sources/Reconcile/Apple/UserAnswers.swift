/// What became of each of a user's receipts.
package struct UserAnswers: Sendable {
    struct Answered: Sendable {
        let question: Question
        /// Of the rows with the question, the first.
        let receipt: ReceiptID
        var report: ValidationReport
    }

    /// In the order of the receipts.
    var rows: [Inquiry.Row]
    var asked: [Answered]
    let requests: RequestRecord
    /// By row, of receipts about whose customers Apple was asked.
    var proofs: [Int: RowProof] = [:]

    /// The outcome of a receipt: verified when all answers that stand for it are, else as the first
    /// that is not.
    func report(ofReceiptAt index: Int) -> ValidationReport {
        if case .resolved(let report) = rows[index] { return report }
        return decidingQuestion(ofReceiptAt: index).map { asked[$0].report } ?? Self.unanswered
    }

    /// What each question that stands for a receipt came to; where nobody was asked, why.
    func reports(ofReceiptAt index: Int) -> [ValidationReport] {
        let questions = rows[index].questions
        return questions.isEmpty
            ? [report(ofReceiptAt: index)] : questions.map { asked[$0].report }
    }

    /// The question whose answer is the outcome of a receipt; nil where nobody was asked.
    func decidingQuestion(ofReceiptAt index: Int) -> Int? {
        let questions = rows[index].questions
        return questions.first { !asked[$0].report.validation.isVerified } ?? questions.first
    }

    private static let unanswered = ValidationReport(.unverified(.incompleteAnswer))

    /// The question about a receipt itself; nil for one that was not sent.
    func question(aboutReceiptAt index: Int) -> Int? {
        rows[index].questions.first { asked[$0].question.receipt != nil }
    }
}
