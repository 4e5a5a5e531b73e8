package protocol ReadableRow: Sendable {
    /// Parses cells in the report's column order; nil for a value that a column cannot have.
    init?(cells: [String?])

    /// What the row is about, in a sentence.
    var name: String { get }

    /// The row with the sentence of `other`, where that names a user who is erased in the row.
    func naming(likeIn other: Self) -> Self?
}

extension ReadableRow {
    package func naming(likeIn other: Self) -> Self? { nil }
}
