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

    func id<Tag>(_ column: StaticString) throws -> Identifier<Tag> {
        guard let id: Identifier<Tag> = try optionalID(column) else { throw undecodable(column) }
        return id
    }

    func optionalID<Tag>(_ column: StaticString) throws -> Identifier<Tag>? {
        try withBytes(column) { Identifier($0.assumingMemoryBound(to: UInt8.self)) }
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

extension BinaryCopyBuffer {
    mutating func append<Tag>(_ id: Identifier<Tag>?) {
        guard let id else { return append(nil as String?) }
        id.withUTF8 { append(utf8: $0) }
    }
}
