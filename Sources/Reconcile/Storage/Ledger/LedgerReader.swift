internal import SQL

struct LedgerReader: Sendable {
    let past: PastRuns

    /// Ends the use of sequential scans in the transaction: what else it reads is read before.
    func histories(
        of users: [UserID], on connection: isolated PostgresConnection
    ) throws -> [UserID: UserHistory] {
        guard !users.isEmpty else { return [:] }
        let names = PostgresArray.text(users.map(\.text))
        try connection.execute(PostgresStatement(SQL.avoidSequentialScans))
        let entries = try connection.query(
            PostgresStatement(SQL.ledgerOfUsers),
            [past.before?.text, names, past.isReplay ? "t" : "f"]
        ) { row in try LedgerEntry.read(row) }.compactMap(\.self)
        let accepted = try connection.query(
            PostgresStatement(SQL.pastAcceptances), [past.before?.text, names]
        ) { row in
            (user: try row.optionalID("user_id") as UserID?, id: try row.text("finding_id"))
        }
        let digests = past.comparesRecords ? try self.digests(of: names, on: connection) : [:]
        guard !entries.isEmpty || !accepted.isEmpty || !digests.isEmpty else { return [:] }
        let acceptedByUser = Dictionary(grouping: accepted, by: \.user)
        let byUser = Dictionary(grouping: entries, by: \.identity.user)
        var histories: [UserID: UserHistory] = [:]
        for user in Set(byUser.keys).union(acceptedByUser.keys) {
            guard let user else { continue }
            histories[user] = UserHistory(
                byUser[user] ?? [], accepted: Set((acceptedByUser[user] ?? []).map(\.id)))
        }
        for (user, digest) in digests {
            histories[user, default: UserHistory()].recordDigest = digest
        }
        return histories
    }

    private func digests(
        of names: String, on connection: isolated PostgresConnection
    ) throws -> [UserID: Int64] {
        let digests = try connection.query(
            PostgresStatement(SQL.judgedDigests), [past.before?.text, names]
        ) { row in
            let user: UserID = try row.id("user_id")
            return (user: user, digest: try row.int64("digest"))
        }
        return Dictionary(digests.map { ($0.user, $0.digest) }, uniquingKeysWith: { $1 })
    }
}

extension LedgerEntry {
    /// Reads the columns of `ledger_of_users`. Nil for a kind that this release does not know.
    static func read(_ row: borrowing PostgresRow) throws -> LedgerEntry? {
        guard let kind = FindingKind(rawValue: try row.text("kind")) else { return nil }
        return LedgerEntry(
            id: try row.text("finding_id"), state: try row.word("state"),
            identity: FindingIdentity(
                kind: kind, user: try row.optionalID("user_id"),
                entitlement: try row.optionalID("entitlement_id"),
                reference: try row.text("reference")),
            receipt: try row.optionalID("receipt_id"), firstSeen: try row.instant("first_seen"),
            eventAt: try row.optionalInstant("event_at"))
    }
}
