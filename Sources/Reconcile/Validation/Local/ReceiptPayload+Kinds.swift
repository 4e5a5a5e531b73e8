extension ReceiptPayload {
    /// From attribute 1707, which verifyReceipt's answers lack. Without `catalogued` products,
    /// subscriptions, and products whose purchases name different kinds.
    func kinds(besides catalogued: Set<ProductID>) -> [ProductID: ProductKind] {
        var types: [ProductID: Set<Int64?>] = [:]
        for purchase in purchases {
            guard let product = purchase.product, !catalogued.contains(product) else { continue }
            types[product, default: []].insert(purchase.productType)
        }
        return types.compactMapValues { types in
            guard types.count == 1, let type = types.first.flatMap(\.self) else { return nil }
            switch type {
            case 0: return .nonConsumable
            case 1: return .consumable
            case 2: return .nonRenewing
            default: return nil
            }
        }
    }
}
