internal import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a `Failure` with the side it comes from, its SQLSTATE, and the reason it becomes;
/// or the text of a data error with what is kept of it.
@Suite("Database errors")
struct DatabaseErrorTests {
    /// An error of PostgreSQL with the message "m", in the statement `s`.
    struct Failure: CustomTestStringConvertible, Sendable {
        let side: DatabaseError.Side
        let sqlState: String?
        let reason: DatabaseError.Reason

        init(_ side: DatabaseError.Side, _ sqlState: String?, _ reason: DatabaseError.Reason) {
            self.side = side
            self.sqlState = sqlState
            self.reason = reason
        }

        var testDescription: String { "\(side), SQLSTATE \(sqlState ?? "none")" }

        var error: PostgresError {
            var error = PostgresError(
                sqlState: sqlState, message: "m", statement: "s",
                isConnectionLost: side == .connection)
            error.isForeign = side == .foreignServer
            error.sql =
                switch side {
                case .connection: nil
                case .tables: "select 1 from reconcile.run"
                case .views, .foreignServer: "select 1 from reconcile.stored_receipts"
                }
            return error
        }

        static func unreadable(_ sqlState: String, hint: String = "") -> DatabaseError.Reason {
            .sourceData([
                "reconcile.stored_receipts could not be read (s, SQLSTATE \(sqlState): m).\(hint)"
            ])
        }

        static func rejected(_ sqlState: String) -> DatabaseError.Reason {
            .rejected(sqlState: sqlState, message: "m")
        }

        static func passing(_ sqlState: String) -> DatabaseError.Reason {
            .foreignServer("m", sqlState: sqlState, isPassing: true)
        }

        static func lasting(_ sqlState: String) -> DatabaseError.Reason {
            .foreignServer("m", sqlState: sqlState, isPassing: false)
        }

        static let hint =
            " A stored value holds a character that cannot be returned as text:"
            + " correct the value, or let the view return null for it."
    }

    @Test(
        "What a SQLSTATE means depends on the side that it comes from",
        arguments: [
            // No session of the job.
            Failure(.connection, nil, .unreachable("m")),
            Failure(.connection, "08006", .unreachable("m")),
            Failure(.connection, "53300", .unreachable("m")),
            Failure(.connection, "57P01", .unreachable("m")),
            Failure(.connection, "57P03", .unreachable("m")),
            Failure(.connection, "3D000", .noDatabase("m")),
            Failure(.connection, "28P01", .loginRefused("m")),
            Failure(.connection, "42501", .accessDenied("m")),
            // The job's own tables.
            Failure(.tables, "42501", .accessDenied("m")),
            Failure(.tables, "42P01", .notMigrated),
            Failure(.tables, "25006", .readOnly),
            Failure(.tables, "57014", .cancelled),
            Failure(.tables, "22P05", .encoding("m")),
            Failure(.tables, "22012", Failure.rejected("22012")),
            Failure(.tables, "55P03", Failure.rejected("55P03")),
            Failure(.tables, "57P01", Failure.rejected("57P01")),
            // The team's views.
            Failure(.views, "42501", .accessDenied("m")),
            Failure(.views, "42P01", Failure.unreadable("42P01")),
            Failure(.views, "57014", .cancelled),
            Failure(.views, "21000", Failure.unreadable("21000")),
            Failure(.views, "22012", Failure.unreadable("22012")),
            Failure(.views, "P0001", Failure.unreadable("P0001")),
            Failure(.views, "22P05", Failure.unreadable("22P05", hint: Failure.hint)),
            Failure(.views, "22021", Failure.unreadable("22021", hint: Failure.hint)),
            Failure(.views, "08006", Failure.passing("08006")),
            Failure(.views, "40001", Failure.rejected("40001")),
            Failure(.views, "53100", Failure.rejected("53100")),
            Failure(.views, "55P03", Failure.rejected("55P03")),
            // A server below a view.
            Failure(.foreignServer, "08001", Failure.passing("08001")),
            Failure(.foreignServer, "08006", Failure.passing("08006")),
            Failure(.foreignServer, "57P01", Failure.passing("57P01")),
            Failure(.foreignServer, "53300", Failure.passing("53300")),
            Failure(.foreignServer, "55P03", Failure.passing("55P03")),
            Failure(.foreignServer, "57014", Failure.passing("57014")),
            Failure(.foreignServer, "40001", Failure.passing("40001")),
            Failure(.foreignServer, "HV00N", Failure.passing("HV00N")),
            Failure(.foreignServer, "HV00L", Failure.lasting("HV00L")),
            Failure(.foreignServer, "42501", Failure.lasting("42501")),
            Failure(.foreignServer, "42P01", Failure.lasting("42P01")),
            Failure(.foreignServer, "2F003", Failure.lasting("2F003")),
            Failure(.foreignServer, "22P02", Failure.unreadable("22P02")),
        ])
    func reasons(failure: Failure) {
        #expect(DatabaseError(failure.error).reason == failure.reason)
    }

    @Test("A read-only session of a standby is distinguished from one that was set so")
    func standby() {
        var error = Failure(.tables, "25006", .standby).error
        error.isStandby = true
        #expect(DatabaseError(error).reason == .standby)
    }

    @Test("An error of a foreign server names the view, the server and what to check")
    func foreignServer() {
        var error = DatabaseError(Failure(.foreignServer, "08001", .cancelled).error)
        error.servers = ["shop"]
        let what =
            "reconcile.stored_receipts cannot be read from foreign server shop: m (s, SQLSTATE "
            + "08001). Check that the server runs and takes connections, and the options of "
            + "`create server` and `create user mapping`."
        #expect(error.waiting(upTo: .seconds(600)) == "Waiting up to 10 minutes. " + what)
        let end = " When the server works again, give the same command again."
        #expect(error.description == what + end)
    }

    @Test("A lock that lasts names what it keeps from being read or written")
    func lock() {
        let views = DatabaseError(Failure(.views, "55P03", .cancelled).error)
        #expect(views.description.contains("to read or write reconcile.stored_receipts (s,"))
        let tables = DatabaseError(Failure(.tables, "55P03", .cancelled).error)
        #expect(tables.description.contains("to read or write the job's own tables (s,"))
    }

    /// The others are among an operator's mistakes in JobTests.
    @Test("Every message ends with what the operator can do, and names at most three problems")
    func advice() {
        let advice: [(DatabaseError.Reason, String)] = [
            (.unusableAddress("no"), "a password belongs in ~/.pgpass."),
            (.standby, "for example with target_session_attrs=read-write."),
            (.schemaNewer(migration: "9"), "Install the release that made it, or a later one."),
            (.migrationChanged(migration: "1"), "that applied it, or a later one."),
            (.sourceData(["Bad."]), "Correct the views in schema reconcile, then run again."),
            (.notFound(["No.", "None."]), "No. None. Check --user and --receipt."),
            (.locked(by: "x"), "Wait for it to end, or stop it."),
            (.cancelled, "then run again."), (.notOpen("It"), "then run again."),
            (.rejected(sqlState: "23505", message: nil), "report this as a bug."),
            (.rejected(sqlState: "58030", message: nil), "give the same command again."),
            (.rowsHidden("no"), "or make its owner the view's owner as well."),
            (.noDatabase("no"), "Check --database or DATABASE_URL."),
            (.pooled("transaction"), "or to a pool with pool_mode = session."),
            (
                .foreignServer("no", sqlState: "42501", isPassing: false),
                "in `create user mapping` on the server."
            ),
        ]
        for (reason, end) in advice {
            let error = DatabaseError(reason, statement: "open_run")
            #expect(error.description.hasSuffix(end), "\(error)")
            // An error that no statement caused leaves the run open.
            #expect((error.wouldRecur || error.isPassing) == (error.name == "rejected"))
        }
        let many = DatabaseError(.sourceData((1...16).map { "Problem \($0)." }), statement: "s")
        let three = "Problem 1. Problem 2. Problem 3. And 13 more: reconcile-job doctor"
        #expect(many.description.hasPrefix(three))
        #expect(!many.description.contains("Problem 4."))
    }

    @Test(
        "The message of a data error does not repeat the values that it quotes",
        arguments: [
            ("22012", "division by zero", "division by zero"),
            ("21000", "more than one row returned", "more than one row returned"),
            ("22P02", #"invalid input syntax: "a"b""#, "invalid input syntax: ‹…›"),
            ("22P02", "syntaxe invalide : « a\nb » ici", "syntaxe invalide : ‹…› ici"),
            ("22030", "duplicate JSON object key value: a", nil), ("P0001", "a", nil),
        ] as [(code: String, text: String, kept: String?)])
    func values(code: String, text: String, kept: String?) {
        #expect(PostgresError.withoutValues(text, code) == kept)
    }
}
