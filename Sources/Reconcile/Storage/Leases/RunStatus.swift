struct RunStatus: Equatable, Sendable {
    package enum State: String, Sendable {
        case open, published, held, retracted, failed, abandoned
    }

    let state: State
    /// Whether its users are cut into batches.
    let isCut: Bool
    /// Unfinished batches of every look that the asking worker does not hold.
    let batchesLeft: Int
    /// Whether users put off to the second look are not cut into groups yet.
    let hasUncutUsers: Bool

    var hasWork: Bool { batchesLeft > 0 || hasUncutUsers }
}
