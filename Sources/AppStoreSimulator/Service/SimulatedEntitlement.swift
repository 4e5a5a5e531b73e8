/// A row of the service's own table of entitlements: what it lets a user use, right or wrong.
package struct SimulatedEntitlement: Hashable, Sendable {
    /// The same from night to night.
    package var id: String
    /// Whose it is.
    package var user: String
    /// The product that is granted.
    package var product: String
    /// The chain that the service believes it comes from.
    package var originalTransaction: String?
    /// Whether access is granted, within `expiresAt`.
    package var isActive: Bool
    /// Nil: without an end.
    package var expiresAt: Moment?
    /// Whether the service believes that it renews.
    package var autoRenew: Bool?
    /// `PURCHASED` or `FAMILY_SHARED`.
    package var ownership: String?
    /// `app_store`, or `legacy_paid` for who paid for the app itself.
    package var source = "app_store"
    /// When the service last touched the row.
    package var updatedAt: Moment
}
