/// How far a run is, as one of its workers asks.
package struct RunStanding: Equatable, Sendable {
    package enum State: String, Sendable {
        case open, published, held, retracted, failed, abandoned
    }

    package let state: State
    /// Batches of the first look that are neither done nor held by the worker that asks.
    package let firstLookElsewhere: Int
    /// The same, of every look.
    package let batchesElsewhere: Int
}
