struct RowStamp: Sendable {
    let id: String
    let asOf: Instant
    /// The column `scope`: nil for a run over everything.
    let scope: String?
}
