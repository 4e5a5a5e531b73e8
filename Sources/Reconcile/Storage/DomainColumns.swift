/// Columns decoded as identifiers, enumerations and lists of the rules' own types.
extension PostgresRow {
    /// An array of whole numbers; none for null.
    func integers(_ column: StaticString) throws(PostgresError) -> [Int] {
        guard let text = try optionalText(column), text != "{}" else { return [] }
        var numbers: [Int] = []
        for part in text.dropFirst().dropLast().split(separator: ",") {
            guard let number = Int(part) else { throw undecodable(column) }
            numbers.append(number)
        }
        return numbers
    }

    func optionalID<Tag>(
        _ column: StaticString
    ) throws(PostgresError) -> Identifier<Tag>? {
        try optionalText(column).map { Identifier($0) }
    }

    /// One of the cases of an enumeration kept as text; anything else is an error.
    func word<T: RawRepresentable<String>>(_ column: StaticString) throws(PostgresError) -> T {
        guard let word = T(rawValue: try text(column)) else { throw undecodable(column) }
        return word
    }

    func optionalWord<T: RawRepresentable<String>>(_ column: StaticString) throws(PostgresError)
        -> T?
    {
        try isNull(column) ? nil : try word(column)
    }
}
