/// How far another clock is ahead of ours, as far as requests and responses have shown.
///
/// The other clock was read after we asked and before the response arrived, so each exchange bounds
/// the difference on both sides, and the quickest exchange bounds it best.
struct ClockOffset: Sendable {
    private(set) var least = Duration.zero
    private(set) var most = Duration.zero
    private var seenAt: Duration?

    /// Two clocks may drift apart by this much in a second.
    private static let drift = Duration.microseconds(200)

    mutating func note(_ theirs: Duration, askedAt: Duration, answeredAt: Duration) {
        let age = seenAt.map { answeredAt - $0 } ?? .zero
        let widening = Self.drift * (age / .seconds(1))
        let low = max(least - widening, theirs - answeredAt)
        let high = min(most + widening, theirs - askedAt)
        if seenAt == nil || low > high {
            // The first exchange; or bounds that exclude each other, since a clock was set.
            least = theirs - answeredAt
            most = theirs - askedAt
        } else {
            least = low
            most = high
        }
        seenAt = answeredAt
    }
}
