import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("An upgrade that a stored receipt does not mark")
struct InferredUpgradeTests {
    /// The purchases of one chain, with the ids 1, 2 and so on; and the one that was upgraded. A
    /// renewal is charged up to a day before its period begins, so that it may be later than the
    /// upgrade that cancels it. To add a case, copy one.
    struct Chain: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let purchases: [Purchase]
        var upgraded: TransactionID?
    }

    struct Purchase: Sendable {
        let product: String
        let bought: String
        let ends: String
        let cancelled: String

        /// - Parameter ends: nil for a product that is no subscription.
        init(_ product: String, _ bought: String, to ends: String?, cancelled: String? = nil) {
            self.product = product
            self.bought = bought
            self.ends = ends ?? ""
            self.cancelled = cancelled ?? ""
        }
    }

    private static func date(_ month: Int, _ day: Int, _ time: String = "00:00:00") -> String {
        func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "2024-\(digits(month))-\(digits(day))T\(time)Z"
    }

    private static let month = Purchase("pro", date(5, 1), to: date(6, 1))
    /// Bought half a day before the month ends.
    private static let year = Purchase(
        "max", date(5, 31, "12:00:00"), to: date(12, 31, "12:00:00"))

    @Test(
        "A period counts as upgraded only where nothing else explains the purchases",
        arguments: [
            Chain(
                testDescription: "another bought within it",
                purchases: [month, Purchase("max", date(5, 20), to: date(6, 20))], upgraded: "1"),
            Chain(
                testDescription: "cancelled at that moment",
                purchases: [
                    Purchase(
                        "pro", date(5, 1), to: date(6, 1), cancelled: date(5, 31, "12:00:30")),
                    Purchase("max", date(5, 31, "12:00:00"), to: date(6, 20)),
                ], upgraded: "1"),
            Chain(
                testDescription: "followed by the other, charged early",
                purchases: [month, Purchase("max", date(5, 31, "12:00:00"), to: date(6, 20))]),
            Chain(
                testDescription: "refunded long before the other",
                purchases: [
                    Purchase("pro", date(5, 1), to: date(6, 1), cancelled: date(5, 3)),
                    Purchase("max", date(7, 1), to: date(8, 1)),
                ]),
            Chain(
                testDescription: "the same product",
                purchases: [month, Purchase("pro", date(5, 20), to: date(6, 20))]),
            Chain(
                testDescription: "the other bought before it",
                purchases: [month, Purchase("max", date(4, 20), to: date(6, 20))], upgraded: "2"),
            Chain(
                testDescription: "the other no subscription",
                purchases: [month, Purchase("max", date(5, 20), to: nil)]),
            Chain(
                testDescription: "charged ahead, and replaced before it began",
                purchases: [month, year, Purchase("pro", date(6, 1), to: date(7, 1))],
                upgraded: "3"),
            Chain(
                testDescription: "the same, cancelled when the other was bought",
                purchases: [
                    month, year,
                    Purchase(
                        "pro", date(6, 1), to: date(7, 1), cancelled: date(5, 31, "12:00:02")),
                ], upgraded: "3"),
            Chain(
                testDescription: "the same, downgrading",
                purchases: [month, year, Purchase("lite", date(6, 1), to: date(7, 1))],
                upgraded: "3"),
            Chain(
                testDescription: "not beginning where another ended",
                purchases: [
                    Purchase("pro", date(5, 1), to: date(5, 20)), year,
                    Purchase("pro", date(6, 1), to: date(7, 1)),
                ], upgraded: "2"),
        ])
    func infersUpgrade(chain: Chain) throws {
        let purchases = zip(1..., chain.purchases).map { number, purchase in
            PayloadForge.purchase(
                purchase.product, id: "\(number)", of: "1", at: purchase.bought,
                expires: purchase.ends, cancelled: purchase.cancelled)
        }
        let report = try OfflineReadingTests.report(PayloadForge(purchases: purchases).signed())
        #expect(report.attempts.detail == nil)
        guard case .verified(let receipt) = report.validation else {
            Issue.record("\(report.validation)")
            return
        }
        #expect(receipt.transactions.count == purchases.count)
        let upgraded = receipt.transactions.filter(\.isUpgraded).map(\.id)
        #expect(upgraded == [chain.upgraded].compactMap(\.self))
    }
}
