/// The backoff of one failing statement.
struct DatabaseRetrySchedule: Sendable {
    private let giveUpAfter: Duration
    private var failures = 0
    private var since: ContinuousClock.Instant?

    init(giveUpAfter: Duration) { self.giveUpAfter = giveUpAfter }

    var hasFailed: Bool { failures > 0 }

    /// Whether the operator should know of the failure that was counted last. A conflict has
    /// usually passed within a second.
    func isWorthTelling(_ error: DatabaseError) -> Bool { !error.isConflict || failures > 5 }

    /// Counts a failure; nil when its error must be thrown. `others` is the instant since when
    /// other statements fail. When `isStopping`, retries end within 2 s.
    mutating func delay(
        after error: DatabaseError, at now: ContinuousClock.Instant,
        since others: ContinuousClock.Instant? = nil, isStopping: Bool
    ) -> Duration? {
        failures += 1
        let since = min(since ?? now, others ?? now)
        self.since = since
        switch error.reason {
        // A standby in place of the primary server, which a command looks for when it begins: a
        // failover that is not over.
        case .unreachable, .standby, .foreignServer(_, _, isPassing: true):
            let limit = isStopping ? min(giveUpAfter, .seconds(2)) : giveUpAfter
            guard since.duration(to: now) < limit else { return nil }
            // From 0.1 s, doubled up to 5 s: a restart takes about a second, a recovery some ten.
            return min(.milliseconds(100) * (1 << min(failures - 1, 10)), .seconds(5))
        case .rejected where error.isConflict:
            let limit = isStopping ? min(giveUpAfter, .seconds(2)) : giveUpAfter
            // At least five attempts, within a second, even under a shorter time limit.
            guard giveUpAfter > .zero, failures <= 5 || since.duration(to: now) < limit else {
                return nil
            }
            return .milliseconds(20) * (1 << min(failures - 1, 6))
        case .rejected where error.isPassing:
            let limit = isStopping ? min(giveUpAfter, .seconds(2)) : giveUpAfter
            guard since.duration(to: now) < limit else { return nil }
            return min(.milliseconds(500) * (1 << min(failures - 1, 10)), .seconds(10))
        case .cancelled:
            // `statement_timeout` expired: a busy server may be faster later.
            return failures <= 3 && giveUpAfter > .zero && !isStopping ? .milliseconds(500) : nil
        default: return nil
        }
    }
}
