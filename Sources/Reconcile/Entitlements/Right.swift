enum Right: Hashable, Sendable {
    case group(SubscriptionGroupID)
    case product(ProductID)

    var name: String {
        switch self {
        case .group(let group): group.text
        case .product(let product): product.text
        }
    }
}
