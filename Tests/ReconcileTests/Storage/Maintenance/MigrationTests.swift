internal import SQL
internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Migrations")
struct MigrationTests: DatabaseSuite {
    @Test(
        "Each migration is applied once, also to a schema that another role has created",
        .database(.nothing), arguments: ["select 1", "create schema reconcile"])
    func once(sql: String) async throws {
        try await execute(sql)
        let before = try await databaseError { try await database.schema.check() }
        #expect(before.reason == .notMigrated)
        #expect(before.description.hasSuffix("Run reconcile-job migrate."))
        #expect(
            try await database.schema.migrate() == [
                "0001_create_runs", "0002_create_ledger", "0003_create_sightings",
            ])
        #expect(try await database.schema.migrate() == [])
        try await database.schema.check()
    }

    @Test(
        "Several processes may migrate a new database at the same time", .database(.nothing),
        arguments: 1...12)
    func atOnce(round: Int) async throws {
        let applied = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<3 {
                group.addTask { try await connect().schema.migrate() }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(applied.sorted() == SQL.migrations.map(\.statement.name))
    }

    @Test(
        "Migrations are refused during a run, whose program uses the old tables",
        .database(.ownTables))
    func running() async throws {
        try await execute("delete from reconcile.migration where version >= 3")
        try await connect().workers.lock()
        let error = try await databaseError { try await database.schema.migrate() }
        #expect(error.name == "locked")
        #expect(error.description.contains("Wait for it to end, or stop it"))
    }

    @Test(
        "A schema that another release has changed or made is refused", .database(.ownTables),
        arguments: [
            (
                "update reconcile.migration set sha256 = sha256('other')",
                DatabaseError.Reason.migrationChanged(migration: "0001_create_runs"),
                "Install the release that applied it"
            ),
            (
                """
                insert into reconcile.migration (version, name, sha256)
                values (9999, '9999_later', sha256('later'))
                """, .schemaNewer(migration: "9999_later"), "Install the release that made it"
            ),
        ])
    func otherRelease(
        change: String, reason: DatabaseError.Reason, advice: String
    ) async throws {
        try await execute(change)
        for operation in [{ _ = try await database.schema.migrate() }, database.schema.check] {
            let error = try await databaseError { try await operation() }
            #expect(error.reason == reason)
            #expect(error.description.contains(advice))
        }
    }

    @Test("A migration that fails leaves nothing behind", .database(.nothing))
    func fails() async throws {
        try await execute("create schema reconcile; create view reconcile.run as select 1")
        let error = try await databaseError { try await database.schema.migrate() }
        #expect(error.reason == .rejected(sqlState: "42P07", message: nil))
        #expect(try await texts("select to_regclass('reconcile.migration')::text") == [nil])
    }
}
