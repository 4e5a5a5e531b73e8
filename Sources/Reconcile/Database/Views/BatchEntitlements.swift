/// The stored entitlements of a batch.
package struct BatchEntitlements: Sendable {
    /// By user, in the views' collation.
    package let valid: [StoredEntitlement]
    /// Rows that cannot be judged.
    package let invalid: [InvalidStoredEntitlement]

    /// The batch's entitlements in scope.
    package var count: Int { valid.count + invalid.count }
}

/// A row of `stored_entitlements` with a null where none may be.
package struct InvalidStoredEntitlement: Hashable, Sendable {
    package let id: EntitlementID?
    package let user: UserID?
    /// The columns that are null, in the view's order.
    package let missing: [String]
}

/// One row of `stored_entitlements`: good, or not to be judged.
enum EntitlementRow: Sendable {
    case valid(StoredEntitlement)
    case invalid(InvalidStoredEntitlement)

    /// Columns: id, user, product, original transaction, active, expiry, auto-renew, ownership,
    /// source, update; times in milliseconds.
    init(_ row: borrowing PostgresRow) throws(PostgresError) {
        let (id, user): (EntitlementID?, UserID?) = (row.optionalID(0), row.optionalID(1))
        let product: ProductID? = row.optionalID(2)
        let (isActive, source) = (try row.optionalBool(4), row.optionalText(8))
        let updatedAt = try row.optionalInstant(9)
        guard let id, let user, let product, let isActive, let source, let updatedAt else {
            self = .invalid(
                InvalidStoredEntitlement(id: id, user: user, missing: Self.missing(in: row)))
            return
        }
        self = .valid(
            StoredEntitlement(
                id: id, user: user, product: product, originalTransaction: row.optionalID(3),
                isActive: isActive, expiresAt: try row.optionalInstant(5),
                autoRenew: try row.optionalBool(6),
                // A word that is neither of Apple's says no more than a null.
                ownership: row.optionalText(7).flatMap(Ownership.init),
                source: EntitlementSource(source), updatedAt: updatedAt))
    }

    private static func missing(in row: borrowing PostgresRow) -> [String] {
        let required = [
            (0, "entitlement_id"), (1, "user_id"), (2, "product_id"), (4, "is_active"),
            (8, "source"), (9, "updated_at"),
        ]
        var names: [String] = []
        for (column, name) in required where row.isNull(column) { names.append(name) }
        return names
    }
}
