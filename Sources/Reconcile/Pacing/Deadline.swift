/// The end of the time in which requests may start, by a clock: `--max-runtime`, or how long the
/// service waits for Apple.
package struct Deadline: Sendable {
    private let clock: AnyClock
    private let end: AnyClock.Instant

    package init(after duration: Duration, by clock: some Clock<Duration> = ContinuousClock()) {
        self.clock = AnyClock(clock)
        end = AnyClock.Instant(sinceStart: duration)
    }

    /// Zero from the deadline on.
    var remaining: Duration { max(.zero, clock.now.duration(to: end)) }

    var isPast: Bool { remaining == .zero }
}

extension Clock where Duration == Swift.Duration {
    func sleep(until due: Self.Instant, orUntil deadline: Self.Instant?) async throws {
        try await sleep(until: deadline.map { min($0, due) } ?? due, tolerance: nil)
    }
}
