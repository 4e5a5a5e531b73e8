import Synchronization
import Testing

@testable import TestSupport

/// A clock that stands still until a test moves it. Sleeping tasks wake in order of their
/// deadlines.
final class ManualClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var sinceStart: Duration = .zero

        func advanced(by duration: Duration) -> Instant {
            Instant(sinceStart: sinceStart + duration)
        }
        func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }
        static func < (left: Instant, right: Instant) -> Bool { left.sinceStart < right.sinceStart }
    }

    private struct Sleeper {
        let id: UInt64
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        let id: UInt64
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Instant()
        var sleepers: [Sleeper] = []
        var watchers: [Watcher] = []
    }

    private let state = Mutex(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .nanoseconds(1) }
    var deadlines: [Instant] { state.withLock { $0.sleepers.map(\.deadline).sorted() } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = UInt64.random(in: .min ... .max)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                lieDown(Sleeper(id: id, deadline: deadline, continuation: continuation))
            }
        } onCancel: {
            wake(.failure(CancellationError())) { $0.id == id }
        }
    }

    /// Advances the time, and wakes every task whose deadline has passed.
    func advance(by duration: Duration) {
        let now = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            return state.now
        }
        wake(.success(())) { $0.deadline <= now }
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
            guard let result = try await group.next(), let result else { throw CancellationError() }
            return result
        }
    }

    /// Returns once at least `count` tasks sleep, or when the task is cancelled.
    func sleepers(_ count: Int) async {
        let id = UInt64.random(in: .min ... .max)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    let mustWait = state.sleepers.count < count && !Task.isCancelled
                    let watcher = Watcher(id: id, count: count, continuation: continuation)
                    if mustWait { state.watchers.append(watcher) }
                    return mustWait
                }
                if !mustWait { continuation.resume() }
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
        let (answer, asleep) = state.withLock { state -> (Result<Void, any Error>?, Int) in
            if Task.isCancelled { return (.failure(CancellationError()), state.sleepers.count) }
            if sleeper.deadline <= state.now { return (.success(()), state.sleepers.count) }
            state.sleepers.append(sleeper)
            return (nil, state.sleepers.count)
        }
        if let answer { sleeper.continuation.resume(with: answer) }
        wakeWatchers { $0.count <= asleep }
    }

    private func wake(_ result: Result<Void, any Error>, where isDue: (Sleeper) -> Bool) {
        let woken = state.withLock { state in
            defer { state.sleepers.removeAll(where: isDue) }
            return state.sleepers.filter(isDue)
        }
        for sleeper in woken.sorted(by: { $0.deadline < $1.deadline }) {
            sleeper.continuation.resume(with: result)
        }
    }

    /// Waits until a task sleeps, and expects that one sleeps, until `due`.
    func expectSleep(
        until due: Duration, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await sleepers(1)
        #expect(deadlines.map(\.sinceStart) == [due], sourceLocation: sourceLocation)
    }

    /// The same, and wakes it.
    func wake(at due: Duration, sourceLocation: SourceLocation = #_sourceLocation) async {
        await expectSleep(until: due, sourceLocation: sourceLocation)
        advanceToNext()
    }
}

/// Gives `task` many chances to end, and expects that it still waits.
func expectWaiting<T: Sendable>(
    _ task: Task<T, any Error>, sourceLocation: SourceLocation = #_sourceLocation
) async {
    let hasEnded = Shared(false)
    Task {
        _ = await task.result
        hasEnded.update { $0 = true }
    }
    for _ in 0..<200 { await Task.yield() }
    #expect(!hasEnded.current, sourceLocation: sourceLocation)
}
