internal import CPostgres

/// One row of a result while it is being decoded. Columns are counted from 0.
///
/// It looks into libpq's memory, so it cannot be copied and does not outlive its decoding.
struct PostgresRow: ~Copyable {
    private let result: OpaquePointer
    private let index: Int32
    private let statement: String

    init(_ result: OpaquePointer, index: Int32, statement: String) {
        (self.result, self.index, self.statement) = (result, index, statement)
    }

    func isNull(_ column: Int) -> Bool { PQgetisnull(result, index, Int32(column)) != 0 }

    /// Lends the column's bytes; nil for null.
    func withBytes<R>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R? {
        guard !isNull(column), let start = PQgetvalue(result, index, Int32(column)) else {
            return nil
        }
        let count = Int(PQgetlength(result, index, Int32(column)))
        return body(UnsafeRawBufferPointer(start: start, count: count))
    }

    func optionalText(_ column: Int) -> String? {
        withBytes(column) { String(decoding: $0, as: UTF8.self) }
    }

    func optionalBytes(_ column: Int) -> [UInt8]? { withBytes(column, Array.init) }

    /// A `bytea`, which the session prints in hexadecimal.
    func optionalBytea(_ column: Int) throws(PostgresError) -> [UInt8]? {
        guard let decoded = withBytes(column, { PostgresBytea.bytes($0) }) else { return nil }
        guard let decoded else { throw undecodable(column) }
        return decoded
    }

    func optionalInt64(_ column: Int) throws(PostgresError) -> Int64? {
        guard let parsed = withBytes(column, Int64.init(decimal:)) else { return nil }
        guard let parsed else { throw undecodable(column) }
        return parsed
    }

    func optionalInt(_ column: Int) throws(PostgresError) -> Int? {
        try optionalInt64(column).map(Int.init)
    }

    func optionalBool(_ column: Int) throws(PostgresError) -> Bool? {
        guard let byte = withBytes(column, { $0.count == 1 ? $0[0] : 0 }) else { return nil }
        switch byte {
        case UInt8(ascii: "t"): return true
        case UInt8(ascii: "f"): return false
        default: throw undecodable(column)
        }
    }

    func text(_ column: Int) throws(PostgresError) -> String {
        try present(optionalText(column), column)
    }

    func bytes(_ column: Int) throws(PostgresError) -> [UInt8] {
        try present(optionalBytes(column), column)
    }

    func int64(_ column: Int) throws(PostgresError) -> Int64 {
        try present(optionalInt64(column), column)
    }

    func int(_ column: Int) throws(PostgresError) -> Int {
        try present(optionalInt(column), column)
    }

    func bool(_ column: Int) throws(PostgresError) -> Bool {
        try present(optionalBool(column), column)
    }

    /// For a value that has the column's type and not one of the domain's values.
    func undecodable(_ column: Int) -> PostgresError {
        .undecodable(column: column, statement: statement)
    }

    private func present<T>(_ value: T?, _ column: Int) throws(PostgresError) -> T {
        guard let value else { throw undecodable(column) }
        return value
    }
}

extension Int64 {
    /// Decimal digits with an optional minus, as PostgreSQL prints whole numbers.
    fileprivate init?(decimal bytes: UnsafeRawBufferPointer) {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let digits = bytes.dropFirst(isNegative ? 1 : 0)
        guard !digits.isEmpty else { return nil }
        var value: Int64 = 0
        for byte in digits {
            guard (48...57).contains(byte) else { return nil }
            let (tenfold, overflows) = value.multipliedReportingOverflow(by: 10)
            // Counted downwards, because the least number has no positive twin.
            let (next, underflows) = tenfold.subtractingReportingOverflow(Int64(byte - 48))
            guard !overflows, !underflows else { return nil }
            value = next
        }
        guard isNegative || value != .min else { return nil }
        self = isNegative ? value : -value
    }
}
