/// The decisions of one rate limit: what the first waiting caller does next.
///
/// Takes tokens in slices, at a reduced share of the rate while the server fails, and uses none
/// during a pause. Times count from one fixed origin.
struct RateLimit: Sendable {
    enum Step: Equatable, Sendable {
        case go
        case wait(Duration)
        /// Ask the bucket for tokens, then call `add`.
        case ask(TokenRequest)
    }

    /// The most seconds a slice covers: a change of the rate takes effect within this time.
    private static let longestSlice = 0.25
    /// The least seconds a slice covers at a high rate: the bucket is asked 40 times a second at
    /// most.
    private static let shortestSlice = 1.0 / 40

    private var rate: AdaptiveRate
    private var ledger = TokenLedger()
    private var pausedUntil = Duration.zero

    /// - Parameter rate: the bucket's rate in tokens a second, above 0.
    init(rate: Double) { self.rate = AdaptiveRate(rate) }

    /// - Parameter callers: the number of waiting callers, the first included.
    mutating func step(at now: Duration, callers: Int) -> Step {
        if isPaused(at: now) { return .wait(pausedUntil - now) }
        switch ledger.take(at: now) {
        case .go: return .go
        case .wait(let wait): return .wait(wait)
        case .requestSlice: return .ask(request(at: now, callers: callers))
        }
    }

    /// Forfeits the tokens if the rate was halved after the request.
    mutating func add(
        _ slice: TokenSlice, for request: TokenRequest, askedAt: Duration, arrivedAt: Duration
    ) {
        ledger.add(slice, askedAt: askedAt, arrivedAt: arrivedAt)
        if rate.share(at: arrivedAt) < request.share { ledger.forfeit() }
    }

    /// When this halves the rate, forfeits tokens that were taken at the former rate.
    mutating func note(_ answer: AnswerClass, at now: Duration) -> AdaptiveRate.Change? {
        let change = rate.note(answer, at: now)
        if case .halved = change { ledger.forfeit() }
        return change
    }

    func isPaused(at now: Duration) -> Bool { now < pausedUntil }

    mutating func pause(until instant: Duration) { pausedUntil = max(pausedUntil, instant) }

    /// Requests one token per caller, and those that fall due while the slice is on its way.
    private func request(at now: Duration, callers: Int) -> TokenRequest {
        let perSecond = rate.rate(at: now)
        let seconds = (ledger.delay + ledger.lead) / .seconds(1) + Self.shortestSlice
        let wanted = max(Double(callers), (perSecond * seconds).rounded(.up))
        let most = max(1, (perSecond * Self.longestSlice).rounded(.down))
        return TokenRequest(
            count: Int(min(wanted, most, 1_000_000)), lead: ledger.lead,
            share: rate.share(at: now))
    }
}
