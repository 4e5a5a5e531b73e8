extension JudgedRight {
    init(_ row: borrowing PostgresRow) throws {
        self.init(
            row: try StoredEntitlement(kept: row), right: try row.text("right_name"),
            outcome: try row.word("outcome"), kind: try row.optionalWord("kind"),
            cause: try row.optionalWord("cause"), apple: try AppleSide(kept: row),
            others: try row.int("others"), paidApp: try row.optionalText("paid_app"))
    }
}

extension StoredEntitlement {
    /// Nil for a right without a stored row.
    fileprivate init?(kept row: borrowing PostgresRow) throws {
        guard let id = try row.optionalText("entitlement_id") else { return nil }
        self.init(
            id: EntitlementID(id), user: "", product: try row.id("product_id"),
            originalTransaction: try row.optionalID("original_transaction_id"),
            isActive: try row.bool("is_active"),
            expiresAt: try row.milliseconds("expires_at"),
            autoRenew: try row.optionalBool("auto_renew"),
            ownership: try row.optionalWord("ownership"),
            source: EntitlementSource(try row.text("source")),
            updatedAt: try row.milliseconds("updated_at") ?? .distantPast)
    }
}

extension AppleSide {
    /// Nil for a right without a grantor.
    fileprivate init?(kept row: borrowing PostgresRow) throws {
        guard let state: AppleState = try row.optionalWord("apple_state") else { return nil }
        self.init(
            state: state, kind: try row.word("apple_kind"),
            product: try row.id("apple_product_id"),
            transaction: try row.id("apple_transaction_id"),
            originalTransaction: try row.id("apple_original_transaction_id"),
            purchasedAt: try row.milliseconds("apple_purchased_at") ?? .distantPast,
            expiresAt: try row.milliseconds("apple_expires_at"),
            endsAt: try row.milliseconds("apple_ends_at"),
            goneAt: try row.milliseconds("apple_gone_at"),
            gracePeriodExpiresAt: try row.milliseconds("apple_grace_period_expires_at"),
            ownership: try row.optionalWord("apple_ownership"),
            lineItem: try row.optionalID("apple_line_item"),
            isTrial: try row.bool("apple_is_trial"),
            willRenew: try row.optionalBool("apple_will_renew"),
            reason: try row.optionalText("apple_reason"),
            receipt: try row.id("apple_receipt_id"),
            bundle: try row.id("apple_bundle_id"),
            environment: try row.word("apple_environment"),
            source: try row.optionalWord("apple_source"))
    }
}

extension PostgresRow {
    /// Reads milliseconds since 1970.
    func milliseconds(_ column: StaticString) throws -> Instant? {
        guard let text = try optionalText(column) else { return nil }
        guard let number = Int64(text) else { throw undecodable(column) }
        return Instant(milliseconds: number)
    }
}
