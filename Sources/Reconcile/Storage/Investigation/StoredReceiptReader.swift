internal import SQL

package struct StoredReceiptReader: Sendable {
    let session: DatabaseSession

    /// - Throws: `unknown`, with the nearest known ids; also for a row with nulls.
    package func receipt(_ id: ReceiptID) async throws(DatabaseError) -> StoredReceipt {
        let rows = try await session.read(SQL.findStoredReceipt, [id.text]) {
            row in try ReceiptRow(row)
        }
        switch rows.first {
        case .valid(let receipt): return receipt
        case .invalid:
            throw refusal("The stored receipt \(id) has a null in a required column.")
        case nil:
            let near = try await session.read(SQL.nearestStoredReceipts, [id.text]) { row in
                [try row.optionalText("before"), try row.optionalText("behind")]
            }
            let ids = near.joined().compactMap(\.self).joined(separator: ", ")
            throw refusal(
                "There is no stored receipt \(id)." + (ids.isEmpty ? "" : " The nearest: \(ids)."))
        }
    }

    private func refusal(_ what: String) -> DatabaseError {
        DatabaseError(.unknown(what), statement: SQL.findStoredReceipt.name)
    }
}
