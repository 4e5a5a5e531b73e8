extension PostgresRow {
    /// An array of integers; empty for null.
    func integers(_ column: StaticString) throws -> [Int] {
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
    ) throws -> Identifier<Tag>? {
        try optionalText(column).map { Identifier($0) }
    }

    /// A case of an enumeration by its raw value; an unknown value is an error.
    func word<T: RawRepresentable<String>>(_ column: StaticString) throws -> T {
        guard let word = T(rawValue: try text(column)) else { throw undecodable(column) }
        return word
    }

    func optionalWord<T: RawRepresentable<String>>(_ column: StaticString) throws
        -> T?
    {
        try isNull(column) ? nil : try word(column)
    }
}
