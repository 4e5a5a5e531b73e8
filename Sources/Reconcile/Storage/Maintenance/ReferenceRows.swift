/// Rows of the reference app for some of its users.
package struct ReferenceRows: Sendable {
    var receipts: [StoredReceipt]
    var entitlements: [StoredEntitlement]
    var downloadKeys: [(asset: String, key: StoredDownloadKey)]

    package init(
        receipts: [StoredReceipt], entitlements: [StoredEntitlement],
        downloadKeys: [(asset: String, key: StoredDownloadKey)] = []
    ) {
        self.receipts = receipts
        self.entitlements = entitlements
        self.downloadKeys = downloadKeys
    }
}

package struct ReferenceAsset: Sendable {
    let id: String
    let remoteProduct: String
    let productKey: String
    /// The products that unlock it, with their tiers, 1 to 3.
    let products: [(product: ProductID, tier: Int)]

    package init(
        id: String, remoteProduct: String, productKey: String,
        products: [(product: ProductID, tier: Int)]
    ) {
        self.id = id
        self.remoteProduct = remoteProduct
        self.productKey = productKey
        self.products = products
    }
}
