internal import Synchronization

/// A turn that one task has at a time; the others stand in line for it, in order of arrival.
///
/// A task that is cancelled in line leaves it at once and changes nothing for those behind.
final class Turn: Sendable {
    private struct Waiter {
        let id: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    /// The line is as long as there are workers, so that an array is as good as any queue.
    private struct Line {
        var isTaken = false
        var waiters: [Waiter] = []
        var lastID = 0

        mutating func takeIfFree() -> Bool {
            defer { isTaken = true }
            return !isTaken
        }
    }

    private let line = Mutex(Line())

    /// Returns when it is the caller's turn. Whoever takes it passes it on, exactly once.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before its turn; then there is
    ///   nothing to pass on.
    func take(isolation: isolated (any Actor)? = #isolation) async throws {
        try Task.checkCancellation()
        let id = line.withLock { line -> Int? in
            guard !line.takeIfFree() else { return nil }
            line.lastID += 1
            return line.lastID
        }
        guard let id else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { join(Waiter(id: id, continuation: $0)) }
        } onCancel: {
            leave(id)
        }
    }

    /// Gives the turn to the next in line.
    func pass() {
        let next = line.withLock { line -> Waiter? in
            guard line.waiters.isEmpty else { return line.waiters.removeFirst() }
            line.isTaken = false
            return nil
        }
        next?.continuation.resume()
    }

    /// How many stand in line behind the one whose turn it is.
    var waiting: Int { line.withLock { $0.waiters.count } }

    private func join(_ waiter: Waiter) {
        let answer = line.withLock { line -> Result<Void, any Error>? in
            // A cancellation from now on finds the waiter in line; an earlier one is seen here.
            if Task.isCancelled { return .failure(CancellationError()) }
            if line.takeIfFree() { return .success(()) }
            line.waiters.append(waiter)
            return nil
        }
        if let answer { waiter.continuation.resume(with: answer) }
    }

    private func leave(_ id: Int) {
        let waiter = line.withLock { line -> Waiter? in
            guard let place = line.waiters.firstIndex(where: { $0.id == id }) else { return nil }
            return line.waiters.remove(at: place)
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }
}
