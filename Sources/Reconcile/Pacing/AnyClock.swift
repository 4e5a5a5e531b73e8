/// A type-erased clock. Its instants count from its creation.
struct AnyClock: Clock {
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

    private let elapsed: @Sendable () -> Duration
    private let wait: @Sendable (Duration, Duration?) async throws -> Void
    let minimumResolution: Duration

    init<C: Clock>(_ clock: C) where C.Duration == Duration {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        wait = { try await clock.sleep(until: start.advanced(by: $0), tolerance: $1) }
        minimumResolution = clock.minimumResolution
    }

    var now: Instant { Instant(sinceStart: elapsed()) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await wait(deadline.sinceStart, tolerance)
    }
}
