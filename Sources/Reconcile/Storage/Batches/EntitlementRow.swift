/// One row of `stored_entitlements`. A row with a null in a required column is invalid.
enum EntitlementRow: Sendable {
    case valid(StoredEntitlement)
    case invalid(InvalidStoredEntitlement)

    init(_ row: borrowing PostgresRow) throws {
        let id: EntitlementID? = try row.optionalID("entitlement_id")
        let user: UserID? = try row.optionalID("user_id")
        let product: ProductID? = try row.optionalID("product_id")
        let isActive = try row.optionalBool("is_active")
        let source = try row.optionalText("source")
        let updatedAt = try row.optionalInstant("updated_at")
        guard let id, let user, let product, let isActive, let source, let updatedAt else {
            self = .invalid(
                InvalidStoredEntitlement(id: id, user: user, missing: try Self.missing(in: row)))
            return
        }
        self = .valid(
            StoredEntitlement(
                id: id, user: user, product: product,
                originalTransaction: try row.optionalID("original_transaction_id"),
                isActive: isActive, expiresAt: try row.optionalInstant("expires_at"),
                autoRenew: try row.optionalBool("auto_renew"),
                // An unknown word counts as null.
                ownership: try row.optionalText("ownership").flatMap(Ownership.init),
                source: EntitlementSource(source), updatedAt: updatedAt))
    }

    var id: EntitlementID? {
        switch self {
        case .valid(let entitlement): entitlement.id
        case .invalid(let entitlement): entitlement.id
        }
    }

    var user: UserID? {
        switch self {
        case .valid(let entitlement): entitlement.user
        case .invalid(let entitlement): entitlement.user
        }
    }

    private static func missing(
        in row: borrowing PostgresRow
    ) throws -> [String] {
        let required: [StaticString] = [
            "entitlement_id", "user_id", "product_id", "is_active", "source", "updated_at",
        ]
        var names: [String] = []
        for column in required where try row.isNull(column) { names.append("\(column)") }
        return names
    }
}

extension StoredUser {
    mutating func add(_ row: EntitlementRow) {
        switch row {
        case .valid(let entitlement): entitlements.append(entitlement)
        case .invalid(let invalid): invalidEntitlements.append(invalid)
        }
    }
}
