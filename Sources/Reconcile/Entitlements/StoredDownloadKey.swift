/// What the service handed out for a receipt: one row of the view `stored_download_keys`.
package struct StoredDownloadKey: Sendable, Equatable {
    package let receipt: ReceiptID
    /// What the key was cut for.
    package let product: ProductID
    /// What the app calls that which the key opens.
    package let remoteProduct: String
    /// Nil: the asset is opened by a key that was cut for another product.
    package let key: String?
    package let expiresAt: Instant

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

    package func isLive(asOf: Instant) -> Bool { key != nil && expiresAt > asOf }
}

extension StoredDownloadKey: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    package var description: String { "‹redacted›" }
    package var debugDescription: String { "‹redacted›" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
