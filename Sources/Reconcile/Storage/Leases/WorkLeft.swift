/// What is left to do of a run, as one of its workers sees it.
struct WorkLeft: Equatable, Sendable {
    let state: Run.State
    /// Whether its users are cut into batches.
    let isCut: Bool
    /// Unfinished batches of every look that the asking worker does not hold.
    let batchesLeft: Int
    /// Whether users put off to the second look are not cut into groups yet.
    let hasUncutUsers: Bool

    var hasWork: Bool { batchesLeft > 0 || hasUncutUsers }
}
