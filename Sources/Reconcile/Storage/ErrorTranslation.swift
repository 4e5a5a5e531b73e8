internal import SQL

extension DatabaseError {
    /// The relations that a statement uses. They decide who must act on an error.
    enum Side {
        /// The team's views, read by these statements: an error is about source data.
        case views(readBy: [Statement])
        /// The job's own tables: a missing one needs a migration.
        case tables
    }

    var isSourceData: Bool {
        guard case .sourceData = reason else { return false }
        return true
    }

    init(_ error: PostgresError, touching side: Side) {
        let translation = ErrorTranslation(error: error, side: side)
        self.init(translation.reason, statement: error.statement)
    }

    init(_ error: any Error, touching side: Side) {
        switch error {
        case let error as PostgresError: self.init(error, touching: side)
        case let error as DatabaseError: self = error
        default:
            // A defect: bodies throw no other errors. Ends the run with status 70.
            self.init(.rejected(sqlState: nil, message: "\(type(of: error))"), statement: "none")
        }
    }
}

private struct ErrorTranslation {
    let error: PostgresError
    let side: DatabaseError.Side

    var reason: DatabaseError.Reason {
        let code = error.sqlState
        let why = error.message ?? "no reason given"
        if error.isAddressUnusable { return .unusableAddress(why) }
        if error.isRowSecurity { return .rowsHidden(why) }
        switch (code, code.map { String($0.prefix(2)) }) {
        case (_, "28"): return .loginRefused(error.message ?? "SQLSTATE \(code ?? "unknown")")
        case ("42501", _):
            return .accessDenied(error.message ?? "SQLSTATE \(code ?? "unknown")")
        case ("57014", _): return .cancelled
        case ("25006", _): return error.isStandby ? .standby : .readOnly
        case ("22021", _), ("22P05", _): return .encoding(why)
        case ("57P01", _), ("57P02", _), ("57P03", _), ("53300", _), ("3D000", _), (_, "08"):
            return .unreachable(why)
        case _ where error.isConnectionLost:
            return .unreachable(error.message ?? "the connection was lost")
        case ("42P01", _), ("42703", _), ("42883", _), ("3F000", _), ("42P02", _):
            guard case .views(let statements) = side else { return .notMigrated }
            return .sourceData([unreadable(by: statements)])
        // Errors in the query of a view. HV: from a foreign table.
        case (_, "21"), (_, "22"), (_, "42"), (_, "2F"), (_, "38"), (_, "39"), (_, "54"),
            (_, "HV"), (_, "P0"):
            guard case .views(let statements) = side else { break }
            return .sourceData([unreadable(by: statements)])
        default: break
        }
        return .rejected(sqlState: code, message: error.message)
    }

    /// Names the views that may have failed. PostgreSQL names only the statement.
    private func unreadable(by statements: [Statement]) -> String {
        if let column = error.column { return sentence("reconcile." + column) }
        let failed = statements.filter { $0.name == error.statement }
        let texts = (failed.isEmpty ? statements : failed).map(\.text)
        let names = ViewContract.all.map { "reconcile." + $0.name }.filter { name in
            texts.contains { $0.contains(name) }
        }
        return sentence(names.isEmpty ? "A view" : names.joined(separator: " or "))
    }

    private func sentence(_ subject: String) -> String {
        "\(subject) could not be read (\(error.statement), SQLSTATE "
            + "\(error.sqlState ?? "unknown"): \(error.message ?? "see the server's log"))."
    }
}
