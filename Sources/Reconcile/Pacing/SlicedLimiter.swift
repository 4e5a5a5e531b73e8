/// Tokens of a bucket that lies elsewhere, taken in advance.
package struct TokenSlice: Equatable, Sendable {
    /// From the moment of taking, with the lead that was asked for, to when the first falls due;
    /// below zero when it is due.
    package var firstDue: Duration
    /// From one to the next.
    package var apart: Duration
    package var count: Int

    package init(firstDue: Duration, apart: Duration, count: Int) {
        (self.firstDue, self.apart, self.count) = (firstDue, apart, count)
    }
}

/// The tokens that are left of a slice, as a value.
///
/// The bucket's clock is not ours, so each token is used within a window: not before it falls due
/// reckoned from when the slice arrived, which was after it was taken; and not later than `slack`
/// after it falls due reckoned from when it was asked for, which was before. A worker that was
/// stopped, or waited long for its slice, so forfeits what it did not use in time, and no window of
/// w seconds sees more than `burst + rate · (w + slack)`.
struct TokenLedger: Sendable {
    enum Step: Equatable, Sendable {
        case go
        case wait(Duration)
        /// Nothing is left.
        case askForMore
    }

    /// How late a token may be used.
    static let slack = Duration.milliseconds(50)

    private var slice = TokenSlice(firstDue: .zero, apart: .zero, count: 0)
    private var askedAt = Duration.zero
    private var arrivedAt = Duration.zero
    private var used = 0
    private var leadOfSlice = Duration.zero
    /// How far ahead of its own clock the bucket is asked to reckon: where its answers take long,
    /// what falls due now would be too late already when it is here.
    private(set) var lead = Duration.zero

    /// - Parameter slice: what the bucket gave that was asked at `askedAt` with `lead`.
    mutating func add(_ slice: TokenSlice, askedAt: Duration, arrivedAt: Duration) {
        (self.slice, self.askedAt, self.arrivedAt) = (slice, askedAt, arrivedAt)
        (used, leadOfSlice) = (0, lead)
        let delay = arrivedAt - askedAt
        lead = delay < Self.slack / 2 ? .zero : min(delay * 3 / 2, .seconds(2))
    }

    mutating func take(at now: Duration) -> Step {
        while used < slice.count {
            let due = leadOfSlice + max(.zero, slice.firstDue + slice.apart * used)
            if now < arrivedAt + due { return .wait(arrivedAt + due - now) }
            used += 1
            if now <= askedAt + due + Self.slack { return .go }
        }
        return .askForMore
    }
}

/// Lets its callers through as fast as a bucket allows that lies elsewhere and serves others too.
///
/// Only the first in line waits, as in `RateLimiter`.
actor SlicedLimiter<C: Clock> where C.Duration == Duration {
    private let clock: C
    private let origin: C.Instant
    /// Tokens a second, as far as this process knows: no slice is longer than a quarter of one.
    private let rate: Double
    private let source: @Sendable (_ count: Int, _ lead: Duration) async throws -> TokenSlice
    private var ledger = TokenLedger()
    private let turn = Turn()

    init(
        rate: Double, clock: C,
        source: @escaping @Sendable (_ count: Int, _ lead: Duration) async throws -> TokenSlice
    ) {
        (self.rate, self.clock, origin, self.source) = (rate, clock, clock.now, source)
    }

    private var now: Duration { origin.duration(to: clock.now) }

    /// Returns when the caller may go ahead, once; false when that is not before `deadline`.
    /// - Throws: what the source throws; `CancellationError`.
    func acquire(before deadline: C.Instant? = nil) async throws -> Bool {
        try await turn.take()
        defer { turn.pass() }
        while true {
            if let deadline, clock.now >= deadline { return false }
            switch ledger.take(at: now) {
            case .go: return true
            case .wait(let wait):
                let due = clock.now.advanced(by: wait)
                try await clock.sleep(until: deadline.map { min($0, due) } ?? due, tolerance: nil)
            case .askForMore:
                try Task.checkCancellation()
                let askedAt = now
                let slice = try await source(count(inLine: turn.waiting + 1), ledger.lead)
                ledger.add(slice, askedAt: askedAt, arrivedAt: now)
            }
        }
    }

    /// As many as wait; at a high rate also some for those who come meanwhile, so that the source
    /// is asked forty times a second at most; never more than a quarter of a second's.
    private func count(inLine: Int) -> Int {
        let most = max(1, (rate / 4).rounded(.up))
        return Int(min(most, max(Double(inLine), (rate / 40).rounded(.down)), 1_000_000))
    }
}
