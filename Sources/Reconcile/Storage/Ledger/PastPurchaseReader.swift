internal import SQL

/// What earlier runs judged a user by, for the few users whose rows would be accused of a right
/// without any purchase.
struct PastPurchaseReader: Sendable {
    let session: DatabaseSession

    /// The purchases that gave a right by the last word of the published runs of 30 days.
    /// - Parameter asOf: the end of the 30 days.
    func purchases(
        of user: UserID, in past: PastRuns, asOf: Instant
    ) async throws(DatabaseError) -> [KnownPurchase] {
        let parameters = [past.before?.text, user.text, asOf.timestamptz]
        let shown = try await session.query(SQL.judgedPurchases, parameters) { row in
            (
                state: try row.word("apple_state") as AppleState,
                purchase: try KnownPurchase(judged: row)
            )
        }
        var seen: Set<TransactionID> = []
        return shown.filter { seen.insert($0.purchase.id).inserted && $0.state == .active }
            .map(\.purchase)
    }
}

extension KnownPurchase {
    fileprivate init(judged row: borrowing PostgresRow) throws {
        let kind: ProductKind = try row.word("apple_kind")
        let end: Instant? =
            switch kind {
            case .autoRenewable: try row.milliseconds("apple_expires_at")
            case .nonRenewing: try row.milliseconds("apple_ends_at")
            case .nonConsumable, .consumable: nil
            }
        self.init(
            id: try row.id("apple_transaction_id"),
            originalID: try row.id("apple_original_transaction_id"),
            product: try row.id("apple_product_id"), kind: kind,
            purchasedAt: try row.milliseconds("apple_purchased_at") ?? .distantPast, endsAt: end,
            lineItem: try row.optionalID("apple_line_item"))
    }
}
