/// The kinds of products, which verifyReceipt's answers do not have (attribute 1707).
extension ReceiptPayload {
    /// Without the products in `catalogued`, and without subscriptions, which an answer shows by
    /// their expiry. A product for which two purchases say different things is left out.
    func kinds(besides catalogued: Set<ProductID>) -> [ProductID: ProductKind] {
        var kinds: [ProductID: ProductKind] = [:]
        var contested: Set<ProductID> = []
        for purchase in purchases {
            guard let product = purchase.product, !catalogued.contains(product),
                let kind = purchase.kind, kind != .autoRenewable
            else { continue }
            if let other = kinds.updateValue(kind, forKey: product), other != kind {
                contested.insert(product)
            }
        }
        return contested.isEmpty ? kinds : kinds.filter { !contested.contains($0.key) }
    }
}

extension InAppPurchase {
    fileprivate var kind: ProductKind? {
        switch productType {
        case 0: .nonConsumable
        case 1: .consumable
        case 2: .nonRenewing
        case 3: .autoRenewable
        default: nil
        }
    }
}
