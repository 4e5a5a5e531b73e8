/// The tokens in hand: what is left of a slice.
///
/// A token is used from when it falls due by the bucket's clock until `slack` later, whatever the
/// difference of the clocks is within its known bounds. A worker that was stopped in between
/// forfeits the tokens that it did not use in time, so every window of w seconds holds at most
/// `burst + rate · (w + slack)` tokens. Where even the quickest response takes longer than the
/// slack, the slack is that long.
struct TokenLedger: Sendable {
    enum Step: Equatable, Sendable {
        case go
        case wait(Duration)
        /// Nothing is left.
        case askForMore
    }

    /// How late a token may be used.
    static let slack = Duration.milliseconds(50)

    private var slice: TokenSlice?
    private var offset = ClockOffset()
    private var used = 0
    private var leadOfSlice = Duration.zero
    /// The lead to ask for: where responses take long, a token that falls due now would be too late
    /// when it arrives.
    private(set) var lead = Duration.zero
    /// How long the last slice took to arrive, at most 2 s.
    private(set) var delay = Duration.zero

    /// Takes in the slice that was asked for at `askedAt` with `lead`.
    mutating func add(_ slice: TokenSlice, askedAt: Duration, arrivedAt: Duration) {
        offset.note(slice.takenAt, askedAt: askedAt, answeredAt: arrivedAt)
        self.slice = slice
        used = 0
        leadOfSlice = lead
        delay = min(arrivedAt - askedAt, .seconds(2))
        lead = delay < Self.slack / 2 ? .zero : delay
    }

    /// Drops the tokens in hand. They are not used; the bucket does not get them back.
    mutating func forfeit() { slice = nil }

    mutating func take(at now: Duration) -> Step {
        guard let slice else { return .askForMore }
        let slack = max(Self.slack, offset.most - offset.least + .milliseconds(20))
        while used < slice.count {
            let due = dueTime(of: slice)
            if now < due - offset.least { return .wait(due - offset.least - now) }
            used += 1
            if now <= due - offset.most + slack { return .go }
        }
        let isEmpty = slice.count == 0
        let wait = dueTime(of: slice) - offset.least - now
        return isEmpty && wait > .zero ? .wait(wait) : .askForMore
    }

    /// When the next token of `slice` falls due, by the bucket's clock; of an empty one, when to
    /// ask again.
    private func dueTime(of slice: TokenSlice) -> Duration {
        slice.takenAt + leadOfSlice + max(.zero, slice.firstDue + slice.apart * used)
    }
}
