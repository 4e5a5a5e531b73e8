/// Runs `body` in a child task for each element of `queue`, at most `limit` at once. Takes an
/// element only when there is a permit for it, so memory does not grow with their number. An error
/// of one child cancels the others.
/// - Throws: the child's error; `CancellationError` when elements may not have been processed.
func forEach<Element>(
    in queue: BoundedQueue<Element>, atMost limit: Int,
    body: @escaping @Sendable (Element) async throws -> Void
) async throws {
    let permits = Semaphore(permits: max(1, limit))
    try await withThrowingDiscardingTaskGroup { group in
        while true {
            try await permits.wait()
            guard !group.isCancelled, let element = try await queue.next() else { break }
            group.addTask {
                defer { permits.signal() }
                do {
                    try await body(element)
                } catch {
                    queue.finish()
                    throw error
                }
            }
        }
    }
    try Task.checkCancellation()
}

func forEach<Element: Sendable>(
    in elements: [Element], atMost limit: Int,
    body: @escaping @Sendable (Element) async throws -> Void
) async throws {
    let permits = Semaphore(permits: max(1, limit))
    try await withThrowingDiscardingTaskGroup { group in
        for element in elements {
            try await permits.wait()
            if group.isCancelled { break }
            group.addTask {
                defer { permits.signal() }
                try await body(element)
            }
        }
    }
    try Task.checkCancellation()
}
