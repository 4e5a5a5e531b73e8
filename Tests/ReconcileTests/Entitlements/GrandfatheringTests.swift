import Testing

@testable import Reconcile

@Suite("An app version")
struct AppVersionTests {
    @Test(
        "Versions are compared part by part as numbers",
        arguments: [
            ("1.9", "1.10", true), ("1.10", "1.9", false), ("2", "2.0", false),
            ("2.0", "2", false), ("010", "10", false), ("1.0.1", "1.0", false),
            ("1.0", "1.0.1", true), ("99999999999999999999", "100000000000000000000", true),
            ("0", "0.0.1", true),
        ])
    func compared(left: String, right: String, isLess: Bool) throws {
        let (left, right) = (try #require(AppVersion(left)), try #require(AppVersion(right)))
        #expect((left < right) == isLess)
    }

    @Test(
        "A version with a part that is not a number is undecidable",
        arguments: ["", "1.", ".1", "1.0b2", "72e87690", "１"])
    func none(text: String) { #expect(AppVersion(text) == nil) }
}

@Suite("An app that was paid for before it became free")
struct GrandfatheringTests {
    private func verdict(
        _ receipts: [VerifiedReceipt], catalog: Catalog = .acme
    ) -> Grandfathering.Verdict? {
        Grandfathering(receipts: receipts, catalog: catalog)
            .ruling(on: .product("full"))?.verdict
    }

    @Test(
        "The original version decides whether the app was paid for",
        arguments: [
            ("4.9", .paid), ("4.10", .paid), ("4.10.0", .paid), ("4.11", .notPaid),
            ("5", .notPaid), ("4.1b2", .undecidable), (nil, .undecidable),
        ] as [(String?, Grandfathering.Verdict)])
    func version(version: String?, expected: Grandfathering.Verdict) {
        #expect(verdict([.stored(.showing(version: version))]) == expected)
    }

    @Test("One receipt that says paid is enough; without one, an undecidable receipt decides")
    func several() {
        let paid = VerifiedReceipt.stored(.showing(version: "4.0"))
        let unpaid = VerifiedReceipt.stored(.showing(version: "5.0"))
        let unknown = VerifiedReceipt.stored(.showing(version: nil))
        #expect(verdict([unpaid, unknown, paid]) == .paid)
        #expect(verdict([unknown, unpaid]) == .undecidable)
        #expect(verdict([unpaid, unknown]) == .undecidable)
        #expect(verdict([unpaid]) == .notPaid)
    }

    @Test("All apps with the premium product count, and the smallest paid receipt decides")
    func severalApps() {
        let catalog = Catalog.acme.with(
            CatalogApp(bundle: "twin", lastPaidVersion: "2", premiumProduct: "full"))
        func got(_ id: ReceiptID, _ bundle: BundleID, _ version: String?) -> VerifiedReceipt {
            VerifiedReceipt(
                id: id, storedBundle: bundle, storedAt: .day(-5),
                receipt: .showing(bundle: bundle, version: version))
        }
        let paid = [got("b", "twin", "1.9"), got("a", "acme", "5"), got("c", "twin", "2.0")]
        for receipts in [paid, paid.reversed()] {
            let ruling = Grandfathering(receipts: receipts, catalog: catalog)
                .ruling(on: .product("full"))
            #expect(ruling?.verdict == .paid && ruling?.source.id == "b")
        }
        let unpaid = [got("b", "twin", "2.1"), got("a", "acme", "5")]
        #expect(verdict(unpaid, catalog: catalog) == .notPaid)
        #expect(verdict(unpaid + [got("c", "twin", "")], catalog: catalog) == .undecidable)
    }

    @Test("Sandbox, iOS 6, another app's answer and no receipt decide nothing")
    func silent() {
        #expect(verdict([.stored(.showing(environment: .sandbox, version: "1.0"))]) == nil)
        #expect(verdict([.stored(.showing(style: .iOS6, version: nil))]) == nil)
        #expect(verdict([.stored(.showing(bundle: "other", version: "1.0"))]) == nil)
        #expect(verdict([]) == nil)
    }

    @Test("The purchase date decides if the version cannot and the app has a paid-until date")
    func byDate() {
        let catalog = Catalog.acme.with(
            CatalogApp(
                bundle: "acme", lastPaidVersion: "4.10", paidUntil: .day(-100),
                premiumProduct: "full"))
        func bought(_ day: Double) -> VerifiedReceipt {
            var receipt = Receipt.showing(version: nil)
            receipt.originalPurchaseAt = .day(day)
            return .stored(receipt)
        }
        #expect(verdict([bought(-101)], catalog: catalog) == .paid)
        #expect(verdict([bought(-100)], catalog: catalog) == .notPaid)
    }
}
