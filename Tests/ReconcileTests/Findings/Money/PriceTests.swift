import Testing

@testable import Reconcile

/// To add a price, copy a line: what the catalogue stores, its currency, and how it is printed.
@Suite("A list price in a sentence")
struct PriceTests {
    struct Example: CustomTestStringConvertible {
        let listPrice: String
        let currency: String
        let printed: String

        init(_ listPrice: String, _ currency: String, _ printed: String) {
            self.listPrice = listPrice
            self.currency = currency
            self.printed = printed
        }

        var testDescription: String { "\(listPrice) \(currency) is printed as \(printed)" }
    }

    @Test(
        "A price is printed with the decimals of its currency, however the catalogue stores it",
        arguments: [
            Example("9.99", "USD", "9.99 USD"),
            Example("4.9900000000000000", "USD", "4.99 USD"),
            Example("4.9", "USD", "4.90 USD"),
            Example("29", "USD", "29.00 USD"),
            Example("0", "USD", "0.00 USD"),
            Example("4.99", "usd", "4.99 USD"),
            Example("980", "JPY", "980 JPY"),
            Example("980.00", "JPY", "980 JPY"),
            Example("1.5", "KWD", "1.500 KWD"),
            Example("3.3333333333333333", "USD", "3.33 USD"),
            Example("4.995", "USD", "5.00 USD"),
            Example("4.985", "USD", "4.98 USD"),
        ])
    func printed(example: Example) throws {
        let price = try #require(Price(of: product(example)))
        #expect(price.inWords == example.printed)
    }

    @Test("A price that is printed rounded is computed with exactly")
    func exact() throws {
        let price = try #require(Price(of: product(Example("4.985", "USD", ""))))
        #expect(price.part(100_000, times: 10)?.text == "49.85")
    }

    private func product(_ example: Example) -> CatalogProduct {
        CatalogProduct(
            id: "unlock", kind: .nonConsumable, listPrice: example.listPrice,
            currency: example.currency)
    }
}
