package struct StoredEntitlement: Hashable, Sendable {
    let id: EntitlementID
    let user: UserID
    let product: ProductID
    let originalTransaction: TransactionID?
    let isActive: Bool
    /// Nil: without an end.
    let expiresAt: Instant?
    let autoRenew: Bool?
    let ownership: Ownership?
    let source: EntitlementSource
    let updatedAt: Instant

    package init(
        id: EntitlementID, user: UserID, product: ProductID,
        originalTransaction: TransactionID? = nil, isActive: Bool, expiresAt: Instant? = nil,
        autoRenew: Bool? = nil, ownership: Ownership? = nil, source: EntitlementSource = .appStore,
        updatedAt: Instant
    ) {
        self.id = id
        self.user = user
        self.product = product
        self.originalTransaction = originalTransaction
        self.isActive = isActive
        self.expiresAt = expiresAt
        self.autoRenew = autoRenew
        self.ownership = ownership
        self.source = source
        self.updatedAt = updatedAt
    }

    func isGranted(asOf: Instant) -> Bool {
        isActive && expiresAt.map { $0 > asOf } ?? true
    }
}

struct InvalidStoredEntitlement: Hashable, Sendable {
    let id: EntitlementID?
    let user: UserID?
    /// The null columns, in the view's order.
    let missing: [String]
}
