struct RunStatus: Equatable, Sendable {
    package enum State: String, Sendable {
        case open, published, held, retracted, failed, abandoned
    }

    let state: State
    /// Unfinished batches of the first look that the asking worker does not hold.
    let firstLookBatchesElsewhere: Int
    /// The same of every look that the asking worker does not hold.
    let batchesElsewhere: Int
}
