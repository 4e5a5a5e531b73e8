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

    private struct Waiter {
        let id: UInt64
        /// Nil for a task that waits until others sleep.
        let deadline: Instant?
        let sleepers: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant()
        var waiters: [Waiter] = []
        var cancelled: Set<UInt64> = []
        var deadlines: [Instant] { waiters.compactMap(\.deadline).sorted() }

        mutating func remove(where isOver: (Waiter) -> Bool) -> [Waiter] {
            defer { waiters.removeAll(where: isOver) }
            return waiters.filter(isOver)
        }
    }

    private let state = Mutex(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .nanoseconds(1) }
    var deadlines: [Instant] { state.withLock { $0.deadlines } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await wait(until: deadline)
    }

    /// Returns once at least `count` tasks sleep, or when the task is cancelled.
    func sleepers(_ count: Int) async { try? await wait(sleepers: count) }

    private func wait(until deadline: Instant? = nil, sleepers: Int = 0) async throws {
        let id = UInt64.random(in: .min ... .max)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let waiter = Waiter(
                    id: id, deadline: deadline, sleepers: sleepers, continuation: continuation)
                change { $0.waiters.append(waiter) }
            }
        } onCancel: {
            change { $0.cancelled.insert(id) }
        }
    }

    /// Resumes the tasks whose wait is over by this change.
    private func change(_ change: (inout State) -> Void) {
        let (cancelled, due) = state.withLock { state in
            change(&state)
            let ids = state.cancelled
            let now = state.now
            let cancelled = state.remove { ids.contains($0.id) }
            let awake = state.remove { $0.deadline.map { $0 <= now } ?? false }
                .sorted { ($0.deadline ?? now) < ($1.deadline ?? now) }
            let asleep = state.deadlines.count
            return (cancelled, awake + state.remove { $0.deadline == nil && $0.sleepers <= asleep })
        }
        for waiter in cancelled { waiter.continuation.resume(throwing: CancellationError()) }
        for waiter in due { waiter.continuation.resume() }
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
