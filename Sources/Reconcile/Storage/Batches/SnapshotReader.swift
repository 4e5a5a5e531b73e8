internal import SQL

struct SnapshotReader: Sendable {
    let scope: SnapshotScope
    let ledger: LedgerReader
    let readsKeys: Bool

    /// Must be called in a snapshot transaction.
    func read(on connection: isolated PostgresConnection) throws -> Snapshot {
        var users = SnapshotUsers(mostBytes: scope.mostBytes)
        let entitlements = try connection.query(
            PostgresStatement(scope.entitlements), scope.parameters
        ) { row in try EntitlementRow(row) }
        for row in entitlements { try users.add(row) }
        try connection.forEachRow(of: PostgresStatement(scope.receipts), scope.parameters) {
            row in try users.add(try ReceiptRow(row))
        }
        if users.isCut { return .cut(users.complete) }
        var found = users.all
        if readsKeys { try readKeys(of: &found, on: connection) }
        let histories = try ledger.histories(of: found.map(\.user), on: connection)
        for index in found.indices {
            guard let history = histories[found[index].user] else { continue }
            found[index].history = history
        }
        return .whole(found)
    }
}

extension SnapshotReader {
    private func readKeys(
        of users: inout [StoredUser], on connection: isolated PostgresConnection
    ) throws {
        let receipts = users.flatMap { $0.receipts.map(\.id.text) }
        guard !receipts.isEmpty else { return }
        let keys = try connection.query(
            PostgresStatement(SQL.downloadKeys), [PostgresArray.text(receipts)]
        ) { row in
            StoredDownloadKey(
                receipt: try row.id("receipt_id"),
                product: try row.id("product_id"),
                remoteProduct: try row.optionalText("remote_product_id") ?? "",
                key: try row.optionalText("download_key"),
                expiresAt: try row.instant("expires_at"))
        }
        guard !keys.isEmpty else { return }
        let byReceipt = Dictionary(grouping: keys, by: \.receipt)
        for index in users.indices {
            users[index].downloadKeys = users[index].receipts.flatMap { byReceipt[$0.id] ?? [] }
        }
    }
}

struct SnapshotScope: Sendable {
    let entitlements: Statement
    let receipts: Statement
    let parameters: [String?]
    /// Bytes of receipt data after which no further user is read.
    let mostBytes: Int
}

enum Snapshot: Sendable {
    case whole([StoredUser])
    /// More than fits: the users whose receipts were read completely, in order.
    case cut([UserID])
}
