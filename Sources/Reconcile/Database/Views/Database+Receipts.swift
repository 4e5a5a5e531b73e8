internal import SQL

extension Database {
    /// All receipts of a batch, by user. Receipt data is taken for those with a user only.
    package func receipts(of batch: Batch) async throws(DatabaseError) -> BatchReceipts {
        let digest = try await digest(of: batch)
        let rows = try await receiptRows(of: batch)
        return BatchReceipts(rows, digest)
    }

    /// The receipts of a batch without their data, for one that ends whoever reads it.
    package func receiptNames(of batch: Batch) async throws(DatabaseError) -> BatchReceipts {
        guard let users = batch.users else { return try await receipts(of: batch) }
        let digest = try await digest(of: batch)
        let rows = try await read(SQL.batchReceiptNames, [users.first.text, users.last.text]) {
            row throws(PostgresError) in try ReceiptRow(row)
        }
        return BatchReceipts(rows, digest)
    }

    /// Users of the batch of whom a receipt was stored, or stored anew, after `snapshot` was taken.
    ///
    /// Costs one row in the usual case, that nothing was.
    package func usersWithOtherReceipts(than snapshot: ReceiptSnapshot, in batch: Batch)
        async throws(DatabaseError) -> Set<UserID>
    {
        guard let users = batch.users, let before = snapshot.digest,
            try await digest(of: batch, since: before.since) != before
        else { return [] }
        let parameters = [users.first.text, users.last.text]
        let stamps = try await read(SQL.batchReceiptStamps, parameters) {
            row throws(PostgresError) in
            ReceiptStamp(
                row.optionalID(0), row.optionalID(1), storedAt: try row.optionalInstant(2),
                since: before.since)
        }
        return Set(stamps.filter { !snapshot.stamps.contains($0) }.compactMap(\.user))
    }

    private func digest(of batch: Batch, since: Instant? = nil)
        async throws(DatabaseError) -> ReceiptDigest?
    {
        guard let users = batch.users else { return nil }
        let parameters = [
            users.first.text, users.last.text, since.map { String($0.milliseconds) },
        ]
        return try await read(SQL.batchReceiptsDigest, parameters) { row throws(PostgresError) in
            ReceiptDigest(
                number: try row.text(0),
                since: Instant(milliseconds: try row.optionalInt64(1) ?? 0))
        }.first
    }

    private func receiptRows(of batch: Batch) async throws(DatabaseError) -> [ReceiptRow] {
        let decode: Decode<ReceiptRow> = { row throws(PostgresError) in try ReceiptRow(row) }
        guard let users = batch.users else {
            return try await read(SQL.batchReceiptsWithoutUser, decode: decode)
        }
        let side = DatabaseError.Side.views(readBy: SQL.batchReceipts.text)
        return try await endure(touching: side) { () async throws(PostgresError) in
            try await pool.withCancellableConnection {
                connection async throws(PostgresError) in
                try await connection.queryRowByRow(
                    PostgresStatement(SQL.batchReceipts), [users.first.text, users.last.text],
                    decode: decode)
            }
        }
    }
}

extension BatchReceipts {
    fileprivate init(_ rows: [ReceiptRow], _ digest: ReceiptDigest?) {
        let valid = rows.compactMap { if case .valid(let receipt) = $0 { receipt } else { nil } }
        let invalid = rows.compactMap {
            if case .invalid(let receipt, _) = $0 { receipt } else { nil }
        }
        self.init(
            valid: valid, invalid: invalid,
            snapshot: ReceiptSnapshot(
                digest: digest,
                stamps: digest.map { digest in Set(rows.map { $0.stamp(since: digest.since) }) }
                    ?? []))
    }
}
