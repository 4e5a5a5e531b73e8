/// A batch and what to ask Apple about it.
struct UnansweredBatch: Sendable {
    let batch: OpenBatch
    let questions: [ReceiptQuestion]
}

/// The questions of all batches as one sequence, so that the task group never runs dry between
/// two batches.
struct QuestionFeed: AsyncSequence, Sendable {
    struct Element: Sendable {
        let question: ReceiptQuestion
        /// The question's place in its batch.
        let place: Int
        let batch: OpenBatch
    }

    let batches: BoundedQueue<UnansweredBatch>

    func makeAsyncIterator() -> Iterator { Iterator(batches: batches) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let batches: BoundedQueue<UnansweredBatch>
        private var current: UnansweredBatch?
        private var place = 0

        fileprivate init(batches: BoundedQueue<UnansweredBatch>) { self.batches = batches }

        mutating func next() async throws -> Element? {
            while true {
                if let current, place < current.questions.count {
                    defer { place += 1 }
                    return Element(
                        question: current.questions[place], place: place, batch: current.batch)
                }
                guard let next = try await batches.next() else { return nil }
                (current, place) = (next, 0)
            }
        }
    }
}
