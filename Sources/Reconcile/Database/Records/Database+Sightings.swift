internal import SQL

extension Database {
    /// Compares what `run` saw over all users, records what is found of it, and gives that its
    /// place in the history, in one transaction. Called again it does nothing.
    /// - Parameters:
    ///   - past: the run before which the history is read: `run` itself, or an old one that is
    ///     judged again.
    ///   - report: gives a finding its identity; nil leaves it out.
    package func compareUsers(
        of run: RunID, before past: RunID, report: @Sendable (Finding) -> ReportedFinding?
    ) async throws(DatabaseError) {
        try await endure(touching: .tables) { () async throws(PostgresError) in
            try await pool.transaction { connection async throws(PostgresError) in
                let begun = try await connection.query(
                    PostgresStatement(SQL.beginComparison), [run.text]
                ) { row throws(PostgresError) in try row.text(0) }
                guard !begun.isEmpty else { return }
                var shared = stream(SQL.sharedSubscriptions, [run.text]) {
                    row throws(PostgresError) in try SharedSubscription(row)
                }.makeAsyncIterator()
                while let page = try await shared.next() {
                    let rows = CopyBuffer(findings: page.compactMap { report($0.finding) }, of: run)
                    try await connection.copyIn(PostgresStatement(SQL.copyFindings), rows)
                }
                var unknown = stream(SQL.unknownProducts, [run.text]) { row throws(PostgresError) in
                    UnknownProduct(
                        product: ProductID(try row.text(0)), users: try row.int(1),
                        rows: try row.int(2))
                }.makeAsyncIterator()
                while let page = try await unknown.next() {
                    let rows = CopyBuffer(findings: page.compactMap { report($0.finding) }, of: run)
                    try await connection.copyIn(PostgresStatement(SQL.copyFindings), rows)
                }
                try await connection.execute(
                    PostgresStatement(SQL.rememberSharedSubscriptions),
                    [run.text, FindingKind.sharedOriginalTransaction.rawValue])
                let kinds = FindingKind.acrossUsers.map(\.rawValue).sorted()
                try await connection.execute(
                    PostgresStatement(SQL.settleAcrossUsers),
                    [run.text, PostgresArray.text(kinds), past.text])
            }
        }
    }

    /// On a connection of its own, beside the one that writes.
    private func stream<T: Sendable>(
        _ statement: Statement, _ parameters: [String?], decode: @escaping Decode<T>
    ) -> PostgresStream<T> {
        PostgresStream(
            pool: pool, statement: PostgresStatement(statement), parameters: parameters,
            rowsAtOnce: 500, decode: decode)
    }
}

extension SharedSubscription {
    /// The columns of `shared_subscriptions`.
    fileprivate init(_ row: borrowing PostgresRow) throws(PostgresError) {
        self.init(
            user: UserID(try row.text(0)), chain: TransactionID(try row.text(1)),
            grant: SubscriptionSighting.Grant(
                entitlement: EntitlementID(try row.text(2)), receipt: ReceiptID(try row.text(3)),
                product: ProductID(try row.text(4)), transaction: TransactionID(try row.text(5)),
                ownership: try row.optionalWord(6), state: try row.word(7),
                endsAt: try row.optionalInstant(8), reason: row.optionalText(9),
                bundle: row.optionalID(12)),
            users: try row.int(10), otherUser: UserID(try row.text(11)),
            evidenceSHA256: row.optionalText(13))
    }
}

extension CopyBuffer {
    /// The rows of `copy_undecided_users`.
    init(undecided: [UndecidedUser], of run: RunID) {
        self.init()
        for user in undecided {
            append(run.text)
            append(user.user.text)
            append(user.lacksEvidence)
            append(user.mayBeGranted)
            endRow()
        }
    }

    /// The rows of `copy_sighted_products`.
    init(unknownProducts: [UnknownProduct], of run: RunID) {
        self.init()
        for product in unknownProducts {
            append(run.text)
            append(product.product.text)
            append(product.users)
            append(product.rows)
            endRow()
        }
    }
}

extension BinaryCopyBuffer {
    /// The columns of `copy_sighted_subscriptions`.
    mutating func append(_ sighting: SubscriptionSighting, of run: RunID) {
        beginRow(columns: 13)
        append(run.text)
        append(sighting.user.text)
        append(sighting.chain.text)
        append(sighting.grant?.entitlement.text)
        append(sighting.grant?.receipt.text)
        append(sighting.grant?.product.text)
        append(sighting.grant?.transaction.text)
        append(sighting.grant?.bundle?.text)
        append(bytes: sighting.grant?.evidenceDigest)
        append(sighting.grant?.ownership?.rawValue)
        append(sighting.grant?.state.rawValue)
        append(timestamp: sighting.grant?.endsAt?.milliseconds)
        append(sighting.grant?.reason)
    }
}
