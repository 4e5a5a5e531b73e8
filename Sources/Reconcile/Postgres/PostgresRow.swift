internal import CPostgres

/// One row of a result during decoding. Columns are read by name.
///
/// Points into libpq's memory, so it is not copyable and does not outlive decoding. An unknown
/// column name is a bug in our code; it throws like a value of the wrong type.
struct PostgresRow: ~Copyable {
    private let result: OpaquePointer
    private let index: Int32
    private let columns: PostgresColumns
    private let statement: String

    init(_ result: OpaquePointer, index: Int32, columns: PostgresColumns, statement: String) {
        self.result = result
        self.index = index
        self.columns = columns
        self.statement = statement
    }

    func isNull(_ column: StaticString) throws(PostgresError) -> Bool {
        PQgetisnull(result, index, try position(of: column)) != 0
    }

    /// Passes the column's bytes to `body`; returns nil for null.
    func withBytes<R>(
        _ column: StaticString, _ body: (UnsafeRawBufferPointer) -> R
    ) throws(PostgresError) -> R? {
        let position = try position(of: column)
        guard PQgetisnull(result, index, position) == 0,
            let start = PQgetvalue(result, index, position)
        else { return nil }
        let count = Int(PQgetlength(result, index, position))
        return body(UnsafeRawBufferPointer(start: start, count: count))
    }

    func optionalText(_ column: StaticString) throws(PostgresError) -> String? {
        try withBytes(column) { String(decoding: $0, as: UTF8.self) }
    }

    func optionalBytes(_ column: StaticString) throws(PostgresError) -> [UInt8]? {
        try withBytes(column, Array.init)
    }

    /// A `bytea`; the session's output format is hexadecimal.
    func optionalBytea(_ column: StaticString) throws(PostgresError) -> [UInt8]? {
        guard let decoded = try withBytes(column, { PostgresBytea.bytes($0) }) else { return nil }
        return try present(decoded, column)
    }

    func optionalInt64(_ column: StaticString) throws(PostgresError) -> Int64? {
        guard let parsed = try withBytes(column, Int64.init(decimal:)) else { return nil }
        return try present(parsed, column)
    }

    func optionalInt(_ column: StaticString) throws(PostgresError) -> Int? {
        try optionalInt64(column).map(Int.init)
    }

    func optionalBool(_ column: StaticString) throws(PostgresError) -> Bool? {
        guard let byte = try withBytes(column, { $0.count == 1 ? $0[0] : 0 }) else { return nil }
        switch byte {
        case UInt8(ascii: "t"): return true
        case UInt8(ascii: "f"): return false
        default: throw undecodable(column)
        }
    }

    func text(_ column: StaticString) throws(PostgresError) -> String {
        try present(try optionalText(column), column)
    }

    func bytes(_ column: StaticString) throws(PostgresError) -> [UInt8] {
        try present(try optionalBytes(column), column)
    }

    func bytea(_ column: StaticString) throws(PostgresError) -> [UInt8] {
        try present(try optionalBytea(column), column)
    }

    func int64(_ column: StaticString) throws(PostgresError) -> Int64 {
        try present(try optionalInt64(column), column)
    }

    func int(_ column: StaticString) throws(PostgresError) -> Int {
        try present(try optionalInt(column), column)
    }

    func bool(_ column: StaticString) throws(PostgresError) -> Bool {
        try present(try optionalBool(column), column)
    }

    /// For a value that has the column's type but is not valid in the domain.
    func undecodable(_ column: StaticString) -> PostgresError {
        .undecodable(column: column, statement: statement)
    }

    private func position(of column: StaticString) throws(PostgresError) -> Int32 {
        try present(columns.position(of: column), column)
    }

    private func present<T>(_ value: T?, _ column: StaticString) throws(PostgresError) -> T {
        guard let value else { throw undecodable(column) }
        return value
    }
}

extension Int64 {
    /// Parses decimal digits with an optional minus, as PostgreSQL prints integers.
    fileprivate init?(decimal bytes: UnsafeRawBufferPointer) {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let digits = bytes.dropFirst(isNegative ? 1 : 0)
        guard !digits.isEmpty else { return nil }
        var value: Int64 = 0
        for byte in digits {
            guard (48...57).contains(byte) else { return nil }
            let (tenfold, overflows) = value.multipliedReportingOverflow(by: 10)
            // Subtracts, because the minimum has no positive counterpart.
            let (next, underflows) = tenfold.subtractingReportingOverflow(Int64(byte - 48))
            guard !overflows, !underflows else { return nil }
            value = next
        }
        guard isNegative || value != .min else { return nil }
        self = isNegative ? value : -value
    }
}
