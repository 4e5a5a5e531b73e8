/// The failures of one statement so far, as a value: how long to wait before the next attempt.
struct DatabaseRetrySchedule: Sendable {
    private let giveUpAfter: Duration
    private var failures = 0
    private var since: ContinuousClock.Instant?

    init(giveUpAfter: Duration) { self.giveUpAfter = giveUpAfter }

    /// Whether an observer has been told of trouble.
    var hasFailed: Bool { failures > 0 }

    /// - Parameters:
    ///   - others: when the trouble of other statements began that goes on.
    ///   - isStopping: the task is cancelled: what is known is saved if it can be at once.
    /// - Returns: nil when the error is to be thrown.
    mutating func delay(
        after error: DatabaseError, at now: ContinuousClock.Instant,
        since others: ContinuousClock.Instant? = nil, isStopping: Bool
    ) -> Duration? {
        failures += 1
        let since = min(since ?? now, others ?? now)
        self.since = since
        switch error.reason {
        case .unreachable:
            let limit = isStopping ? min(giveUpAfter, .seconds(2)) : giveUpAfter
            guard since.duration(to: now) < limit else { return nil }
            // 0.1 s, doubled up to 5 s: a restart is over in one, a recovery in some ten.
            return min(.milliseconds(100) * (1 << min(failures - 1, 10)), .seconds(5))
        case .rejected where error.isConflict:
            let limit = isStopping ? min(giveUpAfter, .seconds(2)) : giveUpAfter
            // Who has no time to wait tries it five times, within a second.
            guard giveUpAfter > .zero, failures <= 5 || since.duration(to: now) < limit else {
                return nil
            }
            return .milliseconds(20) * (1 << min(failures - 1, 6))
        case .rejected where error.isPassing:
            let limit = isStopping ? min(giveUpAfter, .seconds(2)) : giveUpAfter
            guard since.duration(to: now) < limit else { return nil }
            return min(.milliseconds(500) * (1 << min(failures - 1, 10)), .seconds(10))
        case .cancelled:
            // A statement_timeout: a busy server may be faster the next time.
            return failures <= 3 && giveUpAfter > .zero && !isStopping ? .milliseconds(500) : nil
        default: return nil
        }
    }
}
