struct PostgresStatement: Sendable, Hashable {
    let name: String
    let text: String
    /// Whether it reads or writes a whole view or run, and may take long.
    var isLong = false
}
