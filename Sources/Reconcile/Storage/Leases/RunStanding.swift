struct RunStanding: Equatable, Sendable {
    package enum State: String, Sendable {
        case open, published, held, retracted, failed, abandoned
    }

    let state: State
    let firstLookElsewhere: Int
    /// Unfinished batches of every look that the asking worker does not hold.
    let batchesElsewhere: Int
}
