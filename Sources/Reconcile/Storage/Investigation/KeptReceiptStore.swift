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
            PostgresStatement(SQL.keepReceipts),
            [
                run.id.text, PostgresArray.text(sorted.map(\.user.text)),
                PostgresArray.text(sorted.map(\.bundle.text)),
                PostgresArray.text(sorted.map(\.environment.rawValue)),
                PostgresArray.text(sorted.map(\.receipt.text)),
                PostgresArray.text(sorted.map(\.madeAt.timestamptz)),
                PostgresArray.bytea(sorted.map(\.bytes)),
            ])
    }
}
