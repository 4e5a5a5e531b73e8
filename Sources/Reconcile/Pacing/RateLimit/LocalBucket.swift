internal import Synchronization

/// A token bucket that no other process shares. Its tokens are used at once, so the rate limit
/// needs no allowance for unused ones.
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

    /// Takes one token if it is due; otherwise returns an empty slice that says when it will be.
    ///
    /// The bucket does not learn when the share changed. It applies the new share to the whole time
    /// since the last request, so that a halved rate also delays waiting requests.
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
