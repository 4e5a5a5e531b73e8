internal import SQL

/// The sweeps of refund notices, one for each app of a run. Its workers share them out.
struct SweepStore: Sendable {
    let session: DatabaseSession

    func open(_ apps: [BundleID], in run: RunID) async throws(DatabaseError) {
        try await session.execute(
            SQL.openSweeps, [run.text, PostgresArray.text(apps.map(\.text))])
    }

    /// Claims an app whose sweep no live worker reads, and what is to be read of it; nil when there
    /// is none.
    func claim(
        in run: RunID, for worker: Int
    ) async throws(DatabaseError) -> (bundle: BundleID, from: Instant)? {
        try await session.query(SQL.claimSweep, [run.text, String(worker)]) { row in
            (bundle: BundleID(try row.text("bundle_id")), from: try row.instant("from_at"))
        }.first
    }

    func hasOpen(in run: RunID) async throws(DatabaseError) -> Bool {
        try await session.query(SQL.hasOpenSweep, [run.text]) { row in
            try row.bool("is_open")
        } == [true]
    }

    func add(
        _ notices: [RefundNotice], of bundle: BundleID, in run: RunID
    ) async throws(DatabaseError) {
        guard !notices.isEmpty else { return }
        let parameters = [run.text, bundle.text] + Self.notices.arrays(of: notices)
        _ = try await session.query(Self.notices.statement, parameters) { _ in }
    }

    private static let notices = GivenRows<RefundNotice>(
        SQL.addNotices,
        [
            .word("notice_type") { $0.kind },
            .id("transaction_id") { $0.transaction },
            .timestamp("signed_at") { $0.signedAt },
            .timestamp("revoked_at") { $0.revokedAt },
            .boolean("is_missed") { $0.isMissed },
            .bytea("payload") { $0.payload },
        ])

    /// - Parameter failure: what failed, in words; nil: the sweep is whole.
    func end(
        _ bundle: BundleID, failure: String?, in run: RunID
    ) async throws(DatabaseError) {
        try await session.execute(SQL.endSweep, [run.text, bundle.text, failure])
    }

    /// Records requests that belong to no user.
    func record(_ requests: RequestRecord, in run: RunID) async throws(DatabaseError) {
        let counts = RequestCount.all(in: [requests])
        guard !counts.isEmpty else { return }
        let parameters = [run.text] + Self.requestCounts.arrays(of: counts)
        _ = try await session.query(Self.requestCounts.statement, parameters) { _ in }
    }

    private static let requestCounts = GivenRows(SQL.recordRequests, RequestCount.columns)

    func refunds(in run: RunID) async throws(DatabaseError) -> Set<TransactionID> {
        Set(
            try await session.query(SQL.sweptRefunds, [run.text]) { row in
                try row.id("transaction_id") as TransactionID
            })
    }
}

extension PostgresConnection {
    /// Of some refunds those that were reported or remembered before, by reference.
    func reportedRefunds(_ references: [String], in run: RunID) throws -> Set<String> {
        Set(
            try query(
                PostgresStatement(SQL.reportedRefunds),
                [run.text, PostgresArray.text(references)]
            ) { row in try row.text("reference") })
    }

    /// The users of the run by their tokens, which are in lower case.
    func users(by tokens: [String], in run: RunID) throws -> [String: UserID] {
        guard !tokens.isEmpty else { return [:] }
        let users = try query(
            PostgresStatement(SQL.usersByToken), [run.text, PostgresArray.text(tokens)]
        ) { row in try row.id("user_id") as UserID }
        return Dictionary(
            users.map { ($0.text.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    }

    func record(_ counts: [BundleID: Int], in run: RunID) throws {
        let counted = counts.sorted { $0.key < $1.key }
        try execute(
            PostgresStatement(SQL.countRefundsOfNobody),
            [
                run.text, PostgresArray.text(counted.map(\.key.text)),
                PostgresArray.integers(counted.map(\.value)),
            ])
    }
}
