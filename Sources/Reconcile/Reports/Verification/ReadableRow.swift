package protocol ReadableRow: Sendable {
    /// Nil for a value that a column cannot have.
    init?(cells: NamedCells)

    /// What the row is about, in a sentence.
    var name: String { get }

    /// The row with the sentence of `other`, where that names a user who is erased in the row.
    func naming(likeIn other: Self) -> Self?
}

extension ReadableRow {
    package func naming(likeIn other: Self) -> Self? { nil }
}
