import Synchronization
import Testing

@testable import Reconcile
@testable import TestSupport

/// A clock that stands still until a test moves it. Sleeping tasks wake in order of their
/// deadlines.
final class ManualClock: Clock, Sendable {
    typealias Instant = AnyClock.Instant

    private struct State {
        var now = Instant()
        /// In order of the deadlines.
        var sleeping: [(deadline: Instant, turn: Semaphore)] = []
        /// Tasks that wait until so many others sleep.
        var watching: [(sleepers: Int, turn: Semaphore)] = []
    }

    private let state = Mutex(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .nanoseconds(1) }
    var deadlines: [Instant] { state.withLock { $0.sleeping.map(\.deadline) } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let turn = Semaphore(permits: 0)
        change { state in
            let index = state.sleeping.firstIndex { $0.deadline > deadline }
            state.sleeping.insert((deadline, turn), at: index ?? state.sleeping.endIndex)
        }
        // For a task that was cancelled.
        defer { change { $0.sleeping.removeAll { $0.turn === turn } } }
        try await turn.wait()
    }

    /// Returns once at least `count` tasks sleep, or when the task is cancelled.
    func sleepers(_ count: Int) async {
        let turn = Semaphore(permits: 0)
        change { $0.watching.append((count, turn)) }
        try? await turn.wait()
    }

    /// Wakes the tasks whose wait is over by this change.
    private func change(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            while let first = state.sleeping.first, first.deadline <= state.now {
                state.sleeping.removeFirst().turn.signal()
            }
            let asleep = state.sleeping.count
            for waiter in state.watching where waiter.sleepers <= asleep { waiter.turn.signal() }
            state.watching.removeAll { $0.sleepers <= asleep }
        }
    }

    func advance(by duration: Duration) { change { $0.now = $0.now.advanced(by: duration) } }

    func advanceToNext() {
        guard let next = deadlines.first else { return }
        advance(by: max(.zero, now.duration(to: next)))
    }

    /// Advances the time for `operation`, one deadline after another. Work without sleeping takes
    /// no time of its own.
    func passing<T>(for operation: () async throws -> T) async throws -> T {
        async let _: Void = {
            while !Task.isCancelled {
                await sleepers(1)
                for _ in 0..<20 { await Task.yield() }
                advanceToNext()
            }
        }()
        return try await operation()
    }

    /// Waits until a task sleeps, expects that one sleeps, until `due`, and wakes it.
    func wake(at due: Duration, sourceLocation: SourceLocation = #_sourceLocation) async {
        await sleepers(1)
        #expect(deadlines.map(\.sinceStart) == [due], sourceLocation: sourceLocation)
        advanceToNext()
    }
}

extension Task where Failure == any Error {
    /// Begins `operation`, and expects that it has to wait for another task. It runs at once until
    /// then, unless it calls an actor: that may look like a wait.
    static func waiting(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ operation: @escaping @Sendable () async throws -> Success
    ) -> Task {
        let hasEnded = Shared(false)
        let task = Task.immediate {
            defer { hasEnded.update { $0 = true } }
            return try await operation()
        }
        #expect(!hasEnded.current, sourceLocation: sourceLocation)
        return task
    }
}
