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

/// `FreemiumTests` has answers that decide nothing, and apps that were sold until a date.
@Suite("An app that was paid for before it became free")
struct GrandfatheringTests {
    private func ruling(
        _ receipts: [VerifiedReceipt], catalog: Catalog = .acme
    ) -> Grandfathering.Ruling? {
        Grandfathering(receipts: receipts, catalog: catalog).ruling(on: .product("full"))
    }

    @Test(
        "The original version decides; one receipt that says paid is enough, else an odd one wins",
        arguments: [
            ([], nil), (["4.9"], .paid), (["4.10"], .paid), (["4.10.0"], .paid),
            (["4.11"], .notPaid), (["5"], .notPaid), (["4.1b2"], .undecidable),
            ([nil], .undecidable), (["5.0", nil, "4.0"], .paid), ([nil, "5.0"], .undecidable),
            (["5.0", nil], .undecidable),
        ] as [([String?], Grandfathering.Verdict?)])
    func version(versions: [String?], expected: Grandfathering.Verdict?) {
        let receipts = versions.map { VerifiedReceipt.stored(.showing(version: $0)) }
        #expect(ruling(receipts)?.verdict == expected)
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
            let ruling = ruling(receipts, catalog: catalog)
            #expect(ruling?.verdict == .paid && ruling?.source.id == "b")
        }
        let unpaid = [got("b", "twin", "2.1"), got("a", "acme", "5")]
        #expect(ruling(unpaid, catalog: catalog)?.verdict == .notPaid)
        let odd = ruling(unpaid + [got("c", "twin", "")], catalog: catalog)
        #expect(odd?.verdict == .undecidable)
    }
}
