internal import SQL

extension Database {
    /// All entitlements of a batch, by user.
    package func entitlements(of batch: Batch) async throws(DatabaseError) -> BatchEntitlements {
        let rows: [EntitlementRow]
        if let users = batch.users {
            rows = try await read(SQL.batchEntitlements, [users.first.text, users.last.text]) {
                row throws(PostgresError) in try EntitlementRow(row)
            }
        } else {
            rows = try await read(SQL.batchEntitlementsWithoutUser) {
                row throws(PostgresError) in try EntitlementRow(row)
            }
        }
        return BatchEntitlements(
            valid: rows.compactMap {
                if case .valid(let entitlement) = $0 { entitlement } else { nil }
            },
            invalid: rows.compactMap {
                if case .invalid(let entitlement) = $0 { entitlement } else { nil }
            })
    }
}
