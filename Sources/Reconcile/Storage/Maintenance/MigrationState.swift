internal import SQL

struct MigrationState: Sendable {
    enum State: String { case pending, applied, changed, newer }

    let version: Int
    let name: String
    let state: State

    static func all(of migrations: [Migration], on connection: PostgresConnection)
        async throws -> [MigrationState]
    {
        let exists = try await connection.query(PostgresStatement(SQL.findMigrationTable)) {
            row in try row.bool("is_there")
        }
        guard exists == [true] else {
            return migrations.map {
                MigrationState(version: $0.version, name: $0.statement.name, state: .pending)
            }
        }
        return try await connection.query(
            Migration.given.statement, Migration.given.arrays(of: migrations)
        ) { row in
            MigrationState(
                version: try row.int("version"), name: try row.text("name"),
                state: try row.word("state"))
        }
    }
}

extension Migration {
    fileprivate static let given = GivenRows<Migration>(
        SQL.compareMigrations,
        [
            .int("version") { $0.version },
            .text("name") { $0.statement.name },
            // In UTF-8, whatever the database's encoding.
            .bytea("body") { Array($0.statement.text.utf8) },
        ])

    /// Its row in `reconcile.migration`, which has the digest of the body.
    static let table = InsertTable<Migration>(
        SQL.recordMigration,
        [
            TextColumn("version") { String($0.version) },
            TextColumn("name") { $0.statement.name },
        ], others: [TextColumn("body") { PostgresBytea.text($0.statement.text) }])
}

extension [MigrationState] {
    /// Whether no migration is newer than the program or changed.
    var areWhole: Bool { allSatisfy { $0.state == .pending || $0.state == .applied } }

    func check() throws(DatabaseError) {
        for migration in self {
            switch migration.state {
            case .pending, .applied: continue
            case .newer:
                throw DatabaseError(
                    .schemaNewer(migration: migration.name), statement: SQL.compareMigrations.name)
            case .changed:
                throw DatabaseError(
                    .migrationChanged(migration: migration.name),
                    statement: SQL.compareMigrations.name)
            }
        }
    }
}
