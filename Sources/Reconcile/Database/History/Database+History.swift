internal import SQL

extension Database {
    /// How earlier runs last saw `transactions` that they saw cancelled, for all users.
    package func cancellations(
        of transactions: Set<TransactionID>, before run: RunID
    ) async throws(DatabaseError) -> [Cancellation] {
        guard !transactions.isEmpty else { return [] }
        let ids = PostgresArray.text(transactions.map(\.text.withoutNUL))
        return try await query(SQL.pastCancellationsElsewhere, [run.text, ids]) {
            row throws(PostgresError) in try Cancellation(row)
        }
    }

    /// Which transactions published runs over everything that were opened before `run` saw
    /// cancelled, whoever's they were.
    package func cancelledTransactions(
        before run: RunID
    ) async throws(DatabaseError) -> CancellationFilter {
        try await endure(touching: .tables) { () async throws(PostgresError) in
            var filter = CancellationFilter()
            var transactions = PostgresStream(
                pool: pool, statement: PostgresStatement(SQL.pastCancelledTransactions),
                parameters: [run.text], rowsAtOnce: 1_000,
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
        return try await query(SQL.lastReports, parameters) { row throws(PostgresError) in
            try ReportedFinding(row)
        }
    }

    /// Clears the last run's findings of users of whom nothing is stored any more. `run` has judged
    /// all others; in one that leaves no history nothing is done. May be called again.
    package func clearGoneUsers(in run: RunID) async throws(DatabaseError) {
        let kept = FindingKind.events.union(FindingKind.acrossUsers).map(\.rawValue).sorted()
        _ = try await query(SQL.clearGoneUsers, [run.text, PostgresArray.text(kept)]) { _ in }
    }

    /// Leaves the amount of a refund that several users' receipts show on its first row only.
    /// May be called again.
    package func countRefundsOnce(in run: RunID) async throws(DatabaseError) {
        _ = try await query(SQL.countRefundsOnce, [run.text]) { _ in }
    }
}

extension PostgresConnection {
    /// Writes what later runs must know of findings.
    func remember(_ changes: [FindingChange], of run: RunID) throws(PostgresError) {
        guard !changes.isEmpty else { return }
        let findings = changes.map(\.finding)
        try execute(
            PostgresStatement(SQL.addFindingChanges),
            [
                run.text, PostgresArray.text(changes.map { $0.user?.text ?? "" }),
                PostgresArray.text(findings.map(\.id)),
                PostgresArray.text(findings.map(\.change.rawValue)),
                PostgresArray.text(findings.map { $0.firstSeen?.timestamptz ?? "" }),
                PostgresArray.integers(findings.map { $0.lastReported ?? 0 }),
            ])
    }

    /// Writes what later runs must know of cancelled transactions.
    func remember(
        _ cancellations: [(user: UserID, seen: Cancellation)], of run: RunID
    ) throws(PostgresError) {
        guard !cancellations.isEmpty else { return }
        let seen = cancellations.map(\.seen)
        try execute(
            PostgresStatement(SQL.addCancellations),
            [
                run.text, PostgresArray.text(cancellations.map(\.user.text)),
                PostgresArray.text(seen.map { $0.transaction.text.withoutNUL }),
                PostgresArray.text(seen.map(\.cancelledAt.timestamptz)),
                PostgresArray.text(seen.map { String($0.isReported) }),
                PostgresArray.text(seen.map { String($0.isReversed) }),
            ])
    }
}

extension String {
    /// What PostgreSQL can store: as in `CopyBuffer`, U+FFFD stands for NUL.
    fileprivate var withoutNUL: String {
        utf8.contains(0) ? replacing("\u{0}", with: "\u{FFFD}") : self
    }
}
