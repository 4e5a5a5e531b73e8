/// A column with its PostgreSQL type, which a row fills: for COPY in binary format, or as an
/// element of an array.
struct TypedColumn<Row>: Sendable {
    let name: String
    /// The type of the elements of an array, for example `bigint`.
    let type: String
    /// The value in PostgreSQL's text format; nil for null.
    let text: @Sendable (Row) -> String?
    /// Appends the value in the binary format of the type.
    let append: @Sendable (Row, inout BinaryCopyBuffer) -> Void
}

extension TypedColumn {
    static func text(_ name: String, _ value: @escaping @Sendable (Row) -> String?) -> Self {
        Self(
            name: name, type: "text", text: value,
            append: { $1.append(value($0)) })
    }

    /// A `text` with an id.
    static func id<Tag>(
        _ name: String, _ value: @escaping @Sendable (Row) -> Identifier<Tag>?
    ) -> Self {
        Self(
            name: name, type: "text", text: { value($0)?.text },
            append: { $1.append(value($0)) })
    }

    /// A `text` with the raw value of an enumeration.
    static func word<Word: RawRepresentable<String> & SendableMetatype>(
        _ name: String, _ value: @escaping @Sendable (Row) -> Word?
    ) -> Self {
        Self(
            name: name, type: "text", text: { value($0)?.rawValue },
            append: { $1.append(value($0)?.rawValue) })
    }

    /// A `text[]`; in an array its text, because `unnest` would spread the inner arrays, too.
    static func texts(_ name: String, _ value: @escaping @Sendable (Row) -> [String]) -> Self {
        Self(
            name: name, type: "text", text: { PostgresArray.text(value($0)) },
            append: { $1.append(texts: value($0)) })
    }

    static func bytea(_ name: String, _ value: @escaping @Sendable (Row) -> [UInt8]?) -> Self {
        Self(
            name: name, type: "bytea", text: { value($0).map { PostgresBytea.text($0) } },
            append: { $1.append(bytes: value($0)) })
    }

    static func jsonb(_ name: String, _ value: @escaping @Sendable (Row) -> [UInt8]) -> Self {
        Self(
            name: name, type: "jsonb", text: { String(decoding: value($0), as: UTF8.self) },
            append: { $1.append(jsonb: value($0)) })
    }

    static func boolean(_ name: String, _ value: @escaping @Sendable (Row) -> Bool?) -> Self {
        Self(
            name: name, type: "boolean", text: { value($0).map { $0 ? "t" : "f" } },
            append: { $1.append(value($0)) })
    }

    static func int(_ name: String, _ value: @escaping @Sendable (Row) -> Int?) -> Self {
        Self(
            name: name, type: "int", text: { value($0).map { String($0) } },
            append: { $1.append(int: value($0)) })
    }

    /// An `int` that is null for 0, as most are.
    static func rareInt(_ name: String, _ value: @escaping @Sendable (Row) -> Int) -> Self {
        int(name) { row in
            let number = value(row)
            return number == 0 ? nil : number
        }
    }

    static func bigint(_ name: String, _ value: @escaping @Sendable (Row) -> Int?) -> Self {
        Self(
            name: name, type: "bigint", text: { value($0).map { String($0) } },
            append: { $1.append(bigint: value($0)) })
    }

    static func ints(_ name: String, _ value: @escaping @Sendable (Row) -> [Int]) -> Self {
        Self(
            name: name, type: "int[]", text: { PostgresArray.integers(value($0)) },
            append: { $1.append(ints: value($0)) })
    }

    static func bigints(_ name: String, _ value: @escaping @Sendable (Row) -> [Int64]) -> Self {
        Self(
            name: name, type: "bigint[]", text: { PostgresArray.integers(value($0)) },
            append: { $1.append(bigints: value($0)) })
    }

    static func timestamps(
        _ name: String, _ value: @escaping @Sendable (Row) -> [Instant]
    ) -> Self {
        Self(
            name: name, type: "timestamptz[]",
            text: { PostgresArray.text(value($0).map(\.timestamptz)) },
            append: { $1.append(timestamps: value($0).map(\.milliseconds)) })
    }

    static func timestamp(
        _ name: String, _ value: @escaping @Sendable (Row) -> Instant?
    ) -> Self {
        Self(
            name: name, type: "timestamptz", text: { value($0)?.timestamptz },
            append: { $1.append(timestamp: value($0)?.milliseconds) })
    }
}
