extension DatabaseError: CustomStringConvertible {
    package var description: String { DatabaseErrorMessage(error: self).text }

    /// The line of a statement that is retried for up to `limit`.
    func waiting(upTo limit: Duration) -> String {
        let seconds = limit.components.seconds
        let time = seconds < 120 ? "\(seconds) seconds" : "\(seconds / 60) minutes"
        return "Waiting up to \(time). " + DatabaseErrorMessage(error: self).waiting
    }
}

/// All messages about the database: what failed, on what, why, and what to do.
private struct DatabaseErrorMessage {
    let error: DatabaseError

    private var statement: String { error.statement }

    /// What is read, at the beginning of a sentence.
    private var subject: String {
        error.views.isEmpty ? "the job's own tables" : error.views.joined(separator: " or ")
    }

    var text: String {
        if error.isPassing || error.isConflict {
            return waiting + " When the server works again, give the same command again."
        }
        return switch error.reason {
        case .unreachable, .unusableAddress, .noDatabase, .loginRefused, .pooled, .standby,
            .readOnly, .encoding, .foreignServer:
            serverText
        case .accessDenied, .rowsHidden, .writableRole: rightsText
        case .notMigrated, .schemaNewer, .migrationChanged: schemaText
        case .sourceData(let problems):
            problems.prefix(3).joined(separator: " ")
                + (problems.count > 3
                    ? " And \(problems.count - 3) more: reconcile-job doctor names them." : "")
                + " Correct the views in schema reconcile, then run again."
        case .notFound(let problems):
            problems.joined(separator: " ") + " Check --user and --receipt."
        case .notReplayable(let why):
            "\(why). Name a published run that was made with --evidence all."
        case .refused(let why), .unknown(let why): why
        case .viewsLocked: waiting + " Then give the same command again."
        case .locked(let holder):
            "Another run is in progress: \(holder). Wait for it to end, or stop it."
        case .cancelled:
            "\(statement) was cancelled. If the job was not stopped, raise the role's "
                + "statement_timeout, then run again."
        case .notOpen(let what):
            "\(what), so nothing was written (\(statement)). Another run has taken over: find it "
                + "with reconcile-job runs, then run again."
        case .rejected(let code, let message):
            "PostgreSQL rejected \(statement) (\(Self.cause(code, message))). Check the server's "
                + "log. If the server works, report this as a bug."
        }
    }

    /// Without what to do once the wait is over.
    var waiting: String {
        switch error.reason {
        case .rejected("55P03", let message):
            "Another session holds a lock on a table that is needed to read or write \(subject) "
                + "(\(statement), \(Self.cause("55P03", message))). If it should not, find it in "
                + "pg_locks and end it."
        case .rejected(let code, let message):
            "PostgreSQL failed at \(statement) (\(Self.cause(code, message))). Check the server's "
                + "log."
        case .cancelled:
            "\(statement) was cancelled. Raise the role's statement_timeout if it is too short."
        case .viewsLocked(let why):
            "\(why) (\(statement)). If that takes too long, end that session with "
                + "pg_terminate_backend."
        case .foreignServer: foreignText
        default: text
        }
    }

    private static func cause(_ code: String?, _ message: String?) -> String {
        "SQLSTATE \(code ?? "unknown")" + (message.map { ": \($0)" } ?? "")
    }
}

// MARK: By topic

extension DatabaseErrorMessage {
    private var serverText: String {
        switch error.reason {
        case .unreachable(let why):
            "Cannot reach the database: \(why) (\(statement)). Check --database or DATABASE_URL, "
                + "and that PostgreSQL is running"
                + (why.contains("no answer within") ? ", and that no pooler's pool is full." : ".")
        case .unusableAddress(let why):
            "The connection string cannot be used: \(why). Correct --database, DATABASE_URL or the "
                + "PG* variables: in a URI, write % as %25, / as %2F and @ as %40 within a part; a "
                + "password belongs in ~/.pgpass."
        case .noDatabase(let why):
            "Cannot use the database: \(why) (\(statement)). Check --database or DATABASE_URL."
        case .loginRefused(let why):
            "The database refuses access: \(why). Check the role, and its password in ~/.pgpass or "
                + "in the file that PGPASSFILE names."
        case .pooled(let mode):
            "A pooler such as PgBouncer in \(mode) mode is between the job and PostgreSQL; "
                + "nothing was changed. The job's locks, leases and settings belong to a session. "
                + "Connect to PostgreSQL itself, or to a pool with pool_mode = session."
        case .standby:
            "The database takes no writes, since it is a standby (\(statement)). Connect to the "
                + "primary server, for example with target_session_attrs=read-write."
        case .readOnly:
            "The session is read only, by a setting of the role, the database or the server "
                + "(\(statement)). Have its owner set default_transaction_read_only = off."
        case .encoding(let why):
            "The database's encoding does not fit: \(why) (\(statement)). Correct the stored text, "
                + "or move to a database created with createdb --encoding=UTF8."
        default: foreignText
        }
    }

    private var foreignText: String {
        guard case .foreignServer(let why, let code, let isPassing) = error.reason else {
            return ""
        }
        let view = error.views.isEmpty ? "A view" : error.views.joined(separator: " or ")
        let names = error.servers.joined(separator: " or ")
        let server = names.isEmpty ? "its foreign server" : "foreign server \(names)"
        let remedy =
            isPassing
            ? "Check that the server runs and takes connections, and the options of `create server`"
                + " and `create user mapping`."
            : "Correct the foreign tables of the view, or the privileges of the role in `create"
                + " user mapping` on the server."
        return "\(view) cannot be read from \(server): \(why) (\(statement), SQLSTATE \(code)). "
            + remedy
    }

    private var rightsText: String {
        switch error.reason {
        case .accessDenied(let why):
            "The database refuses access: \(why) (\(statement)). Check the role, and run "
                + "reconcile-job migrate --roles apply as the owner of schema reconcile."
        case .rowsHidden(let why):
            "A row-level security policy would hide rows from the job: \(why) (\(statement)). "
                + "Grant BYPASSRLS to the role that reads the table (the view's owner; "
                + "with security_invoker the job's own role), or make its owner the view's owner "
                + "as well."
        case .writableRole(let sentences):
            sentences.prefix(3).joined(separator: ". ")
                + (sentences.count > 3 ? ", and \(sentences.count - 3) more relations" : "")
                + ": it could change the data that it checks. Connect as a member of reconcile_job "
                + "alone (reconcile-job migrate --roles apply creates it), revoke the privileges, "
                + "or add --allow-writable-role."
        default: ""
        }
    }

    private var schemaText: String {
        switch error.reason {
        case .schemaNewer(let migration):
            "The schema has migration \(migration), which this program does not know. Install the "
                + "release that made it, or a later one."
        case .migrationChanged(let migration):
            "Migration \(migration) was applied with a different text than this program's. Install "
                + "the release that applied it, or a later one."
        default:
            "The job's tables are missing or older than this program (\(statement)). Run "
                + "reconcile-job migrate."
        }
    }
}
