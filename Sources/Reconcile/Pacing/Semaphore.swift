internal import Synchronization

/// A counting semaphore for tasks, first come, first served.
final class Semaphore: Sendable {
    private struct Waiter {
        let id: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    /// An array is fast enough: there are only as many waiters as concurrent tasks.
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

    /// Waits for a permit. The caller must call `signal` exactly once per permit.
    /// - Throws: `CancellationError`; then no permit was taken.
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

    /// Takes a permit if one is free. The caller must then call `signal`, as after `wait`.
    func tryTake() -> Bool { state.withLock { $0.takeIfFree() } }

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

    var waiting: Int { state.withLock { $0.waiters.count } }

    private func join(_ waiter: Waiter) {
        let answer = state.withLock { state -> Result<Void, any Error>? in
            // A later cancellation finds the waiter in the state; an earlier one is seen here.
            if Task.isCancelled { return .failure(CancellationError()) }
            if state.takeIfFree() { return .success(()) }
            state.waiters.append(waiter)
            return nil
        }
        if let answer { waiter.continuation.resume(with: answer) }
    }

    private func leave(_ id: Int) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
            return state.waiters.remove(at: index)
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }
}
