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
                ) { row throws(PostgresError) in try row.text("run_id") }
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
                        product: ProductID(try row.text("product_id")), users: try row.int("users"),
                        rows: try row.int("entitlements"))
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
            user: UserID(try row.text("user_id")),
            chain: TransactionID(try row.text("original_transaction_id")),
            grant: SubscriptionSighting.Grant(
                entitlement: EntitlementID(try row.text("entitlement_id")),
                receipt: ReceiptID(try row.text("receipt_id")),
                product: ProductID(try row.text("product_id")),
                transaction: TransactionID(try row.text("transaction_id")),
                ownership: try row.optionalWord("ownership"), state: try row.word("apple_state"),
                endsAt: try row.optionalInstant("apple_expires_at"),
                reason: try row.optionalText("reason"),
                bundle: try row.optionalID("bundle_id")),
            users: try row.int("users"), otherUser: UserID(try row.text("other_user")),
            evidenceSHA256: try row.optionalText("evidence_sha256"))
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
