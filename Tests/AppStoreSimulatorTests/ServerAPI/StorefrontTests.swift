import Testing

@testable import AppStoreSimulator
@testable import TestSupport

/// To add a case, copy a row of its table.
@Suite("A simulated storefront")
struct StorefrontTests {
    @Test(
        "A price is what was paid for all of a purchase, in the customer's currency",
        arguments: [
            (customer: 0, quantity: 1, isIntroductory: false, price: 990, currency: "USD"),
            (0, 3, false, 2_970, "USD"), (7, 1, false, 990, "EUR"), (8, 2, true, 980, "GBP"),
            (9, 1, false, 148_000, "JPY"),
        ])
    func prices(
        customer: Int, quantity: Int, isIntroductory: Bool, price: Int, currency: String
    ) {
        var purchase = Purchase(
            SimulatedApp.atlas.product("coins"), id: 1, at: .fixture)
        purchase.quantity = quantity
        purchase.isIntroductory = isIntroductory
        let storefront = Storefront.of(customer)
        #expect(storefront.price(of: purchase) == price)
        #expect(storefront.currency == currency)
        purchase.isTrial = true
        #expect(storefront.price(of: purchase) == 0)
    }
}
