internal import SQL

/// The job's own tables and roles.
package struct SchemaStore: Sendable {
    let session: DatabaseSession

    /// Creates and upgrades the job's own tables. Safe to repeat and to run concurrently: each file
    /// is one transaction under a lock.
    /// - Returns: the names of the files applied now.
    /// - Throws: `schemaNewer`; `migrationChanged`; `locked` while a run is in progress, whose
    ///   program may be of another release and does not know the upgraded tables.
    package func migrate() async throws(DatabaseError) -> [String] {
        let states = try await session.transaction { connection in
            try await MigrationState.all(of: SQL.migrations, on: connection)
        }
        let applied = states.filter { $0.state == .applied }.map(\.version)
        let isUpgrade = states.contains { $0.state == .pending }
        // `findLockHolder` reads the table of workers, which migration 1 creates.
        if isUpgrade, applied.contains(1),
            let holder = try await WorkerStore(session: session).lockHolder()
        {
            throw DatabaseError(.locked(by: holder), statement: SQL.findLockHolder.name)
        }
        if isUpgrade { try await PrivilegeStore(session: session).requireWritable() }
        return try await migrate(SQL.migrations)
    }

    /// Throws unless exactly this program's migrations are applied.
    package func check() async throws(DatabaseError) {
        let states = try await session.transaction { connection in
            try await MigrationState.all(of: SQL.migrations, on: connection)
        }
        try states.check()
        guard states.allSatisfy({ $0.state == .applied }) else {
            throw DatabaseError(.notMigrated, statement: SQL.compareMigrations.name)
        }
    }

    /// The SQL of `applyRoles`, for an operator to run.
    package static var roles: String { SQL.roles.text }

    /// Creates role `reconcile_job` and grants its privileges in one transaction. Safe to repeat,
    /// before or after the tables and views exist.
    /// - Throws: `accessDenied` when the connected role may not create roles or grant.
    package func applyRoles() async throws(DatabaseError) {
        try await PrivilegeStore(session: session).requireWritable()
        try await session.transaction { connection in
            try await connection.execute(PostgresStatement(SQL.lockMigrations))
            try await connection.executeScript(PostgresStatement(SQL.roles))
        }
    }

    func migrate(_ migrations: [Migration]) async throws(DatabaseError) -> [String] {
        var applied: [String] = []
        for migration in migrations {
            let (states, isApplied) = try await session.transaction { connection in
                try await Self.apply(migration, of: migrations, on: connection)
            }
            try states.check()
            if isApplied { applied.append(migration.statement.name) }
        }
        return applied
    }

    private static func apply(
        _ migration: Migration, of all: [Migration], on connection: PostgresConnection
    ) async throws -> ([MigrationState], isApplied: Bool) {
        try await connection.execute(PostgresStatement(SQL.lockMigrations))
        let states = try await MigrationState.all(of: all, on: connection)
        let isPending = states.contains { $0.version == migration.version && $0.state == .pending }
        guard isPending, states.areWhole else { return (states, false) }
        try await connection.executeScript(PostgresStatement(migration.statement))
        try await connection.execute(
            Migration.table.statement, Migration.table.parameters(of: migration))
        if migration.version == all.last?.version {
            try await connection.executeScript(PostgresStatement(SQL.grantOwnTables))
        }
        return (states, true)
    }
}
