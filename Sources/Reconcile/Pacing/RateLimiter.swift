/// Lets its callers through no faster than a `TokenBucket` allows, in order of arrival.
///
/// Only the first in line sleeps, and asks the bucket again when it wakes; so a pause or another
/// rate that was set in the meantime counts for those who wait already. The rate is that of
/// `AdaptiveRate`, which learns from `note` how the server does.
actor RateLimiter<C: Clock> where C.Duration == Duration {
    private let clock: C
    private let origin: C.Instant
    private var bucket: TokenBucket
    private var rate: AdaptiveRate
    /// Of the bucket.
    private var perSecond: Double
    private let turn = Turn()

    /// - Parameters:
    ///   - rate: of `bucket` too, and above 0.
    init(_ bucket: TokenBucket, rate: Double, clock: C) {
        (self.bucket, self.clock, origin) = (bucket, clock, clock.now)
        (self.rate, perSecond) = (AdaptiveRate(rate), rate)
    }

    private var now: Duration { origin.duration(to: clock.now) }

    /// Returns when the caller may go ahead, once; false when that is not before `deadline`.
    ///
    /// - Throws: `CancellationError`. Then, and when it returns false, no token has been taken.
    @discardableResult
    func acquire(before deadline: C.Instant? = nil) async throws -> Bool {
        try await turn.take()
        defer { turn.pass() }
        while true {
            if let deadline, clock.now >= deadline { return false }
            let now = now
            adapt(at: now)
            let wait = bucket.take(at: now)
            guard wait > .zero else { return true }
            try await clock.pause(for: wait, before: deadline)
        }
    }

    /// Lets nobody through for the next `interval`. A shorter pause does not end a longer one.
    /// - Returns: whether this is the beginning of a pause.
    @discardableResult
    func pause(for interval: Duration) -> Bool {
        let now = now
        defer { bucket.pause(until: now + interval) }
        return !bucket.isPaused(at: now)
    }

    /// Notes what somebody who was let through came back with.
    func note(_ answer: AnswerClass) -> AdaptiveRate.Change? {
        let now = now
        defer { adapt(at: now) }
        return rate.note(answer, at: now)
    }

    private func adapt(at now: Duration) {
        let current = rate.rate(at: now)
        guard current != perSecond else { return }
        bucket.setRate(current, at: now)
        perSecond = current
    }

    /// How many wait behind the first in line.
    var waiting: Int { turn.waiting }
}
