internal import SQL

/// Translates PostgreSQL's errors: what a SQLSTATE means depends on the side that it comes from.
extension DatabaseError {
    /// Where an error comes from, which decides who must act.
    enum Side: Equatable {
        /// The job's own connection: no session was opened, or it has ended.
        case connection
        /// The job's own tables.
        case tables
        /// The team's views, or what they read in this database.
        case views
        /// Another server, which a view reads through a foreign table or a function.
        case foreignServer
    }

    init(_ error: PostgresError) {
        let views = error.sql.map(Self.views(in:)) ?? []
        self.init(
            ErrorTranslation(error: error, views: views).reason, statement: error.statement,
            views: views)
    }

    init(_ error: any Error) {
        switch error {
        case let error as PostgresError: self.init(error)
        case let error as DatabaseError: self = error
        default:
            // A defect: bodies throw no other errors. Ends the run with status 70.
            self.init(.rejected(sqlState: nil, message: "\(type(of: error))"), statement: "none")
        }
    }

    /// The team's views that a statement names, with their schema.
    private static func views(in sql: String) -> [String] {
        ViewContract.all.map { "reconcile." + $0.name }.filter { sql.contains($0) }
    }
}

private struct ErrorTranslation {
    let error: PostgresError
    let views: [String]

    private var side: DatabaseError.Side {
        if error.isConnectionLost { return .connection }
        // A value that another server cannot return is found by its view and column as well.
        if error.isForeign, group != "22" { return .foreignServer }
        // The job's own connection works, so a view's function has lost another one.
        if group == "08", !views.isEmpty { return .foreignServer }
        return views.isEmpty ? .tables : .views
    }

    private var code: String { error.sqlState ?? "unknown" }
    /// The class of the SQLSTATE.
    private var group: Substring { code.prefix(2) }
    private var why: String { error.message ?? "SQLSTATE \(code)" }

    var reason: DatabaseError.Reason {
        if let mode = error.poolMode { return .pooled(mode.rawValue) }
        switch side {
        case .connection: return connectionReason
        case .foreignServer:
            return .foreignServer(
                error.message ?? "see its log", sqlState: code, isPassing: isForeignPassing)
        case .tables, .views: return ownReason
        }
    }

    /// What a server has answered does not pass; whatever kept it from answering may.
    private var connectionReason: DatabaseError.Reason {
        if error.isAddressUnusable { return .unusableAddress(why) }
        switch (code, group) {
        case (_, "28"): return .loginRefused(why)
        case ("42501", _): return .accessDenied(why)
        case ("3D000", _): return .noDatabase(why)
        default: return .unreachable(error.message ?? "the connection was lost")
        }
    }

    private var isForeignPassing: Bool {
        switch (code, group) {
        // HV00N: the wrapper could not connect.
        case ("40001", _), ("40P01", _), ("57014", _), ("HV00N", _): true
        default: ["08", "53", "55", "57", "58", "XX"].contains(group)
        }
    }

    private var ownReason: DatabaseError.Reason {
        if error.isRowSecurity { return .rowsHidden(why) }
        switch (code, group) {
        case (_, "28"): return .loginRefused(why)
        case ("42501", _): return .accessDenied(why)
        case ("57014", _): return .cancelled
        case ("25006", _): return error.isStandby ? .standby : .readOnly
        default: return side == .views ? viewsReason : tablesReason
        }
    }

    private var tablesReason: DatabaseError.Reason {
        switch code {
        // A text that was copied from a view is found there.
        case "22021", "22P05": error.column == nil ? .encoding(why) : .sourceData([unreadable])
        case "42P01", "42703", "42883", "3F000", "42P02": .notMigrated
        default: .rejected(sqlState: error.sqlState, message: error.message)
        }
    }

    /// Errors in the query of a view are about source data.
    private var viewsReason: DatabaseError.Reason {
        switch (code, group) {
        case ("3F000", _), (_, "21"), (_, "22"), (_, "2F"), (_, "38"), (_, "39"), (_, "42"),
            (_, "54"), (_, "HV"), (_, "P0"):
            .sourceData([unreadable])
        default: .rejected(sqlState: error.sqlState, message: error.message)
        }
    }

    /// Names the column if it was found, else the views that may have failed: PostgreSQL names
    /// only the statement.
    private var unreadable: String {
        let subject = error.column.map { "reconcile." + $0 } ?? views.joined(separator: " or ")
        let what =
            "\(subject) could not be read (\(error.statement), SQLSTATE \(code): "
            + "\(error.message ?? "see the server's log"))."
        guard ["22021", "22P05"].contains(code) else { return what }
        return what + " A stored value holds a character that cannot be returned as text: correct"
            + " the value, or let the view return null for it."
    }
}
