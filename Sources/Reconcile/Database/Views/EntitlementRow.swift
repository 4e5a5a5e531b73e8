/// One row of `stored_entitlements`: good, or not to be judged.
enum EntitlementRow: Sendable {
    case valid(StoredEntitlement)
    case invalid(InvalidStoredEntitlement)

    /// Columns: id, user, product, original transaction, active, expiry, auto-renew, ownership,
    /// source, update.
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

    var user: UserID? {
        switch self {
        case .valid(let entitlement): entitlement.user
        case .invalid(let entitlement): entitlement.user
        }
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
