/// The earlier runs by which users are judged: what they reported, and the purchases that they saw.
struct PastRuns: Hashable, Sendable {
    /// The run before which; for a replay the replayed one. Nil: all runs.
    let before: RunID?
    /// A replay sees only what the replayed run knew.
    let isReplay: Bool
    /// Whether the digests of the verdicts kept by earlier nightly runs are read.
    let comparesRecords: Bool

    static let all = PastRuns(before: nil, isReplay: false, comparesRecords: false)
}
