/// Runs `body` for each element of `queue` in `limit` child tasks. Each takes an element only when
/// it is done with the one before, so memory does not grow with their number. An error of one child
/// cancels the others.
/// - Throws: the child's error; `CancellationError` when elements may not have been processed.
func forEach<Element>(
    in queue: BoundedQueue<Element>, atMost limit: Int,
    body: @escaping @Sendable (Element) async throws -> Void
) async throws {
    try await withThrowingDiscardingTaskGroup { group in
        for _ in 0..<max(1, limit) {
            group.addTask {
                do {
                    while !Task.isCancelled, let element = try await queue.next() {
                        try await body(element)
                    }
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
