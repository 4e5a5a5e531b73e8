/// How far another clock is from this machine's: with a wrong clock, every user is judged at the
/// wrong instant.
enum ClockDifference: Sendable {
    /// At most five minutes.
    case tolerable
    /// Worth a warning.
    case considerable
    /// More than a day: no run begins, and one in progress ends.
    case excessive

    init(between other: Instant, and now: Instant) {
        switch abs(other.milliseconds - now.milliseconds) {
        case ...Self.tolerance: self = .tolerable
        case ...Self.limit: self = .considerable
        default: self = .excessive
        }
    }

    /// Milliseconds.
    private static let tolerance: Int64 = 5 * 60 * 1_000
    private static let limit: Int64 = 86_400 * 1_000
}
