/// An error of the database that ends a run or a command.
package struct DatabaseError: Error, Equatable {
    /// One case per remedy. The number is the exit status.
    package enum Reason: Equatable, Sendable {
        /// No server answers, or the connection was lost (69).
        case unreachable(String)
        /// The server has no such database (69).
        case noDatabase(String)
        /// A pooler shares one session among several clients: its mode (78).
        case pooled(String)
        /// libpq cannot parse the connection string or a `PG…` variable (78).
        case unusableAddress(String)
        /// Missing or wrong password, unknown role, or not allowed from this host (77).
        case loginRefused(String)
        /// A missing privilege (77).
        case accessDenied(String)
        /// A row-level security policy would hide rows of the views (77).
        case rowsHidden(String)
        /// The role has privileges to change the data it checks (77).
        case writableRole([String])
        /// The job's own tables are missing or older than the program (78).
        case notMigrated
        /// The schema was migrated by a newer program (78).
        case schemaNewer(migration: String)
        /// An applied migration differs from the program's file of that name (78).
        case migrationChanged(migration: String)
        /// The views cannot be read: all their problems (65).
        case sourceData([String])
        /// Another server below a view fails (69 if that may pass, else 65).
        case foreignServer(String, sqlState: String, isPassing: Bool)
        /// The run of `--replay` cannot be replayed (64).
        case notReplayable(String)
        /// `--user` or `--receipt` names an unknown id (64).
        case notFound([String])
        /// The id of `accept`, `retract` or `release` is unknown, ambiguous or not allowed (64).
        case refused(String)
        /// A reading command got an unknown id (66).
        case unknown(String)
        /// Another session keeps a view locked for too long: which, and who (69).
        case viewsLocked(String)
        /// Another run is in progress (75).
        case locked(by: String)
        /// The server is a standby and accepts no writes (69).
        case standby
        /// The session is read only on a server that accepts writes (69).
        case readOnly
        /// Text that the database's encoding cannot store, or invalid bytes in it (65).
        case encoding(String)
        /// The task was cancelled, or `statement_timeout` expired.
        case cancelled
        /// Another run or worker has taken over the run or batch (75).
        case notOpen(String)
        /// PostgreSQL rejected a statement of the job (70).
        case rejected(sqlState: String?, message: String?)
    }

    package let reason: Reason
    /// The file name of the statement in `sql/`, or `connect`. Never its parameters.
    package let statement: String
    /// The team's views that the statement reads.
    let views: [String]
    /// The foreign servers below these views, where one of them failed.
    var servers: [String] = []

    init(_ reason: Reason, statement: String, views: [String] = []) {
        self.reason = reason
        self.statement = statement
        self.views = views
    }

    var isSourceData: Bool {
        guard case .sourceData = reason else { return false }
        return true
    }

    var isEncoding: Bool {
        guard case .encoding = reason else { return false }
        return true
    }

    var isForeign: Bool {
        guard case .foreignServer = reason else { return false }
        return true
    }

    /// A serialization failure, a deadlock or an outdated plan: a retry succeeds.
    package var isConflict: Bool {
        if case .rejected(let code, _) = reason {
            code == "40001" || code == "40P01"
                || code.map { PostgresConnection.lostPlan.contains($0) } ?? false
        } else {
            false
        }
    }

    /// A temporary failure of the server, or of a foreign one: a held lock, a lack of resources, a
    /// failed disk or file.
    package var isPassing: Bool {
        switch reason {
        case .rejected(let code?, _): ["53", "55", "57", "58", "XX"].contains(code.prefix(2))
        case .foreignServer(_, _, let isPassing): isPassing
        default: false
        }
    }

    /// Whether a retry fails in the same way: a defect, or data that the job cannot write.
    var wouldRecur: Bool {
        guard case .rejected = reason else { return false }
        return !isPassing && !isConflict
    }
}

extension DatabaseError {
    static func ended(_ run: RunID) -> DatabaseError {
        DatabaseError(.notOpen("The run \(run) has ended"), statement: "run_progress")
    }
}
