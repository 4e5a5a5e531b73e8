/// Calls `body` for every element of `elements`, for at most `limit` of them at once, and returns
/// when all are done.
///
/// The next element is asked for only when there is a place for it, so memory does not grow with
/// their number. An error, of `body` or of the sequence, cancels all the rest at once, a wait for
/// the next element too, and is thrown.
/// - Throws: that error; `CancellationError` when the task was cancelled, since elements may then
///   have been left out.
func forEach<S: AsyncSequence & Sendable>(
    in elements: S, atMost limit: Int, body: @escaping @Sendable (S.Element) async throws -> Void
) async throws where S.Element: Sendable {
    let source = SharedSource(elements)
    try await withThrowingDiscardingTaskGroup { group in
        for _ in 0..<max(1, limit) {
            group.addTask {
                while let element = try await source.next() { try await body(element) }
            }
        }
    }
    try Task.checkCancellation()
}

/// A sequence that several tasks draw from, one at a time.
private actor SharedSource<S: AsyncSequence & Sendable> where S.Element: Sendable {
    private var iterator: S.AsyncIterator?
    private let turn = Turn()

    init(_ elements: S) { iterator = elements.makeAsyncIterator() }

    /// The next element; nil once there are no more.
    func next() async throws -> S.Element? {
        try await turn.take()
        defer { turn.pass() }
        // Taken out while it works; put back only when it is worth asking again.
        guard var working = iterator.take() else { return nil }
        guard let element = try await working.next(isolation: self) else { return nil }
        iterator = working
        return element
    }
}
