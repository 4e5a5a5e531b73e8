/// A batch and what is to be asked about it.
struct UnansweredBatch: Sendable {
    let batch: OpenBatch
    /// The questions, with their places in the batch.
    private(set) var questions: [(place: Int, question: ReceiptQuestion)]

    init(batch: OpenBatch, questions: [ReceiptQuestion]) {
        self.batch = batch
        self.questions = questions.enumerated().map { ($0.offset, $0.element) }
    }

    /// A batch that asks nothing.
    init(setAside batch: OpenBatch) { (self.batch, questions) = (batch, []) }

    /// Takes what is recorded for answered.
    mutating func fill(with recorded: [RecordedAnswer], by validator: AppStoreValidator) {
        let byQuestion = Dictionary(
            recorded.map { ($0.question, $0) }, uniquingKeysWith: { first, _ in first })
        questions.removeAll { place, question in
            guard let answer = byQuestion[question.digest] else { return false }
            _ = batch.note(validator.report(answer, to: question), at: place)
            return true
        }
    }

    /// Leaves what is not answered yet unasked.
    mutating func fill(withCause cause: Unverified) {
        for (place, _) in questions {
            _ = batch.note(ValidationReport(.unverified(cause)), at: place)
        }
        questions = []
    }
}
