/// What a rate limiter asks its token bucket for.
package struct TokenRequest: Equatable, Sendable {
    /// At least 1.
    package var count: Int
    /// How far ahead of its own clock the bucket reckons: the tokens fall due that much later, for
    /// an answer that takes long to arrive.
    package var lead: Duration
    /// The part of the whole rate that is used now, 0.1 to 1. A token costs the bucket
    /// 1 / (rate · share) seconds.
    package var share: Double

    package init(count: Int, lead: Duration = .zero, share: Double = 1) {
        self.count = count
        self.lead = lead
        self.share = share
    }
}

/// Tokens of a bucket, taken in advance.
package struct TokenSlice: Equatable, Sendable {
    /// By the bucket's clock, whose origin is its own.
    package var takenAt: Duration
    /// From `takenAt` plus the lead of the request to when the first token falls due; zero or below
    /// when it is due.
    package var firstDue: Duration
    /// From one token to the next.
    package var apart: Duration
    /// Zero from a bucket that gives nothing in advance; then `firstDue` says when to ask again.
    package var count: Int

    package init(takenAt: Duration, firstDue: Duration, apart: Duration, count: Int) {
        self.takenAt = takenAt
        self.firstDue = firstDue
        self.apart = apart
        self.count = count
    }
}
