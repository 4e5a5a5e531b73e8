internal import SQL

extension Database {
    /// What earlier runs left of `users`: published runs over everything that were opened before
    /// `run`, whether that is the run at work or an old one that is judged again.
    ///
    /// - Parameter transactions: these are looked up whoever's they were.
    package func history(
        of users: [UserID], transactions: Set<TransactionID>, before run: RunID
    ) async throws(DatabaseError) -> BatchHistory {
        let names = PostgresArray.text(users.map(\.text))
        let findings = try await query(SQL.pastFindings, [run.text, names]) {
            row throws(PostgresError) in
            (user: UserID(try row.text(0)), finding: try PastFinding(row))
        }
        let ids = PostgresArray.text(transactions.map(\.text.withoutNUL))
        let cancellations = try await query(SQL.pastCancellations, [run.text, names, ids]) {
            row throws(PostgresError) in
            (
                user: row.optionalID(0) as UserID?,
                cancellation: Cancellation(
                    transaction: TransactionID(try row.text(1)), cancelledAt: try row.instant(2),
                    isReported: try row.bool(3), isReversed: try row.bool(4))
            )
        }
        let accepted = try await query(SQL.pastAcceptances, [run.text, names]) {
            row throws(PostgresError) in try row.text(0)
        }
        return BatchHistory(
            findings: findings,
            cancellations: cancellations.compactMap { past in
                past.user.map { ($0, past.cancellation) }
            },
            elsewhere: cancellations.filter { $0.user == nil }.map(\.cancellation),
            accepted: Set(accepted))
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
                decode: { row throws(PostgresError) in TransactionID(try row.text(0)) }
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

extension PastFinding {
    /// The columns of `past_findings` from the second.
    fileprivate init(_ row: borrowing PostgresRow) throws(PostgresError) {
        self.init(
            id: try row.text(1), change: try row.word(2), firstSeen: try row.optionalInstant(3),
            lastReported: try row.optionalInt(4))
    }
}

extension BatchRecord {
    /// Writes what later runs must know.
    func remember(of run: RunID, on connection: isolated PostgresConnection)
        throws(PostgresError)
    {
        if !changes.isEmpty {
            let findings = changes.map(\.finding)
            try connection.execute(
                PostgresStatement(SQL.addFindingChanges),
                [
                    run.text, PostgresArray.text(changes.map { $0.user?.text ?? "" }),
                    PostgresArray.text(findings.map(\.id)),
                    PostgresArray.text(findings.map(\.change.rawValue)),
                    PostgresArray.text(findings.map { $0.firstSeen?.timestamptz ?? "" }),
                    PostgresArray.integers(findings.map { $0.lastReported ?? 0 }),
                ])
        }
        guard !cancellations.isEmpty else { return }
        let seen = cancellations.map(\.cancellation)
        try connection.execute(
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
