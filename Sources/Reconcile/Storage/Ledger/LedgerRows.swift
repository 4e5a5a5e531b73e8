internal import SQL

extension PostgresConnection {
    /// What earlier runs left of `users`: published runs over everything that were opened before
    /// `run`, whether that is the run at work or an old one that is judged again.
    func history(of users: [UserID], before run: RunID) throws(PostgresError) -> BatchHistory {
        let byKey = Dictionary(users.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        let keys = "{" + byKey.keys.map { String($0) }.joined(separator: ",") + "}"
        let findings = try query(PostgresStatement(SQL.pastFindings), [run.text, keys]) {
            row throws(PostgresError) in
            (key: try row.int64("user_key"), finding: try PastFinding(row))
        }
        let cancellations = try query(PostgresStatement(SQL.pastCancellations), [run.text, keys]) {
            row throws(PostgresError) in
            (key: try row.int64("user_key"), cancellation: try Cancellation(row))
        }
        let accepted = try query(PostgresStatement(SQL.pastAcceptances), [run.text, keys]) {
            row throws(PostgresError) in try row.text("finding_id")
        }
        return BatchHistory(
            findings: findings.compactMap { past in
                byKey[past.key].map { (user: $0, finding: past.finding) }
            },
            cancellations: cancellations.compactMap { past in
                byKey[past.key].map { (user: $0, cancellation: past.cancellation) }
            }, accepted: Set(accepted))
    }

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
    var withoutNUL: String {
        utf8.contains(0) ? replacing("\u{0}", with: "\u{FFFD}") : self
    }
}

extension UserID {
    /// What the history is kept by: `reconcile.name_key` of the id, the first eight bytes of its
    /// SHA-256.
    var key: Int64 {
        Digest.sha256(text.utf8).bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }
}

extension Cancellation {
    /// Columns of `past_cancellations` and of `past_cancellations_elsewhere`.
    init(_ row: borrowing PostgresRow) throws(PostgresError) {
        self.init(
            transaction: TransactionID(try row.text("transaction_id")),
            cancelledAt: try row.instant("cancelled_at"),
            isReported: try row.bool("is_reported"), isReversed: try row.bool("is_reversed"))
    }
}

extension PastFinding {
    /// Columns of `past_findings`.
    init(_ row: borrowing PostgresRow) throws(PostgresError) {
        self.init(
            id: try row.text("finding_id"), change: try row.word("change"),
            firstSeen: try row.optionalInstant("first_seen"),
            lastReported: try row.optionalInt("last_reported"))
    }
}
