/// What a user's purchases of one product, or of one subscription group, give at an instant.
struct ProductAccess {
    let state: Grantor.State
    /// The end of the right, or of what was the right; nil for no end.
    let endsAt: Instant?
    /// The purchase that gives the right, or gave it last.
    let covering: Purchase
    /// For a right that is over: the latest of its end, a grace period's end and any cancellation.
    var goneAt: Instant?
}
