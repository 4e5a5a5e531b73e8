/// A column type of the view contract.
///
/// `varchar` is accepted as `text`. `citext`, `char(n)` and `name` compare differently and need a
/// cast.
enum ColumnType: String, Sendable {
    case text, timestamptz, boolean, integer, numeric, interval

    /// - Parameter name: the result of PostgreSQL's `format_type`.
    func accepts(_ name: String) -> Bool {
        switch self {
        case .text: ["text", "character varying"].contains(name)
        case .timestamptz: name == "timestamp with time zone"
        case .boolean: name == "boolean"
        case .integer: ["smallint", "integer", "bigint"].contains(name)
        case .numeric: ["numeric", "smallint", "integer", "bigint"].contains(name)
        case .interval: name == "interval"
        }
    }

    /// The expression to use in the view for a column of type `name`.
    func cast(of column: String, from name: String) -> String {
        switch (self, name) {
        case (.timestamptz, "timestamp without time zone"): "\(column) at time zone 'UTC'"
        // A cast would give hexadecimal digits, which are not a receipt.
        case (.text, "bytea"): "encode(\(column), 'base64')"
        // A cast would keep JSON's quotation marks.
        case (.text, "jsonb"), (.text, "json"): "\(column) ->> 'the member that holds it'"
        case (.timestamptz, "bigint"), (.timestamptz, "numeric"), (.timestamptz, "integer"):
            "to_timestamp(\(column)), or to_timestamp(\(column) / 1000.0) where it is in"
                + " milliseconds,"
        case (.boolean, "smallint"), (.boolean, "bigint"), (.boolean, "numeric"):
            "\(column) <> 0"
        case (.interval, "smallint"), (.interval, "integer"), (.interval, "bigint"),
            (.interval, "numeric"):
            "make_interval(months => \(column)::int), or the like,"
        default: "\(column)::\(rawValue)"
        }
    }
}
