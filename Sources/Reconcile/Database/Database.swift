internal import SQL

/// The team's five views, which the job reads, and the job's own tables, in schema `reconcile`.
///
/// Every method throws `DatabaseError`. Reads of the views are given up when the task is
/// cancelled; writes are finished, so that what a run knows is not lost.
package struct Database: Sendable {
    let pool: PostgresPool
    let runLock: RunLock
    var endurance: Endurance?

    /// Connects, and holds up to `connections` connections (and one more for the run lock).
    ///
    /// `conninfo` is what libpq takes: a URI, `key=value` pairs, or empty for the `PG…` variables.
    package static func connect(_ conninfo: String, connections: Int)
        async throws(DatabaseError) -> Database
    {
        let session = PostgresStatement(SQL.prepareSession)
        let pool = PostgresPool(conninfo, session: session, limit: connections)
        do throws(PostgresError) {
            try await pool.withConnection { _ in }
        } catch {
            throw DatabaseError(error, touching: .tables)
        }
        return Database(pool: pool, runLock: RunLock(conninfo, session: session))
    }

    /// Connects, lends the database to `body`, and closes it whatever comes of that.
    package static func lend<T: Sendable>(
        _ conninfo: String, connections: Int, to body: (Database) async throws -> T
    ) async throws -> T {
        let database = try await connect(conninfo, connections: connections)
        do {
            let result = try await body(database)
            await database.close()
            return result
        } catch {
            await database.close()
            throw error
        }
    }

    /// Closes every connection; the run lock goes with its own.
    package func close() async {
        await runLock.release()
        await pool.close()
    }
}

extension PostgresStatement {
    init(_ statement: Statement) { self.init(name: statement.name, text: statement.text) }
}

extension Database {
    /// Decodes one row: columns by the names that the statement gives them.
    typealias Decode<T> = @Sendable (borrowing PostgresRow) throws(PostgresError) -> T

    /// Rows of the team's views.
    func read<T: Sendable>(
        _ statement: Statement, _ parameters: [String?] = [], decode: Decode<T>
    ) async throws(DatabaseError) -> [T] {
        try await endure(touching: .views(readBy: [statement])) {
            () async throws(PostgresError) in
            try await pool.withCancellableConnection {
                connection async throws(PostgresError) in
                try await connection.query(
                    PostgresStatement(statement), parameters, decode: decode)
            }
        }
    }

    /// Rows of the job's own tables, read or written by one statement.
    func query<T: Sendable>(
        _ statement: Statement, _ parameters: [String?] = [], decode: Decode<T>
    ) async throws(DatabaseError) -> [T] {
        try await endure(touching: .tables) { () async throws(PostgresError) in
            try await pool.withConnection { connection async throws(PostgresError) in
                try await connection.query(
                    PostgresStatement(statement), parameters, decode: decode)
            }
        }
    }
}
