package struct TokenRequest: Equatable, Sendable {
    var count: Int
    /// How much later the tokens fall due, for a slow response: the bucket counts from its own
    /// clock plus the lead.
    var lead: Duration = .zero
    /// The part of the whole rate in use, 0.1 to 1. A token costs 1 / (rate · share) seconds.
    var share: Double = 1
}

package struct TokenSlice: Equatable, Sendable {
    /// By the bucket's clock, which has its own origin.
    var takenAt: Duration
    /// From `takenAt` plus the lead to the first due time. Zero or negative: due now.
    var firstDue: Duration
    var apart: Duration
    /// Zero if the bucket gives nothing in advance; then `firstDue` says when to ask again.
    var count: Int
}
