internal import Testing

@testable import Reconcile
@testable import SQL
@testable import TestSupport

@Suite("Database errors")
struct DatabaseErrorTests: DatabaseSuite {
    private static let views = DatabaseError.Side.views(
        readBy: [
            Statement("s", Array("select 1 from reconcile.stored_receipts".utf8)),
            Statement("t", Array("select 1 from reconcile.stored_entitlements".utf8)),
        ])

    private static func unreadable(_ sqlState: String) -> DatabaseError.Reason {
        .sourceData(["reconcile.stored_receipts could not be read (s, SQLSTATE \(sqlState): m)."])
    }

    @Test(
        "Each SQLSTATE has the reason that tells the operator what to do",
        arguments: [
            ("28P01", .tables, .loginRefused("m")), ("42501", Self.views, .accessDenied("m")),
            ("3D000", .tables, .unreachable("m")), ("53300", .tables, .unreachable("m")),
            ("57P03", .tables, .unreachable("m")), ("08006", .tables, .unreachable("m")),
            ("42P01", .tables, .notMigrated), ("25006", .tables, .readOnly),
            ("57014", Self.views, .cancelled), ("22P05", .tables, .encoding("m")),
            ("22012", .tables, .rejected(sqlState: "22012", message: "m")),
            ("22012", Self.views, Self.unreadable("22012")),
            ("21000", Self.views, Self.unreadable("21000")),
            ("P0001", Self.views, Self.unreadable("P0001")),
            ("53100", Self.views, .rejected(sqlState: "53100", message: "m")),
        ] as [(String, DatabaseError.Side, DatabaseError.Reason)])
    func reasons(sqlState: String, side: DatabaseError.Side, reason: DatabaseError.Reason) {
        var error = PostgresError(sqlState: sqlState, message: "m", statement: "s")
        #expect(DatabaseError(error, touching: side).reason == reason)
        error.isStandby = true
        #expect((DatabaseError(error, touching: side).reason == .standby) == (reason == .readOnly))
    }

    @Test("Every message ends with what the operator can do")
    func advice() {
        let advice: [(DatabaseError.Reason, String)] = [
            (.unreachable("refused"), "and that PostgreSQL is running."),
            (.unusableAddress("no"), "a password belongs in ~/.pgpass."),
            (.loginRefused("no"), "or in the file that PGPASSFILE names."),
            (.standby, "for example with target_session_attrs=read-write."),
            (.encoding("no"), "createdb --encoding=UTF8."),
            (
                .accessDenied("no"),
                "run reconcile-job migrate --roles apply as the owner of schema reconcile."
            ),
            (.notMigrated, "Run reconcile-job migrate."),
            (.schemaNewer(migration: "9"), "Install the release that made it, or a later one."),
            (.migrationChanged(migration: "1"), "that applied it, or a later one."),
            (.sourceData(["Bad."]), "Correct the views in schema reconcile, then run again."),
            (.notFound(["None."]), "Check --user and --receipt."),
            (.locked(by: "x"), "Wait for it to end, or stop it."),
            (.readOnly, "set default_transaction_read_only = off."),
            (.cancelled, "then run again."), (.notOpen("It"), "then run again."),
            (.rejected(sqlState: "23505", message: nil), "report this as a bug."),
            (.rejected(sqlState: "58030", message: nil), "run again: recorded results are kept."),
            (.rowsHidden("no"), "or make its owner the view's owner as well."),
        ]
        for (reason, end) in advice {
            let error = DatabaseError(reason, statement: "open_run")
            #expect(error.description.hasSuffix(end), "\(error)")
            // An error that no statement caused leaves the run open.
            #expect((error.wouldRecur || error.isPassing) == (error.name == "rejected"))
        }
    }

    @Test(
        "The message of a data error does not repeat the values that it quotes",
        arguments: [
            ("22012", "division by zero", "division by zero"),
            ("22P02", #"invalid input syntax: "a"b""#, "invalid input syntax: ‹…›"),
            ("22P02", "syntaxe invalide : « a\nb » ici", "syntaxe invalide : ‹…› ici"),
            ("22030", "duplicate JSON object key value: a", nil), ("P0001", "a", nil),
        ] as [(String, String, String?)])
    func values(code: String, text: String, kept: String?) {
        #expect(PostgresError.withoutValues(text, code) == kept)
    }

    @Test("A server where nobody listens is unreachable, and the message has no password")
    func nobody() async throws {
        let error = try await databaseError {
            try await Database.connect("postgresql://u:hunter2@127.0.0.1:1/x", connections: 1)
        }
        #expect(error.description.contains("Connection refused"))
        #expect(!error.description.contains("hunter2"))
    }

    @Test("A database that takes no writes is reported as read only", .database(.ownTables))
    func readOnly() async throws {
        try await execute("alter database \(test.name) set default_transaction_read_only = on")
        let other = try await connect()
        let error = try await databaseError {
            try await other.runs.open(.test(), codeVersion: "1", settings: "{}")
        }
        #expect(error.reason == .readOnly)
    }

    @Test("A message names three problems of the views, and how to list the others")
    func manyProblems() {
        let problems = (1...16).map { "Problem \($0)." }
        let text = DatabaseError(.sourceData(problems), statement: "s").description
        #expect(
            text.hasPrefix("Problem 1. Problem 2. Problem 3. And 13 more: reconcile-job doctor"))
        #expect(!text.contains("Problem 4."))
    }
}
