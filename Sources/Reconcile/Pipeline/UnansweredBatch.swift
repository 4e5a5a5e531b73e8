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
    /// - Parameter isFinal: whether what was recorded has been reviewed.
    mutating func fill(
        with recorded: [RecordedAnswer], by validator: AppStoreValidator, isFinal: Bool
    ) async {
        let byQuestion = Dictionary(
            recorded.map { ($0.question, $0) }, uniquingKeysWith: { first, _ in first })
        var left: [(place: Int, question: ReceiptQuestion)] = []
        for (place, question) in questions {
            if let answer = byQuestion[question.digest] {
                let report = await validator.report(answer, to: question, isFinal: isFinal)
                _ = batch.note(report, at: place)
            } else {
                left.append((place, question))
            }
        }
        questions = left
    }

    /// Leaves what is not answered yet unasked.
    mutating func fill(withCause cause: Unverified) {
        for (place, _) in questions {
            _ = batch.note(ValidationReport(.unverified(cause)), at: place)
        }
        questions = []
    }
}
