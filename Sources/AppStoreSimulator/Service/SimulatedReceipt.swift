/// A row of the service's own table of receipts.
package struct SimulatedReceipt: Hashable, Sendable {
    /// The same from night to night.
    package let id: String
    /// Whose it is.
    package let user: String
    /// The app that it was stored for.
    package let bundle: String
    /// Base64, as it came: damaged at times, and at times no receipt at all.
    package let data: String
    /// When it was stored.
    package let storedAt: Moment
}
