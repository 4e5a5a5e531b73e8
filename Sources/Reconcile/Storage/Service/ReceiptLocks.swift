internal import SQL

/// Locks on receipts across all processes, so that simultaneous requests for one receipt make one
/// call to Apple. One session holds all locks of a process; they end with it.
package struct ReceiptLocks: Sendable {
    private let pool: PostgresPool

    init(pool: PostgresPool) { self.pool = pool }

    /// Tries to take the lock of `digest`, which this process must not hold yet.
    func tryLock(_ digest: Digest) async throws(DatabaseError) -> Bool {
        try await ask(SQL.tryReceiptLock, digest, "is_taken")
    }

    func unlock(_ digest: Digest) async {
        do throws(DatabaseError) {
            _ = try await ask(SQL.freeReceiptLock, digest, "was_held")
        } catch {
            // The session is lost, and its locks with it.
        }
    }

    package func close() async { await pool.close() }

    private func ask(
        _ statement: Statement, _ digest: Digest, _ column: StaticString
    ) async throws(DatabaseError) -> Bool {
        let key = String(digest.hexadecimal.prefix(16))
        let rows: [Bool]
        do {
            rows = try await pool.withConnection { connection in
                try await connection.query(PostgresStatement(statement), [key]) {
                    row in try row.bool(column)
                }
            }
        } catch {
            throw DatabaseError(error)
        }
        return rows == [true]
    }
}

extension Database {
    package static func receiptLocks(_ conninfo: String) -> ReceiptLocks {
        ReceiptLocks(
            pool: PostgresPool(
                conninfo, session: .own, limit: 1))
    }
}
