/// Why the database ends a run or a command. Every message ends in what the operator can do.
package struct DatabaseError: Error, Equatable {
    /// One case for each thing that an operator does differently; SPEC §7 has an exit status for
    /// each.
    package enum Reason: Equatable, Sendable {
        /// No server, no such database, or the connection broke (69).
        case unreachable(String)
        /// Wrong password, no such role, or a right is missing (77).
        case accessDenied(String)
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
        /// `accept` names a finding that no published run has reported (64).
        case unknownFinding(String)
        /// Another run is under way (75).
        case locked(by: String)
        /// A standby, or a role or database set to read only (69).
        case readOnly
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
        (self.reason, self.statement) = (reason, statement)
    }

    /// The same may succeed on a new connection.
    package var isRetryable: Bool {
        switch reason {
        case .unreachable: true
        case .rejected(let code, _): ["40001", "40P01", "55P03"].contains(code)
        default: false
        }
    }
}

extension DatabaseError: CustomStringConvertible {
    package var description: String {
        switch reason {
        case .unreachable(let why):
            "Cannot reach the database: \(why) (\(statement)). Check --database or DATABASE_URL, "
                + "and that PostgreSQL is running."
        case .accessDenied(let why):
            "The database refuses access: \(why) (\(statement)). Check the role and its password, "
                + "and run sql/roles.sql as the owner of schema reconcile."
        case .writableRole(let sentences):
            sentences.prefix(3).joined(separator: ". ")
                + (sentences.count > 3 ? ", and \(sentences.count - 3) relations more" : "")
                + ": it could change what it is to check. Connect as a member of reconcile_job "
                + "alone (sql/roles.sql), revoke the rights, or add --allow-writable-role."
        case .notMigrated:
            "The job's tables are missing or older than this program (\(statement)). Run "
                + "reconcile-job migrate."
        case .schemaNewer(let migration):
            "The schema has migration \(migration), which this program does not know. Install the "
                + "release that made it, or a later one."
        case .migrationChanged(let migration):
            "Migration \(migration) was applied with another text than this program's. Install "
                + "the release that applied it, or a later one."
        case .sourceData(let problems):
            problems.joined(separator: " ")
                + " Correct the views in schema reconcile, then run again."
        case .notFound(let problems):
            problems.joined(separator: " ") + " Check --user and --receipt."
        case .notReplayable(let why):
            "\(why). Name a published run that was made with --evidence all."
        case .unknownFinding(let id):
            "No published run has reported a finding \(id). Copy finding_id from a report."
        case .locked(let holder):
            "Another run is under way: \(holder). Wait for it to end, or stop it."
        case .readOnly:
            "The database takes no writes (\(statement)). Connect to the primary server, for "
                + "example with target_session_attrs=read-write."
        case .cancelled:
            "\(statement) was cancelled. If nobody stopped the job, raise the role's "
                + "statement_timeout; then run again."
        case .notOpen(let what):
            "\(what), so nothing was written (\(statement)). Another run has taken over; look "
                + "which one, then run again."
        case .rejected(let code, let message):
            "PostgreSQL rejected \(statement) (SQLSTATE \(code ?? "unknown")"
                + (message.map { ": \($0)" } ?? "")
                + "). Look in the server's log; if the server is well, report this as a bug."
        }
    }
}
