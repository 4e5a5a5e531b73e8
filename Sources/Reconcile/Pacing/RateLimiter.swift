/// Lets its callers through no faster than a `TokenBucket` allows, in order of arrival.
///
/// Only the first in line sleeps, and asks the bucket again when it wakes; so a pause or another
/// rate that was set in the meantime counts for those who wait already.
actor RateLimiter<C: Clock> where C.Duration == Duration {
    private let clock: C
    private let origin: C.Instant
    private var bucket: TokenBucket
    private let turn = Turn()

    init(_ bucket: TokenBucket, clock: C) {
        (self.bucket, self.clock, origin) = (bucket, clock, clock.now)
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
            let wait = bucket.take(at: now)
            guard wait > .zero else { return true }
            let due = clock.now.advanced(by: wait)
            try await clock.sleep(until: deadline.map { min($0, due) } ?? due, tolerance: nil)
        }
    }

    /// Lets nobody through for the next `interval`. A shorter pause does not end a longer one.
    func pause(for interval: Duration) { bucket.pause(until: now + interval) }

    /// From now on lets `rate` a second through.
    func setRate(_ rate: Double) { bucket.setRate(rate, at: now) }

    /// How many wait behind the first in line.
    var waiting: Int { turn.waiting }
}
