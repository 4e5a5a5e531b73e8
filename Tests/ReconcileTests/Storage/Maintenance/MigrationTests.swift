internal import SQL
internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Migrations")
struct MigrationTests {
    @Test("Each migration is applied once, and its name is returned")
    func once() async throws {
        try await TestDatabase.connected(.nothing) { test, database in
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
    }

    @Test("Several processes may migrate a new database at the same time", arguments: 1...12)
    func twice(round: Int) async throws {
        try await TestDatabase.with(.nothing) { test in
            let applied = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        let database = try await Database.connect(test.url, connections: 1)
                        let applied = try await database.schema.migrate()
                        await database.close()
                        return applied
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(applied.sorted() == SQL.migrations.map(\.statement.name))
        }
    }

    @Test("Migrations use a schema that another role has created")
    func schemaExists() async throws {
        try await TestDatabase.connected(.nothing) { test, database in
            try await test.execute("create schema reconcile")
            #expect(try await database.schema.migrate().count == SQL.migrations.count)
        }
    }

    @Test("Migrations are refused during a run, whose program uses the old tables")
    func running() async throws {
        try await TestDatabase.connected(.ownTables) { test, database in
            try await test.execute("delete from reconcile.migration where version >= 3")
            let night = try await Database.connect(test.url, connections: 1)
            try await night.workers.lock()
            let error = try await databaseError { _ = try await database.schema.migrate() }
            await night.close()
            guard case .locked = error.reason else {
                Issue.record("unexpected \(error)")
                return
            }
            #expect(error.description.contains("Wait for it to end, or stop it"))
        }
    }

    @Test("A migration file that was changed after it was applied is refused")
    func changed() async throws {
        try await TestDatabase.connected(.ownTables) { test, database in
            try await test.execute("update reconcile.migration set sha256 = sha256('other')")
            for operation in [{ _ = try await database.schema.migrate() }, database.schema.check] {
                let error = try await databaseError { try await operation() }
                #expect(error.reason == .migrationChanged(migration: "0001_create_runs"))
                #expect(error.description.contains("Install the release that applied it"))
            }
        }
    }

    @Test("A schema that is newer than the program is refused")
    func newer() async throws {
        try await TestDatabase.connected(.ownTables) { test, database in
            try await test.execute(
                """
                insert into reconcile.migration (version, name, sha256)
                values (9999, '9999_later', sha256('later'))
                """)
            for operation in [{ _ = try await database.schema.migrate() }, database.schema.check] {
                let error = try await databaseError { try await operation() }
                #expect(error.reason == .schemaNewer(migration: "9999_later"))
            }
        }
    }

    @Test("A migration that fails leaves nothing behind")
    func fails() async throws {
        try await TestDatabase.connected(.nothing) { test, database in
            try await test.execute("create schema reconcile; create view reconcile.run as select 1")
            let error = try await databaseError { try await database.schema.migrate() }
            #expect(error.reason == .rejected(sqlState: "42P07", message: nil))
            #expect(
                try await test.texts("select to_regclass('reconcile.migration')::text") == [nil])
        }
    }
}
