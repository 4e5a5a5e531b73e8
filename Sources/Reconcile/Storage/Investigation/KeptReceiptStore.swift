internal import SQL

/// Kept receipts that Apple signed in its answers: the newest per user, app and server.
package struct KeptReceiptStore: Sendable {
    let session: DatabaseSession

    package func receipts(of user: UserID) async throws(DatabaseError) -> [KeptReceipt] {
        try await session.query(SQL.keptReceipts, [user.text]) { row in
            try KeptReceipt(row)
        }
    }

    /// All kept receipts, or those of `user`, ordered by user.
    package func all(of user: UserID?) -> DatabaseRows<KeptReceipt> {
        DatabaseRows(
            rows: session.stream(PostgresStatement(SQL.exportReceipts), [user?.text]) {
                row in try KeptReceipt(row)
            })
    }
}

extension KeptReceipt {
    /// Rows of `reconcile.kept_receipt`.
    fileprivate static let given = GivenRows<KeptReceipt>(
        SQL.keepReceipts,
        [
            .id("user_id") { $0.user },
            .id("bundle_id") { $0.bundle },
            .word("environment") { $0.environment },
            .id("receipt_id") { $0.receipt },
            .timestamp("made_at") { $0.madeAt },
            .bytea("receipt") { $0.bytes },
        ])

    fileprivate init(_ row: borrowing PostgresRow) throws {
        self.init(
            user: try row.id("user_id"), bundle: try row.id("bundle_id"),
            environment: try row.word("environment"),
            receipt: try row.id("receipt_id"), madeAt: try row.instant("made_at"),
            bytes: try row.bytea("receipt"))
    }
}

extension FlushTransaction {
    func keep(
        _ receipts: [KeptReceipt], on connection: isolated PostgresConnection
    ) throws {
        guard !receipts.isEmpty else { return }
        // Sorted, so that two workers cannot deadlock.
        let sorted = receipts.sorted { ($0.user, $0.bundle) < ($1.user, $1.bundle) }
        try connection.execute(
            KeptReceipt.given.statement, [run.id.text] + KeptReceipt.given.arrays(of: sorted))
    }
}
