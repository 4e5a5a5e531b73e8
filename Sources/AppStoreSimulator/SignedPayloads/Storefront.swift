/// The country in which a customer buys, and what things cost there.
struct Storefront: Sendable, Equatable {
    /// ISO 3166-1, of three letters.
    let country: String
    /// Apple's number of it.
    let id: String
    /// ISO 4217.
    let currency: String
    /// Of a price in US dollars.
    private let factor: Int
    /// The smallest step of a price, in thousandths of the currency.
    private let step: Int

    static let unitedStates = Storefront(
        country: "USA", id: "143441", currency: "USD", factor: 1, step: 10)

    /// Most customers are in the United States.
    static func of(_ customer: Int) -> Storefront {
        switch customer % 10 {
        case 6, 7: Storefront(country: "DEU", id: "143443", currency: "EUR", factor: 1, step: 10)
        case 8: Storefront(country: "GBR", id: "143444", currency: "GBP", factor: 1, step: 10)
        case 9: Storefront(country: "JPN", id: "143462", currency: "JPY", factor: 150, step: 1_000)
        default: unitedStates
        }
    }

    /// What was paid for all of a purchase, after offers, in thousandths of the currency.
    func price(of purchase: Purchase) -> Int {
        guard !purchase.isTrial, !purchase.isShared else { return 0 }
        let percent =
            purchase.isIntroductory || purchase.offerCode != nil
            ? 50 : purchase.promotionalOffer != nil ? 80 : 100
        let full = purchase.product.thousandths * factor
        return full * percent / 100 / step * step * purchase.quantity
    }
}

extension SimulatedProduct {
    /// The price in thousandths of a dollar.
    fileprivate var thousandths: Int {
        let parts = price.split(separator: ".")
        let cents = parts.count > 1 ? Int(parts[1].prefix(2)) : 0
        return (Int(parts[0]) ?? 0) * 1_000 + (cents ?? 0) * 10
    }
}
