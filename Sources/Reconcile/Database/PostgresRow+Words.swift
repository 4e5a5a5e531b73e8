/// Columns as the words of the ground floor.
extension PostgresRow {
    /// A column made by `reconcile.milliseconds`, which maps infinity to the ends of the range.
    func optionalInstant(_ column: Int) throws(PostgresError) -> Instant? {
        try optionalInt64(column).map(Instant.init)
    }

    func instant(_ column: Int) throws(PostgresError) -> Instant {
        Instant(milliseconds: try int64(column))
    }

    func optionalID<Tag>(_ column: Int) -> Identifier<Tag>? {
        optionalText(column).map { Identifier($0) }
    }

    /// One of the cases of an enumeration kept as text; anything else is an error.
    func word<T: RawRepresentable<String>>(_ column: Int) throws(PostgresError) -> T {
        guard let word = T(rawValue: try text(column)) else { throw undecodable(column) }
        return word
    }

    func optionalWord<T: RawRepresentable<String>>(_ column: Int) throws(PostgresError) -> T? {
        isNull(column) ? nil : try word(column)
    }
}
