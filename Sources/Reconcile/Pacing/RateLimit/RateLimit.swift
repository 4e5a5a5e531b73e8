/// The rules of one rate limit: what the first caller in line does next (SPEC §2.6).
///
/// The bucket, wherever it is, guarantees that in every window of w seconds at most
/// `burst + rate · w` tokens are used. This takes tokens from it in slices, at a share of the rate
/// while the server is in trouble, and uses none during a pause. Time is counted from the same
/// origin every time.
struct RateLimit: Sendable {
    enum Step: Equatable, Sendable {
        /// A token is used: the request may start.
        case go
        case wait(Duration)
        /// Ask the bucket, and `add` what it gives.
        case ask(TokenRequest)
    }

    /// A slice covers at most this time, so that a change of the rate takes effect within it.
    private static let longestSlice = 0.25
    /// At a high rate a slice covers at least this time, so that the bucket is asked at most 40
    /// times a second.
    private static let shortestSlice = 1.0 / 40

    private var rate: AdaptiveRate
    private var ledger = TokenLedger()
    private var pausedUntil = Duration.zero

    /// - Parameter rate: of the bucket, in tokens a second, above 0.
    init(rate: Double) { self.rate = AdaptiveRate(rate) }

    /// - Parameter callers: how many are in line, the first included.
    mutating func step(at now: Duration, callers: Int) -> Step {
        if isPaused(at: now) { return .wait(pausedUntil - now) }
        switch ledger.take(at: now) {
        case .go: return .go
        case .wait(let wait): return .wait(wait)
        case .askForMore: return .ask(request(at: now, callers: callers))
        }
    }

    /// Takes in what the bucket gave for `request`.
    ///
    /// Tokens that were asked for before the rate was halved are forfeited.
    mutating func add(
        _ slice: TokenSlice, for request: TokenRequest, askedAt: Duration, arrivedAt: Duration
    ) {
        ledger.add(slice, askedAt: askedAt, arrivedAt: arrivedAt)
        if rate.share(at: arrivedAt) < request.share { ledger.forfeit() }
    }

    /// Notes what a request came back with. When the rate is halved, the tokens in hand, which were
    /// taken at the former rate, are forfeited.
    mutating func note(_ answer: AnswerClass, at now: Duration) -> AdaptiveRate.Change? {
        let change = rate.note(answer, at: now)
        if case .halved = change { ledger.forfeit() }
        return change
    }

    func isPaused(at now: Duration) -> Bool { now < pausedUntil }

    /// Uses no token before `instant`. A shorter pause does not end a longer one.
    mutating func pause(until instant: Duration) { pausedUntil = max(pausedUntil, instant) }

    /// Asks for as many tokens as there are callers, and as fall due while the slice is on its way.
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
