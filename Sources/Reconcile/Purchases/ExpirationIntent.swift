/// Apple's `expiration_intent`: why a subscription ended. Other codes become `unknown`.
enum ExpirationIntent: String, Hashable, Sendable {
    case voluntary
    case billing
    case priceIncrease = "price_increase"
    case productUnavailable = "product_unavailable"
    case unknown

    init(code: Int) {
        switch code {
        case 1: self = .voluntary
        case 2: self = .billing
        case 3: self = .priceIncrease
        case 4: self = .productUnavailable
        default: self = .unknown
        }
    }
}
