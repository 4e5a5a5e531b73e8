internal import SQL

/// A lock for each receipt that Apple is being asked about, over all processes: simultaneous
/// requests for one receipt make one call. All of a process are held by one session, and go with
/// it.
package struct ReceiptLocks: Sendable {
    private let pool: PostgresPool

    init(pool: PostgresPool) { self.pool = pool }

    /// Whether the lock of `digest` is this process's now. It must not have it yet.
    package func tryLock(_ digest: Digest) async throws(DatabaseError) -> Bool {
        try await ask(SQL.tryReceiptLock, digest, "is_taken")
    }

    /// A session that was lost has given it back by itself.
    package func unlock(_ digest: Digest) async {
        do throws(DatabaseError) {
            _ = try await ask(SQL.freeReceiptLock, digest, "was_held")
        } catch {
            // The session is lost, and the lock with it.
        }
    }

    package func close() async { await pool.close() }

    private func ask(
        _ statement: Statement, _ digest: Digest, _ column: StaticString
    ) async throws(DatabaseError) -> Bool {
        let key = String(digest.hexadecimal.prefix(16))
        let rows: [Bool]
        do throws(PostgresError) {
            rows = try await pool.withConnection { connection async throws(PostgresError) in
                try await connection.query(PostgresStatement(statement), [key]) {
                    row throws(PostgresError) in try row.bool(column)
                }
            }
        } catch {
            throw DatabaseError(error, touching: .tables)
        }
        return rows == [true]
    }
}

extension Database {
    /// The receipts' locks, on a session of its own.
    package static func receiptLocks(_ conninfo: String) -> ReceiptLocks {
        ReceiptLocks(
            pool: PostgresPool(
                conninfo, session: PostgresStatement(SQL.prepareSession), limit: 1))
    }
}
