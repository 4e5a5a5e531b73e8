package struct RunStanding: Equatable, Sendable {
    package enum State: String, Sendable {
        case open, published, held, retracted, failed, abandoned
    }

    package let state: State
    /// Batches of the first look that are not done and that other workers hold or nobody has
    /// leased.
    package let firstLookElsewhere: Int
    /// The same for the batches of all looks.
    package let batchesElsewhere: Int
}
