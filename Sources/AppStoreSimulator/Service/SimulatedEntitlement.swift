package struct SimulatedEntitlement: Hashable, Sendable {
    /// The same on every night.
    package var id: String
    package var user: String
    package var product: String
    /// The chain from which the service believes the right comes.
    package var originalTransaction: String?
    /// Whether access is granted, up to `expiresAt`.
    package var isActive: Bool
    /// Nil: no end.
    package var expiresAt: Moment?
    package var autoRenew: Bool?
    /// `PURCHASED` or `FAMILY_SHARED`.
    package var ownership: String?
    /// `app_store`, or `legacy_paid` for buyers of the app itself.
    package var source = "app_store"
    package var updatedAt: Moment
}
