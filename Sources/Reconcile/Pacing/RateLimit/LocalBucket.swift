internal import Synchronization

/// A token bucket in the memory of this process, for a rate limit that no other process shares.
///
/// It gives one token at a time and none in advance: each is counted when it is used, so that the
/// limit needs no allowance for tokens in hand.
final class LocalBucket<C: Clock>: Sendable where C.Duration == Duration {
    private struct State {
        var bucket: TokenBucket
        var askedAt = Duration.zero
    }

    private let rate: Double
    private let clock: C
    private let origin: C.Instant
    private let state: Mutex<State>

    /// A full bucket. `rate` is in tokens a second and above 0; `burst` is at least 1.
    init(rate: Double, burst: Int, clock: C) {
        self.rate = rate
        self.clock = clock
        origin = clock.now
        state = Mutex(State(bucket: TokenBucket(rate: rate, burst: burst)))
    }

    /// One token if it is due; else an empty slice that says when it will be.
    ///
    /// The bucket does not learn when the share changed since it was last asked. It reckons with
    /// the new share for all of that time, so that a halved rate counts for waiting requests too.
    func slice(for request: TokenRequest) -> TokenSlice {
        let now = origin.duration(to: clock.now)
        let wait = state.withLock { state in
            state.bucket.setRate(rate * request.share, at: state.askedAt)
            state.askedAt = now
            return state.bucket.take(at: now)
        }
        return TokenSlice(
            takenAt: now, firstDue: wait, apart: .zero, count: wait > .zero ? 0 : 1)
    }
}
