internal import SQL

/// What earlier runs over everything left: findings, cancelled transactions, accepted findings.
package struct LedgerStore: Sendable {
    let session: DatabaseSession

    /// How earlier runs last saw `transactions` that they saw cancelled, for all users.
    package func cancellations(
        of transactions: Set<TransactionID>, before run: RunID
    ) async throws(DatabaseError) -> [Cancellation] {
        guard !transactions.isEmpty else { return [] }
        let ids = PostgresArray.text(transactions.map(\.text.withoutNUL))
        return try await session.query(SQL.pastCancellationsElsewhere, [run.text, ids]) {
            row throws(PostgresError) in try Cancellation(row)
        }
    }

    /// Which transactions published runs over everything that were opened before `run` saw
    /// cancelled, whoever's they were.
    package func cancelledTransactions(
        before run: RunID
    ) async throws(DatabaseError) -> CancellationFilter {
        try await session.retrying(touching: .tables) { () async throws(PostgresError) in
            var filter = CancellationFilter()
            var transactions = session.stream(
                SQL.pastCancelledTransactions, [run.text], rowsAtOnce: 1_000,
                decode: { row throws(PostgresError) in TransactionID(try row.text("transaction_id"))
                }
            ).makeAsyncIterator()
            while let page = try await transactions.next() {
                for transaction in page { filter.insert(transaction) }
            }
            return filter
        }
    }

    /// The open findings among `findings`, column by column as the run that reported them last has
    /// them.
    package func lastReports(of findings: [PastFinding])
        async throws(DatabaseError) -> [ReportedFinding]
    {
        let reported = findings.compactMap { past in past.lastReported.map { (past.id, $0) } }
        guard !reported.isEmpty else { return [] }
        let parameters = [
            PostgresArray.text(reported.map(\.0)), PostgresArray.integers(reported.map(\.1)),
        ]
        return try await session.query(SQL.lastReports, parameters) { row throws(PostgresError) in
            try ReportedFinding(row)
        }
    }

    /// Clears the last run's findings of users of whom nothing is stored any more. `run` has judged
    /// all others; in one that leaves no history nothing is done. May be called again.
    package func clearGoneUsers(in run: RunID) async throws(DatabaseError) {
        let kept = FindingKind.events.union(FindingKind.acrossUsers).map(\.rawValue).sorted()
        try await session.execute(SQL.clearGoneUsers, [run.text, PostgresArray.text(kept)])
    }

    /// Leaves the amount of a refund that several users' receipts show on its first row only.
    /// May be called again.
    package func countRefundsOnce(in run: RunID) async throws(DatabaseError) {
        try await session.execute(SQL.countRefundsOnce, [run.text])
    }
}
