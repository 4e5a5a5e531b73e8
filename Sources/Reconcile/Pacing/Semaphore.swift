internal import Synchronization

/// A number of permits: a task that takes one while there is none waits, first come, first served.
///
/// A task that is cancelled while it waits leaves at once and changes nothing for those behind.
final class Semaphore: Sendable {
    private struct Waiter {
        let id: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    /// As many wait as there are tasks at work, so that an array is as good as any queue.
    private struct State {
        var permits: Int
        var waiters: [Waiter] = []
        var lastID = 0

        mutating func takeIfFree() -> Bool {
            guard permits > 0 else { return false }
            permits -= 1
            return true
        }
    }

    private let state: Mutex<State>

    init(permits: Int) { state = Mutex(State(permits: permits)) }

    /// Returns when the caller has a permit. Who takes one signals, exactly once.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before; then there is nothing to
    ///   signal.
    func wait(isolation: isolated (any Actor)? = #isolation) async throws {
        try Task.checkCancellation()
        let id = state.withLock { state -> Int? in
            guard !state.takeIfFree() else { return nil }
            state.lastID += 1
            return state.lastID
        }
        guard let id else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { join(Waiter(id: id, continuation: $0)) }
        } onCancel: {
            leave(id)
        }
    }

    /// Gives `count` permits back, to those who wait first.
    func signal(_ count: Int = 1) {
        let next = state.withLock { state -> [Waiter] in
            let served = min(count, state.waiters.count)
            let next = Array(state.waiters.prefix(served))
            state.waiters.removeFirst(served)
            state.permits += count - served
            return next
        }
        for waiter in next { waiter.continuation.resume() }
    }

    /// How many tasks wait.
    var waiting: Int { state.withLock { $0.waiters.count } }

    private func join(_ waiter: Waiter) {
        let answer = state.withLock { state -> Result<Void, any Error>? in
            // A cancellation from now on finds the waiter; an earlier one is seen here.
            if Task.isCancelled { return .failure(CancellationError()) }
            if state.takeIfFree() { return .success(()) }
            state.waiters.append(waiter)
            return nil
        }
        if let answer { waiter.continuation.resume(with: answer) }
    }

    private func leave(_ id: Int) {
        let waiter = state.withLock { state -> Waiter? in
            guard let place = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
            return state.waiters.remove(at: place)
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }
}
