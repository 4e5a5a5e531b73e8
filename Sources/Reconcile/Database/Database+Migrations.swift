internal import SQL

extension Database {
    /// Creates and upgrades the job's own tables; returns the names of the files applied now.
    ///
    /// One transaction a file, under a lock, so it may be run again, and twice at once. A schema
    /// that a newer program made, or a file changed after it was applied, is refused.
    ///
    /// Throws `locked` while a run is on: its program is of another release, and would not know
    /// what it finds in changed tables.
    package func migrate() async throws(DatabaseError) -> [String] {
        let states = try await transaction { connection async throws(PostgresError) in
            try await MigrationState.all(of: SQL.migrations, on: connection)
        }
        let applied = states.filter { $0.state == .applied }.map(\.version)
        let isUpgrade = states.contains { $0.state == .pending }
        // Before it there are no workers, which the statement names.
        if isUpgrade, applied.contains(1), let holder = try await lockHolder() {
            throw DatabaseError(.locked(by: holder), statement: SQL.findLockHolder.name)
        }
        return try await migrate(SQL.migrations)
    }

    /// Throws unless the schema is exactly the one that this program's migrations make.
    package func checkSchema() async throws(DatabaseError) {
        let states = try await transaction { connection async throws(PostgresError) in
            try await MigrationState.all(of: SQL.migrations, on: connection)
        }
        try states.check()
        guard states.allSatisfy({ $0.state == .applied }) else {
            throw DatabaseError(.notMigrated, statement: SQL.compareMigrations.name)
        }
    }

    func migrate(_ migrations: [Migration]) async throws(DatabaseError) -> [String] {
        var applied: [String] = []
        for migration in migrations {
            let (states, isApplied) = try await transaction {
                connection async throws(PostgresError) in
                try await Self.apply(migration, of: migrations, on: connection)
            }
            try states.check()
            if isApplied { applied.append(migration.statement.name) }
        }
        return applied
    }

    private static func apply(
        _ migration: Migration, of all: [Migration], on connection: PostgresConnection
    ) async throws(PostgresError) -> ([MigrationState], isApplied: Bool) {
        try await connection.execute(PostgresStatement(SQL.lockMigrations))
        let states = try await MigrationState.all(of: all, on: connection)
        let isPending = states.contains { $0.version == migration.version && $0.state == .pending }
        guard isPending, states.areWhole else { return (states, false) }
        try await connection.executeScript(PostgresStatement(migration.statement))
        let (name, text) = (migration.statement.name, migration.statement.text)
        try await connection.execute(
            PostgresStatement(SQL.recordMigration),
            [String(migration.version), name, PostgresBytea.text(text)])
        if migration.version == all.last?.version {
            try await connection.executeScript(PostgresStatement(SQL.grantOwnTables))
        }
        return (states, true)
    }

    private func transaction<T: Sendable>(
        _ body: (PostgresConnection) async throws(PostgresError) -> T
    ) async throws(DatabaseError) -> T {
        do throws(PostgresError) {
            return try await pool.transaction(body)
        } catch {
            throw DatabaseError(error, touching: .tables)
        }
    }
}

/// One migration as the program and the database see it.
struct MigrationState: Sendable {
    enum State: String { case pending, applied, changed, newer }

    let version: Int
    let name: String
    let state: State

    /// The program's migrations and the database's, in order.
    static func all(of migrations: [Migration], on connection: PostgresConnection)
        async throws(PostgresError) -> [MigrationState]
    {
        let exists = try await connection.query(PostgresStatement(SQL.findMigrationTable)) {
            row throws(PostgresError) in try row.bool("is_there")
        }
        guard exists == [true] else {
            return migrations.map {
                MigrationState(version: $0.version, name: $0.statement.name, state: .pending)
            }
        }
        return try await connection.query(
            PostgresStatement(SQL.compareMigrations),
            [
                PostgresArray.integers(migrations.map(\.version)),
                PostgresArray.text(migrations.map(\.statement.name)),
                PostgresArray.text(migrations.map { PostgresBytea.text($0.statement.text) }),
            ]
        ) { row throws(PostgresError) in
            MigrationState(
                version: try row.int("version"), name: try row.text("name"),
                state: try row.word("state"))
        }
    }
}

extension [MigrationState] {
    /// Neither ahead of this program nor at odds with it.
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
