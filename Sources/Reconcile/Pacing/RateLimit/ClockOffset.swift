/// Bounds on how far another clock is ahead of ours. It is read between our request and its
/// response, so each exchange bounds the offset from both sides, and the quickest gives the
/// tightest bounds.
struct ClockOffset: Sendable {
    private(set) var least = Duration.zero
    private(set) var most = Duration.zero
    private var seenAt: Duration?

    /// The most that two clocks drift apart per second.
    private static let drift = Duration.microseconds(200)

    mutating func note(_ theirs: Duration, askedAt: Duration, answeredAt: Duration) {
        let age = seenAt.map { answeredAt - $0 } ?? .zero
        let widening = Self.drift * (age / .seconds(1))
        let low = max(least - widening, theirs - answeredAt)
        let high = min(most + widening, theirs - askedAt)
        if seenAt == nil || low > high {
            // The first exchange, or the bounds exclude each other because a clock was set.
            least = theirs - answeredAt
            most = theirs - askedAt
        } else {
            least = low
            most = high
        }
        seenAt = answeredAt
    }
}
