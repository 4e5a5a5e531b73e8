package struct SimulatedReceipt: Hashable, Sendable {
    /// The same on every night.
    package let id: String
    package let user: String
    package let bundle: String
    /// Base64 as received: sometimes damaged, sometimes not a receipt.
    package let data: String
    package let storedAt: Moment
}
