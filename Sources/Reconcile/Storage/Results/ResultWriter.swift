internal import SQL

struct ResultWriter: Sendable {
    let session: DatabaseSession

    /// Renews the leases and records the users in one transaction. Leaves out batches that another
    /// worker has leased, or whose run has ended.
    ///
    /// A receipt that moved to another user during the run may already be recorded. It counts once,
    /// for its first user: here it is removed from the outcomes and the tally.
    func record(_ flush: [BatchFlush], of run: Run) async throws(DatabaseError)
        -> FlushResult
    {
        guard !flush.isEmpty else { return FlushResult(held: []) }
        var flush = flush
        var leftOut = flush.leaveOutRepeated()
        // Each round removes receipts that other workers have recorded in the meantime.
        while true {
            do throws(DatabaseError) {
                return FlushResult(held: try await write(flush, of: run), leftOut: leftOut)
            } catch {
                guard case .rejected("23505", _) = error.reason else { throw error }
                let known = try await recorded(flush.receipts, of: run.id)
                guard !known.isEmpty else { throw error }
                leftOut += flush.leaveOut { known.contains($0) }
            }
        }
    }

    private func write(_ flush: [BatchFlush], of run: Run) async throws(DatabaseError)
        -> Set<Int>
    {
        let number = Int64.random(in: 0 ... .max)
        var attempts = 0
        return try await session.retrying {
            attempts += 1
            let isRepeated = attempts > 1
            let transaction = FlushTransaction(run: run, number: number)
            return try await session.pool.transactionAtOnce { connection in
                // The earlier attempt took effect if the connection was lost after COMMIT.
                let done = isRepeated ? try transaction.recorded(flush, on: connection) : []
                let left = flush.filter { !done.contains($0.batch.number) }
                let held = try transaction.hold(left, on: connection)
                let ours = left.filter { held.contains($0.batch.number) }
                try transaction.copy(ours, on: connection)
                return held.union(done)
            }
        }
    }

    private func recorded(_ receipts: [ReceiptID], of run: RunID)
        async throws(DatabaseError) -> Set<ReceiptID>
    {
        let ids = PostgresArray.text(receipts.map(\.text))
        let known = try await session.query(SQL.recordedReceipts, [run.text, ids]) {
            row in ReceiptID(try row.text("receipt_id"))
        }
        return Set(known)
    }
}
