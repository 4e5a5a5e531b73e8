/// Why the database ends a run or a command. Every message ends in what the operator can do.
package struct DatabaseError: Error, Equatable {
    /// One case for each thing that an operator does differently; SPEC §7 has an exit status for
    /// each.
    package enum Reason: Equatable, Sendable {
        /// No server, no such database, or the connection broke (69).
        case unreachable(String)
        /// The connection string, or a variable of libpq's, cannot be understood (78).
        case unusableAddress(String)
        /// No password or a wrong one, no such role, or not from here (77).
        case loginRefused(String)
        /// A right is missing (77).
        case accessDenied(String)
        /// A row-level security policy would hide rows of what is to be checked (77).
        case rowsHidden(String)
        /// The role could change what it is to check: by which rights (77).
        case writableRole([String])
        /// The job's own tables are missing, or older than the program (78).
        case notMigrated
        /// A newer program has migrated the schema (78).
        case schemaNewer(migration: String)
        /// An applied migration and the program's file of that name differ (78).
        case migrationChanged(migration: String)
        /// The views cannot be read as they are: everything that is wrong with them (65).
        case sourceData([String])
        /// `--replay` names a run that cannot be judged again (64).
        case notReplayable(String)
        /// `--user` or `--receipt` names what is not there (64).
        case notFound([String])
        /// `accept` or `retract` names what is not there, is not unique, or may not be (64).
        case refused(String)
        /// An id that a reading command is given is not known (66).
        case unknown(String)
        /// Another run is under way (75).
        case locked(by: String)
        /// A standby, which takes no writes (69).
        case standby
        /// The server would take writes, and the session is set to read only (69).
        case readOnly
        /// What the database's encoding cannot hold, or bytes that are no text in it (65).
        case encoding(String)
        /// The task was cancelled, or a `statement_timeout` struck.
        case cancelled
        /// The run or batch was no longer ours to write to: another run has taken over (75).
        case notOpen(String)
        /// PostgreSQL refused a statement of ours (70).
        case rejected(sqlState: String?, message: String?)
    }

    package let reason: Reason
    /// The name of the statement's file in `sql/`, or `connect`. Never its parameters.
    package let statement: String

    package init(_ reason: Reason, statement: String) {
        self.reason = reason
        self.statement = statement
    }

    /// Two transactions were in each other's way, or a plan is of no use any more: the same
    /// succeeds when it is tried again.
    var isConflict: Bool {
        if case .rejected(let code, _) = reason {
            code == "40001" || code == "40P01"
                || code.map { PostgresConnection.lostPlan.contains($0) } ?? false
        } else {
            false
        }
    }

    /// The server is in trouble that passes: a lock is held, a resource is short, a disk or a file
    /// failed once (classes 53, 55, 57, 58 and XX).
    package var isPassing: Bool {
        guard case .rejected(let code?, _) = reason else { return false }
        return ["53", "55", "57", "58", "XX"].contains(code.prefix(2))
    }

    /// The same statement would fail again by itself: a defect, or data that no statement of ours
    /// can write.
    package var wouldComeAgain: Bool {
        guard case .rejected = reason else { return false }
        return !isPassing && !isConflict
    }
}
