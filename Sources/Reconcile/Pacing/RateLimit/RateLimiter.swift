internal import Synchronization

/// Lets its callers through no faster than a token bucket allows, in order of arrival.
///
/// The bucket may be in another process and serve others too: tokens are taken from it in slices.
/// Only the first in line waits and asks, and decides again when it wakes; so a pause or a reduced
/// rate that came in between counts for the waiting ones too. With none waiting and a token at hand
/// a caller passes at once, without leaving its thread.
final class RateLimiter<C: Clock>: Sendable where C.Duration == Duration {
    private let clock: C
    private let origin: C.Instant
    private let source: @Sendable (TokenRequest) async throws -> TokenSlice
    private let limit: Mutex<RateLimit>
    /// The one permit is the first place in line.
    private let line = Semaphore(permits: 1)

    /// - Parameters:
    ///   - rate: of the bucket, in tokens a second, above 0.
    ///   - source: takes tokens from the bucket.
    init(
        rate: Double, clock: C,
        source: @escaping @Sendable (TokenRequest) async throws -> TokenSlice
    ) {
        self.clock = clock
        self.source = source
        origin = clock.now
        limit = Mutex(RateLimit(rate: rate))
    }

    /// A limiter with a bucket of its own in memory.
    convenience init(rate: Double, burst: Int, clock: C) {
        let bucket = LocalBucket(rate: rate, burst: burst, clock: clock)
        self.init(rate: rate, clock: clock) { bucket.slice(for: $0) }
    }

    private var now: Duration { origin.duration(to: clock.now) }

    /// Returns when the caller may start its request, once; false when that is not before
    /// `deadline`.
    ///
    /// When this returns false or throws, the caller has used no token; what is left of a slice is
    /// for the next in line.
    /// - Throws: `CancellationError`; what the source throws.
    @discardableResult
    func acquire(before deadline: C.Instant? = nil) async throws -> Bool {
        try await line.wait()
        defer { line.signal() }
        while true {
            try Task.checkCancellation()
            if let deadline, clock.now >= deadline { return false }
            let now = now
            let callers = line.waiting + 1
            switch limit.withLock({ $0.step(at: now, callers: callers) }) {
            case .go: return true
            case .wait(let wait): try await clock.pause(for: wait, before: deadline)
            case .ask(let request):
                let askedAt = self.now
                let slice = try await source(request)
                let arrivedAt = self.now
                limit.withLock { limit in
                    limit.add(slice, for: request, askedAt: askedAt, arrivedAt: arrivedAt)
                }
            }
        }
    }

    /// Lets no request through for the next `interval`. A shorter pause does not end a longer one.
    /// - Returns: whether this is the beginning of a pause.
    @discardableResult
    func pause(for interval: Duration) -> Bool {
        let now = now
        return limit.withLock { limit in
            let isBeginning = !limit.isPaused(at: now)
            limit.pause(until: now + interval)
            return isBeginning
        }
    }

    /// Notes what a request that was let through came back with.
    func note(_ answer: AnswerClass) -> AdaptiveRate.Change? {
        let now = now
        return limit.withLock { $0.note(answer, at: now) }
    }

    /// How many wait behind the first in line.
    var waiting: Int { line.waiting }
}
