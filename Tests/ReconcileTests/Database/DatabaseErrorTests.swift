internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A database error")
struct DatabaseErrorTests {
    @Test(
        "tells the operator whose turn it is",
        arguments: [
            ("28P01", .tables, .accessDenied("m")), ("42501", .views, .accessDenied("m")),
            ("3D000", .tables, .unreachable("m")), ("53300", .tables, .unreachable("m")),
            ("57P03", .tables, .unreachable("m")), ("08006", .tables, .unreachable("m")),
            ("42P01", .tables, .notMigrated), ("25006", .tables, .readOnly),
            ("57014", .views, .cancelled),
            ("22012", .tables, .rejected(sqlState: "22012", message: "m")),
            ("22012", .views, .sourceData(["A view could not be read (s, SQLSTATE 22012: m)."])),
            ("P0001", .views, .sourceData(["A view could not be read (s, SQLSTATE P0001: m)."])),
            ("53100", .views, .rejected(sqlState: "53100", message: "m")),
        ] as [(String, DatabaseError.Side, DatabaseError.Reason)])
    func reasons(sqlState: String, side: DatabaseError.Side, reason: DatabaseError.Reason) {
        let error = PostgresError(sqlState: sqlState, message: "m", statement: "s")
        #expect(DatabaseError(error, touching: side).reason == reason)
    }

    @Test("ends in what the operator can do")
    func advice() {
        let advice: [(DatabaseError.Reason, String)] = [
            (.unreachable("refused"), "and that PostgreSQL is running."),
            (.accessDenied("no"), "run sql/roles.sql as the owner of schema reconcile."),
            (.notMigrated, "Run reconcile-job migrate."),
            (.schemaNewer(migration: "9"), "Install the release that made it, or a later one."),
            (.migrationChanged(migration: "1"), "that applied it, or a later one."),
            (.sourceData(["Bad."]), "Correct the views in schema reconcile, then run again."),
            (.notFound(["None."]), "Check --user and --receipt."),
            (.locked(by: "x"), "Wait for it to end, or stop it."),
            (.readOnly, "for example with target_session_attrs=read-write."),
            (.cancelled, "then run again."), (.notOpen("It"), "then run again."),
            (.rejected(sqlState: "23505", message: nil), "report this as a bug."),
        ]
        for (reason, end) in advice {
            let text = DatabaseError(reason, statement: "open_run").description
            #expect(text.hasSuffix(end), "\(text)")
        }
    }

    @Test("is unreachable where nobody listens, without the password")
    func nobody() async throws {
        let error = try await databaseError {
            try await Database.connect("postgresql://u:hunter2@127.0.0.1:1/x", connections: 1)
        }
        #expect(error.description.contains("Connection refused"))
        #expect(!error.description.contains("hunter2"))
    }

    @Test("says read only where the database takes no writes")
    func readOnly() async throws {
        try await TestDatabase.with(.ownTables) { test in
            try await test.execute(
                "alter database \(test.name) set default_transaction_read_only = on")
            let database = try await Database.connect(test.url, connections: 1)
            let error = try await databaseError {
                try await database.open(.test(), codeVersion: "1", settings: "{}")
            }
            #expect(error.reason == .readOnly)
            await database.close()
        }
    }
}
