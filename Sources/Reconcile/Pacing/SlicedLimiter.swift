/// Tokens of a bucket that lies elsewhere, taken in advance.
package struct TokenSlice: Equatable, Sendable {
    /// By the bucket's clock, whose origin is its own.
    package var takenAt: Duration
    /// From then, with the lead that was asked for, to when the first falls due; below zero when it
    /// is due.
    package var firstDue: Duration
    /// From one to the next.
    package var apart: Duration
    package var count: Int

    package init(takenAt: Duration, firstDue: Duration, apart: Duration, count: Int) {
        (self.takenAt, self.firstDue, self.apart) = (takenAt, firstDue, apart)
        self.count = count
    }
}

/// How far another clock is ahead of ours, as far as questions and answers have shown.
///
/// Its answer was given after we asked and before it came, so each exchange bounds the difference
/// on both sides, and the quickest one bounds it best.
struct ClockOffset: Sendable {
    private(set) var least = Duration.zero
    private(set) var most = Duration.zero
    private var seenAt: Duration?

    /// Two clocks may drift apart by so much in a second.
    private static let drift = Duration.microseconds(200)

    mutating func note(_ theirs: Duration, askedAt: Duration, answeredAt: Duration) {
        let (newLeast, newMost) = (theirs - answeredAt, theirs - askedAt)
        let age = seenAt.map { answeredAt - $0 } ?? .zero
        let widening = Self.drift * (age / .seconds(1))
        let (low, high) = (max(least - widening, newLeast), min(most + widening, newMost))
        // Bounds that exclude each other: one of the clocks was set.
        (least, most) = seenAt == nil || low > high ? (newLeast, newMost) : (low, high)
        seenAt = answeredAt
    }
}

/// The tokens that are left of a slice, as a value.
///
/// A token is used within a window: not before it falls due by the bucket's clock, and not later
/// than `slack` after, whichever the clocks' difference is within its bounds. A worker that was
/// stopped so forfeits what it did not use in time, and no window of w seconds sees more than
/// `burst + rate · (w + slack)`. Where even the quickest answer takes longer than the slack, that
/// much is the slack.
struct TokenLedger: Sendable {
    enum Step: Equatable, Sendable {
        case go
        case wait(Duration)
        /// Nothing is left.
        case askForMore
    }

    /// How late a token may be used.
    static let slack = Duration.milliseconds(50)

    private var slice = TokenSlice(takenAt: .zero, firstDue: .zero, apart: .zero, count: 0)
    private var offset = ClockOffset()
    private var used = 0
    private var leadOfSlice = Duration.zero
    /// How far ahead of its own clock the bucket is asked to reckon: where its answers take long,
    /// what falls due now would be too late already when it is here.
    private(set) var lead = Duration.zero
    /// How long the last slice took to come.
    private(set) var delay = Duration.zero

    /// - Parameter slice: what the bucket gave that was asked at `askedAt` with `lead`.
    mutating func add(_ slice: TokenSlice, askedAt: Duration, arrivedAt: Duration) {
        offset.note(slice.takenAt, askedAt: askedAt, answeredAt: arrivedAt)
        (self.slice, used, leadOfSlice) = (slice, 0, lead)
        delay = min(arrivedAt - askedAt, .seconds(2))
        lead = delay < Self.slack / 2 ? .zero : delay
    }

    mutating func take(at now: Duration) -> Step {
        let slack = max(Self.slack, offset.most - offset.least + .milliseconds(20))
        while used < slice.count {
            let due = slice.takenAt + leadOfSlice + max(.zero, slice.firstDue + slice.apart * used)
            if now < due - offset.least { return .wait(due - offset.least - now) }
            used += 1
            if now <= due - offset.most + slack { return .go }
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
                try await clock.pause(for: wait, before: deadline)
            case .askForMore:
                try Task.checkCancellation()
                let askedAt = now
                let slice = try await source(count(inLine: turn.waiting + 1), ledger.lead)
                ledger.add(slice, askedAt: askedAt, arrivedAt: now)
            }
        }
    }

    /// As many as wait, and as fall due while a slice is on its way; at a high rate also some for
    /// those who come meanwhile, so that the source is asked forty times a second at most; never
    /// more than a quarter of a second's.
    private func count(inLine: Int) -> Int {
        let most = max(1, (rate / 4).rounded(.up))
        let seconds = (ledger.delay + ledger.lead) / .seconds(1) + 1.0 / 40
        return Int(min(most, max(Double(inLine), (rate * seconds).rounded(.down)), 1_000_000))
    }
}
