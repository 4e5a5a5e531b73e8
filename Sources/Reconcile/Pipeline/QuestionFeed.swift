/// The questions of all batches as one sequence, so that the task group never runs dry between
/// two batches.
///
/// No batch is begun while `answered` is full: where recording is slower than Apple, each question
/// under way would otherwise come to hold a whole batch of answers.
struct QuestionFeed: AsyncSequence, Sendable {
    struct Element: Sendable {
        let question: ReceiptQuestion
        /// The question's place in its batch.
        let place: Int
        let batch: OpenBatch
    }

    let batches: BoundedQueue<UnansweredBatch>
    let answered: BoundedQueue<OpenBatch>

    func makeAsyncIterator() -> Iterator { Iterator(batches: batches, answered: answered) }

    struct Iterator: AsyncIteratorProtocol {
        private let batches: BoundedQueue<UnansweredBatch>
        private let answered: BoundedQueue<OpenBatch>
        private var current: UnansweredBatch?
        private var index = 0

        fileprivate init(
            batches: BoundedQueue<UnansweredBatch>, answered: BoundedQueue<OpenBatch>
        ) {
            (self.batches, self.answered) = (batches, answered)
        }

        mutating func next() async throws -> Element? {
            while true {
                if let current, index < current.questions.count {
                    defer { index += 1 }
                    let (place, question) = current.questions[index]
                    return Element(question: question, place: place, batch: current.batch)
                }
                current = nil
                try await answered.room()
                guard let next = try await batches.next() else { return nil }
                (current, index) = (next, 0)
            }
        }
    }
}
