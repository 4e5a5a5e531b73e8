/// The unused tokens of a slice.
///
/// A token may be used from its due time, by the bucket's clock, until `slack` later, at every
/// offset of the clocks within its known bounds. Tokens not used in time are forfeited. So every
/// window of w seconds holds at most `burst + rate · (w + slack)` tokens, even if the worker is
/// suspended. If the quickest response takes longer than `slack`, the slack is that long.
struct TokenLedger: Sendable {
    enum Step: Equatable, Sendable {
        case go
        case wait(Duration)
        case requestSlice
    }

    static let slack = Duration.milliseconds(50)

    private var slice: TokenSlice?
    private var offset = ClockOffset()
    private var used = 0
    private var leadOfSlice = Duration.zero
    /// The lead of the next request, for slow responses: a token that is due at once would be late.
    private(set) var lead = Duration.zero
    /// How long the last slice took to arrive, at most 2 s.
    private(set) var delay = Duration.zero

    /// Replaces the slice by one that was requested at `askedAt` with the current `lead`.
    mutating func add(_ slice: TokenSlice, askedAt: Duration, arrivedAt: Duration) {
        offset.note(slice.takenAt, askedAt: askedAt, answeredAt: arrivedAt)
        self.slice = slice
        used = 0
        leadOfSlice = lead
        delay = min(arrivedAt - askedAt, .seconds(2))
        lead = delay < Self.slack / 2 ? .zero : delay
    }

    mutating func forfeit() { slice = nil }

    mutating func take(at now: Duration) -> Step {
        guard let slice else { return .requestSlice }
        let slack = max(Self.slack, offset.most - offset.least + .milliseconds(20))
        forfeitTokens(of: slice, dueBefore: now + offset.most - slack)
        while used < slice.count {
            let due = dueTime(of: slice)
            if now < due - offset.least { return .wait(due - offset.least - now) }
            used += 1
            if now <= due - offset.most + slack { return .go }
        }
        let isEmpty = slice.count == 0
        let wait = dueTime(of: slice) - offset.least - now
        return isEmpty && wait > .zero ? .wait(wait) : .requestSlice
    }

    /// Skips what a slow worker missed at once, so that a take costs the same however much that is.
    /// Division rounds, so one or two late tokens may stay.
    private mutating func forfeitTokens(of slice: TokenSlice, dueBefore instant: Duration) {
        let sinceFirst = instant - slice.takenAt - leadOfSlice
        guard sinceFirst > .zero, slice.apart > .zero else { return }
        let late = (sinceFirst - slice.firstDue) / slice.apart - 1
        used = max(used, Int(min(max(late, 0), Double(slice.count))))
    }

    /// The next token's due time by the bucket's clock; of an empty slice, the next request's.
    private func dueTime(of slice: TokenSlice) -> Duration {
        slice.takenAt + leadOfSlice + max(.zero, slice.firstDue + slice.apart * used)
    }
}
