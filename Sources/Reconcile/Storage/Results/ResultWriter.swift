internal import SQL

struct ResultWriter: Sendable {
    let session: DatabaseSession

    /// Renews the leases and records the users in one transaction. Leaves out batches that another
    /// worker has leased, or whose run has ended. Nil, with nothing written, when the database
    /// lacks the flush before this one: commits were lost.
    ///
    /// A receipt that moved to another user during the run may already be recorded. It counts once,
    /// for its first user: here it is removed from the outcomes and the tally.
    func record(
        _ flush: [BatchFlush], of run: Run, as link: CommitChain.Link
    ) async throws(DatabaseError) -> FlushResult? {
        guard !flush.isEmpty else { return FlushResult(held: []) }
        var flush = flush
        var leftOut = flush.leaveOutRepeated()
        // Each round removes receipts that other workers have recorded in the meantime.
        while true {
            do throws(DatabaseError) {
                let held = try await write(flush, of: run, as: link)
                return held.map { FlushResult(held: $0, leftOut: leftOut) }
            } catch {
                guard case .rejected("23505", _) = error.reason else { throw error }
                let known = try await recorded(flush.receipts, of: run.id)
                guard !known.isEmpty else { throw error }
                leftOut += flush.leaveOut { known.contains($0) }
            }
        }
    }

    private func write(
        _ flush: [BatchFlush], of run: Run, as link: CommitChain.Link
    ) async throws(DatabaseError) -> Set<Int>? {
        let transaction = FlushTransaction(run: run, link: link)
        return try await session.retrying {
            try await session.pool.transactionAtOnce { connection in
                let hold = try transaction.hold(flush, on: connection)
                switch hold.continuity {
                case .isBroken: return nil
                // The next flush finds out which of the leases are still valid.
                case .tookEffect: return Set(flush.map(\.batch.number))
                case .follows:
                    let ours = flush.filter { hold.batches.contains($0.batch.number) }
                    if let runNumber = hold.runNumber {
                        try transaction.copy(ours, as: runNumber, on: connection)
                    }
                    return hold.batches
                }
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
