import Synchronization

/// A clock that stands still until a test moves it. Sleeping tasks wake in order of their
/// deadlines.
final class ManualClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var sinceStart: Duration = .zero

        func advanced(by duration: Duration) -> Instant {
            Instant(sinceStart: sinceStart + duration)
        }
        func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }
        static func < (left: Instant, right: Instant) -> Bool {
            left.sinceStart < right.sinceStart
        }
    }

    private struct Sleeper {
        let id: Int
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant()
        var sleepers: [Sleeper] = []
        var lastID = 0
        var watchers: [Watcher] = []
    }

    private struct Watcher {
        let id: Int
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private let state = Mutex(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .nanoseconds(1) }
    var deadlines: [Instant] { state.withLock { $0.sleepers.map(\.deadline).sorted() } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                lieDown(Sleeper(id: id, deadline: deadline, continuation: continuation))
            }
        } onCancel: {
            wake(throwing: CancellationError()) { $0.id == id }
        }
    }

    /// Advances the time, and wakes every task whose deadline has passed.
    func advance(by duration: Duration) {
        let now = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            return state.now
        }
        wake(throwing: nil) { $0.deadline <= now }
    }

    func advanceToNext() {
        guard let next = deadlines.first else { return }
        advance(by: max(.zero, now.duration(to: next)))
    }

    /// Advances the time for `operation`, one deadline after another. Work without sleeping takes
    /// no time of its own.
    func passing<T: Sendable>(
        for operation: @escaping @Sendable () async throws -> T
    ) async throws -> T {
        try await withThrowingTaskGroup(of: T?.self) { group in
            group.addTask { try await operation() }
            group.addTask {
                while !Task.isCancelled {
                    await self.sleepers(1)
                    for _ in 0..<20 { await Task.yield() }
                    self.advanceToNext()
                }
                return nil
            }
            defer { group.cancelAll() }
            guard let result = try await group.next(), let result else {
                throw CancellationError()
            }
            return result
        }
    }

    /// Returns once at least `count` tasks sleep, or when the task is cancelled.
    func sleepers(_ count: Int) async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    let isThere = state.sleepers.count >= count || Task.isCancelled
                    if !isThere {
                        let watcher = Watcher(id: id, count: count, continuation: continuation)
                        state.watchers.append(watcher)
                    }
                    return isThere
                }
                if isThere { continuation.resume() }
            }
        } onCancel: {
            wakeWatchers { $0.id == id }
        }
    }

    private func wakeWatchers(where isDue: (Watcher) -> Bool) {
        let watchers = state.withLock { state in
            defer { state.watchers.removeAll(where: isDue) }
            return state.watchers.filter(isDue)
        }
        for watcher in watchers { watcher.continuation.resume() }
    }

    private func lieDown(_ sleeper: Sleeper) {
        let answer = state.withLock { state -> Result<Void, any Error>? in
            if Task.isCancelled { return .failure(CancellationError()) }
            if sleeper.deadline <= state.now { return .success(()) }
            state.sleepers.append(sleeper)
            return nil
        }
        if let answer { sleeper.continuation.resume(with: answer) }
        let asleep = state.withLock { $0.sleepers.count }
        wakeWatchers { $0.count <= asleep }
    }

    private func wake(throwing error: (any Error)?, where isDue: (Sleeper) -> Bool) {
        let woken = state.withLock { state in
            let woken = state.sleepers.filter(isDue)
            state.sleepers.removeAll(where: isDue)
            return woken.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
        }
        for sleeper in woken {
            if let error {
                sleeper.continuation.resume(throwing: error)
            } else {
                sleeper.continuation.resume()
            }
        }
    }
}
