extension ReceiptPayload {
    /// From attribute 1707, which verifyReceipt's answers lack. Without `catalogued` products,
    /// subscriptions, and products whose purchases name different kinds.
    func kinds(excluding catalogued: Set<ProductID>) -> [ProductID: ProductKind] {
        var types: [ProductID: Set<Int64?>] = [:]
        for purchase in purchases {
            guard let product = purchase.product, !catalogued.contains(product) else { continue }
            types[product, default: []].insert(purchase.productType)
        }
        return types.compactMapValues { types in
            types.count == 1 ? ProductKind(signed: types.first.flatMap(\.self)) : nil
        }
    }
}

extension ProductKind {
    /// Attribute 1707; nil for a subscription, of which it says no more than its expiry.
    init?(signed type: Int64?) {
        switch type {
        case 0: self = .nonConsumable
        case 1: self = .consumable
        case 2: self = .nonRenewing
        default: return nil
        }
    }
}
