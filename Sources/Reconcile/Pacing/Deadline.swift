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
