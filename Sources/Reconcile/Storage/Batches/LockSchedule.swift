/// What a batch does whose views are locked by another session: it tries again, is put back, or
/// ends the run.
struct LockSchedule: Sendable {
    enum Step: Equatable {
        case tryAgain(after: Duration)
        case putBack
        case giveUp
    }

    /// How long one batch tries before it is put back.
    let lockWait: Duration
    /// How long it may go on that no batch can be read.
    let giveUpAfter: Duration
    private var attempts = 0
    private var since: ContinuousClock.Instant?

    init(lockWait: Duration, giveUpAfter: Duration) {
        self.lockWait = lockWait
        self.giveUpAfter = giveUpAfter
    }

    /// - Parameter others: since when no batch of this process could be read; nil if unknown.
    mutating func next(
        at now: ContinuousClock.Instant, since others: ContinuousClock.Instant? = nil
    ) -> Step {
        let since = since ?? now
        self.since = since
        attempts += 1
        if min(since, others ?? since).duration(to: now) >= giveUpAfter { return .giveUp }
        if since.duration(to: now) >= lockWait { return .putBack }
        return .tryAgain(after: min(.milliseconds(50 * attempts), .milliseconds(250)))
    }
}
