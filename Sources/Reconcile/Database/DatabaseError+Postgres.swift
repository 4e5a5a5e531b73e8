extension DatabaseError {
    /// Whose relations a statement reads or writes: that decides whom an error is for.
    enum Side {
        /// The team's views: what is wrong there is source data.
        case views
        /// Our own tables: what is missing there is a migration.
        case tables
    }

    init(_ error: PostgresError, touching side: Side) {
        self.init(Self.reason(of: error, touching: side), statement: error.statement)
    }

    private static func reason(of error: PostgresError, touching side: Side) -> Reason {
        let code = error.sqlState
        let why = error.message ?? "no reason given"
        switch (code, code.map { String($0.prefix(2)) }) {
        case (_, "28"), ("42501", _):
            return .accessDenied(error.message ?? "SQLSTATE \(code ?? "unknown")")
        case ("57014", _): return .cancelled
        case ("25006", _): return .readOnly
        case ("57P01", _), ("57P02", _), ("57P03", _), ("53300", _), ("3D000", _), (_, "08"):
            return .unreachable(why)
        case _ where error.isConnectionLost:
            return .unreachable(error.message ?? "the connection was lost")
        case ("42P01", _), ("42703", _), ("42883", _), ("3F000", _), ("42P02", _):
            return side == .tables ? .notMigrated : .sourceData([unreadable(error)])
        case (_, "22"), (_, "42"), (_, "2F"), (_, "38"), (_, "39"), (_, "P0"):
            guard side == .views else { break }
            return .sourceData([unreadable(error)])
        default: break
        }
        return .rejected(sqlState: code, message: error.message)
    }

    private static func unreadable(_ error: PostgresError) -> String {
        "A view could not be read (\(error.statement), SQLSTATE \(error.sqlState ?? "unknown")"
            + (error.message.map { ": \($0)" } ?? "") + ")."
    }
}
