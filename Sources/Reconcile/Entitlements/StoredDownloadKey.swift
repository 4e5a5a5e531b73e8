package struct StoredDownloadKey: Sendable, Equatable {
    let receipt: ReceiptID
    let product: ProductID
    /// The app's name of the asset.
    let remoteProduct: String
    /// Nil: a key issued for another product opens the asset.
    let key: String?
    let expiresAt: Instant

    package init(
        receipt: ReceiptID, product: ProductID, remoteProduct: String, key: String?,
        expiresAt: Instant
    ) {
        self.receipt = receipt
        self.product = product
        self.remoteProduct = remoteProduct
        self.key = key
        self.expiresAt = expiresAt
    }

    func isLive(asOf: Instant) -> Bool { key != nil && expiresAt > asOf }
}

extension StoredDownloadKey: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    package var description: String { "‹redacted›" }
    package var debugDescription: String { "‹redacted›" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
