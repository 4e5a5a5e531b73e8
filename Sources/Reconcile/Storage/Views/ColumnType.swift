/// A column's type, as the contract names it, with what is as good.
///
/// `varchar` compares as `text` does. `citext`, `char(n)` and `name` do not, so they need a cast.
enum ColumnType: String, Sendable {
    case text, timestamptz, boolean, integer, numeric, interval

    /// `name` is what PostgreSQL's `format_type` says.
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

    /// What to write in the view for a column of type `name`.
    func cast(of column: String, from name: String) -> String {
        switch (self, name) {
        case (.timestamptz, "timestamp without time zone"): "\(column) at time zone 'UTC'"
        // A cast would print the bytes in hexadecimal, which is no receipt.
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
