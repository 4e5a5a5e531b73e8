internal import Synchronization

/// Admits callers in order of arrival, no faster than a token bucket allows.
///
/// Only the first waiting caller asks the bucket for a slice of tokens. It decides again when it
/// wakes, so a pause or a reduced rate also applies to waiting callers. If no caller waits and a
/// token is in hand, a caller passes without suspension.
final class RateLimiter<C: Clock>: Sendable where C.Duration == Duration {
    private let clock: C
    private let origin: C.Instant
    private let source: @Sendable (TokenRequest) async throws -> TokenSlice
    private let limit: Mutex<RateLimit>
    /// Its one permit belongs to the first waiting caller.
    private let line = Semaphore(permits: 1)

    /// - Parameter rate: the bucket's rate in tokens a second, above 0.
    init(
        rate: Double, clock: C,
        source: @escaping @Sendable (TokenRequest) async throws -> TokenSlice
    ) {
        self.clock = clock
        self.source = source
        origin = clock.now
        limit = Mutex(RateLimit(rate: rate))
    }

    convenience init(rate: Double, burst: Int, clock: C) {
        let bucket = LocalBucket(rate: rate, burst: burst, clock: clock)
        self.init(rate: rate, clock: clock) { bucket.slice(for: $0) }
    }

    private var now: Duration { origin.duration(to: clock.now) }

    /// Waits for a token. The caller may then start one request.
    /// - Returns: false, without using a token, when none is due before `deadline`.
    /// - Throws: `CancellationError` or the error of the source; no token is used.
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

    /// Takes a token that is in hand. False when the caller must wait, or ask with `acquire`.
    func acquireAtOnce(before deadline: C.Instant? = nil) -> Bool {
        guard !Task.isCancelled, line.tryTake() else { return false }
        defer { line.signal() }
        let instant = clock.now
        if let deadline, instant >= deadline { return false }
        let now = origin.duration(to: instant)
        return limit.withLock { $0.step(at: now, callers: 1) } == .go
    }

    /// Admits no request for the next `interval`. A shorter pause does not end a longer one.
    /// - Returns: whether no other pause was active.
    func pause(for interval: Duration) -> Bool {
        let now = now
        return limit.withLock { limit in
            let isBeginning = !limit.isPaused(at: now)
            limit.pause(until: now + interval)
            return isBeginning
        }
    }

    func note(_ answer: AnswerClass) -> AdaptiveRate.Change? {
        let now = now
        return limit.withLock { $0.note(answer, at: now) }
    }

    /// The number of callers behind the first one.
    var waiting: Int { line.waiting }
}

extension Clock where Duration == Swift.Duration {
    /// Waits for a token that is due in `wait`, or until `deadline`.
    ///
    /// A timer of a few microseconds costs more than it waits, and fires late. So a short wait
    /// (over 20,000 tokens a second) only yields to other tasks.
    fileprivate func pause(for wait: Duration, before deadline: Self.Instant?) async throws {
        guard wait > .microseconds(50) else {
            try Task.checkCancellation()
            return await Task.yield()
        }
        try await sleep(until: now.advanced(by: wait), orUntil: deadline)
    }
}
