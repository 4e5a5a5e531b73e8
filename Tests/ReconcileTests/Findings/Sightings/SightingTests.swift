import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case, copy a line and change its label, receipts, rows and all sightings of the user.
@Suite("A purchase and a paid app's receipt seen in a user's evidence")
struct SightingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let receipts: [ShownReceipt]
        let rows: [Row]
        let sightings: [Sighting]

        init(
            _ label: String, receipts: [ShownReceipt], rows: [Row] = [], sightings: [Sighting]
        ) {
            testDescription = label
            self.receipts = receipts
            self.rows = rows
            self.sightings = sightings
        }
    }

    /// What is kept to be compared with other users', and the row that relies on it, if any.
    enum Sighting: Equatable, Sendable {
        case purchase(TransactionID, of: EntitlementID?)
        case receipt(ReceiptID, of: EntitlementID?, ProductID?, until: Instant?)

        static func purchase(_ id: TransactionID) -> Sighting { .purchase(id, of: nil) }

        static func receipt(_ id: ReceiptID) -> Sighting { .receipt(id, of: nil, nil, until: nil) }

        static func receipt(
            _ id: ReceiptID, of row: EntitlementID, _ product: ProductID, until end: Double
        ) -> Sighting {
            .receipt(id, of: row, product, until: .day(end))
        }
    }

    /// The best grantor is active, else in grace; of the row's product, else its chain, which may
    /// be of another right; else the last one, and of equals the smallest id.
    @Test(
        "Each own purchase is kept once, with the granted row whose best grantor it is, if any",
        arguments: [
            Case(
                "two periods of a chain, another chain, a pass and a product, without a row",
                receipts: [
                    .answer(
                        .pro(bought: -40), .pro(bought: -10), .solo(bought: -10, original: "3"),
                        .pass(bought: -1), .unlock(bought: -1))
                ], sightings: [.purchase("1"), .purchase("3"), .purchase("4"), .purchase("5")]),
            Case(
                "a pass and its row", receipts: [.answer(.pass(bought: -1))],
                rows: [.pass(until: 29)], sightings: [.purchase("1", of: "e1")]),
            Case(
                "a purchase after the judgement", receipts: [.answer(.pro(bought: 1))],
                sightings: []),
            Case("a consumable", receipts: [.answer(.coins(bought: -1))], sightings: []),
            Case(
                "a pass of unknown duration", receipts: [.answer(.passWithoutDuration(bought: -1))],
                sightings: []),
            Case(
                "a product of a kind that nothing says", receipts: [.answer(.unlisted(bought: -1))],
                sightings: []),
            Case(
                "a subscription that the family shares",
                receipts: [.answer(.pro(bought: -10, ownership: .familyShared))], sightings: []),
            Case(
                "a consumable and a shared subscription, with rows",
                receipts: [
                    .answer(.coins(bought: -1), .pro(bought: -10, ownership: .familyShared))
                ], rows: [.coins(until: 20), .pro(until: 20)], sightings: []),
            Case(
                "a product that the family shares",
                receipts: [.answer(.unlock(bought: -10, ownership: .familyShared))], sightings: []),
            Case(
                "a test purchase", receipts: [.answer(.pro(bought: -10), environment: .sandbox)],
                sightings: []),
            Case(
                "a purchase in another app",
                receipts: [.answer(.pro(bought: -10), saysApp: "other")], sightings: []),
            Case(
                "a period that was upgraded",
                receipts: [.answer(.pro(bought: -10, isUpgraded: true))],
                sightings: [.purchase("1")]),
            Case(
                "a product outside the catalogue, with an expiry",
                receipts: [.answer(.unlisted(bought: -10, until: 20))],
                sightings: [.purchase("1")]),
            Case(
                "a row that is not active", receipts: [.answer(.pro(bought: -10))],
                rows: [.pro(isActive: false)], sightings: [.purchase("1")]),
            Case(
                "a row that has ended", receipts: [.answer(.pro(bought: -10))],
                rows: [.pro(until: -1)], sightings: [.purchase("1")]),
            Case(
                "a gift", receipts: [.answer(.pro(bought: -10))],
                rows: [.pro(until: 20, source: .gift)], sightings: [.purchase("1")]),
            Case(
                "a row as paid for", receipts: [.answer(.pro(bought: -10))],
                rows: [.pro(until: 20, source: .legacyPaid)], sightings: [.purchase("1")]),
            Case(
                "a row that changed after the judgement", receipts: [.answer(.pro(bought: -10))],
                rows: [.pro(until: 20, changed: 0.1)], sightings: [.purchase("1")]),
            Case(
                "a row of another group", receipts: [.answer(.pro(bought: -10))],
                rows: [.solo(until: 20)], sightings: [.purchase("1")]),
            Case(
                "an active purchase before one in grace",
                receipts: [
                    .answer(
                        .max(bought: -20), .pro(bought: -31, original: "2"),
                        .renewal(.grace(until: 40), original: "2"))
                ], rows: [.pro()], sightings: [.purchase("1", of: "e1"), .purchase("2")]),
            Case(
                "a purchase in grace before an ended one that the row names",
                receipts: [
                    .answer(
                        .pro(bought: -31), .max(bought: -90, original: "2"),
                        .renewal(.grace(until: 40), original: "2"))
                ], rows: [.pro(original: "1")],
                sightings: [.purchase("1"), .purchase("2", of: "e1")]),
            Case(
                "the first of two products that are owned for good, or the last one",
                receipts: [.answer(.unlock(bought: -60), .unlock(bought: -5))], rows: [.unlock()],
                sightings: [.purchase("1"), .purchase("2", of: "e1")]),
            Case(
                "the row's product before a longer one of its group",
                receipts: [.answer(.yearly(bought: -5), .pro(bought: -20, original: "2"))],
                rows: [.pro()], sightings: [.purchase("1"), .purchase("2", of: "e1")]),
            Case(
                "the row's product, and of two chains the one that it names",
                receipts: [
                    .answer(
                        .yearly(bought: -5), .pro(bought: -20, original: "2"),
                        .pro(bought: -10, original: "3"))
                ], rows: [.pro(original: "2")],
                sightings: [.purchase("1"), .purchase("2", of: "e1"), .purchase("3")]),
            Case(
                "of two chains of the product the later one",
                receipts: [
                    .answer(
                        .pro(bought: -20, id: "2", original: "2"),
                        .pro(bought: -10, id: "3", original: "3"))
                ], rows: [.pro()], sightings: [.purchase("2"), .purchase("3", of: "e1")]),
            Case(
                "of two chains of the product with one end that with the smaller id",
                receipts: [
                    .answer(
                        .pro(bought: -10, id: "4", original: "4"),
                        .pro(bought: -10, id: "3", original: "3"))
                ], rows: [.pro()], sightings: [.purchase("3", of: "e1"), .purchase("4")]),
            Case(
                "a chain of another group that the row names",
                receipts: [.answer(.solo(bought: -10, id: "7", original: "7"))],
                rows: [.pro(original: "7")], sightings: [.purchase("7", of: "e1")]),
            Case(
                "a chain of another group that the row does not name",
                receipts: [.answer(.solo(bought: -10, id: "7", original: "7"))], rows: [.pro()],
                sightings: [.purchase("7")]),
        ])
    func purchases(example: Case) {
        let kept = Judge.acme.judgement(example.receipts, rows: example.rows).purchases
        #expect(kept.allSatisfy { $0.user == "u" })
        let seen = kept.map { Sighting.purchase($0.originalID, of: $0.grant?.entitlement) }
        #expect(seen == example.sightings)
    }

    @Test(
        "Every receipt that says paid, or may, is kept, with the granted row that relies on it",
        arguments: [
            Case(
                "two receipts that say paid, without a row",
                receipts: [.answer(version: "4.0"), .answer(version: "4.0")],
                sightings: [.receipt("r1"), .receipt("r2")]),
            Case(
                "two receipts that say paid, and a row",
                receipts: [.answer(version: "4.0"), .answer(version: "4.0")],
                rows: [.full(until: 20, source: .legacyPaid)],
                sightings: [
                    .receipt("r1", of: "e1", "full", until: 20),
                    .receipt("r2", of: "e1", "full", until: 20),
                ]),
            Case("a version that is too late", receipts: [.answer(version: "5.0")], sightings: []),
            Case("no version", receipts: [.answer(version: nil)], sightings: []),
            Case(
                "an iOS 6 receipt, which is about one purchase",
                receipts: [.answer(version: "4.0", isIOS6: true)], sightings: []),
            Case(
                "a receipt that Apple says is another app's",
                receipts: [.answer(saysApp: "other", version: "4.0")], sightings: []),
            Case(
                "a test purchase's receipt, which may hide one that says paid",
                receipts: [.answer(version: "4.0", environment: .sandbox)],
                rows: [.full(source: .legacyPaid)], sightings: [.receipt("r1")]),
            Case(
                "an unchecked receipt, which may say paid", receipts: [.unchecked],
                rows: [.full(source: .legacyPaid)], sightings: [.receipt("r1")]),
            Case(
                "a deleted account's receipt, which may have said paid", receipts: [.accountGone],
                rows: [.full(source: .legacyPaid)], sightings: [.receipt("r1")]),
            Case(
                "a row that is not active", receipts: [.answer(version: "4.0")],
                rows: [.full(isActive: false, source: .legacyPaid)], sightings: [.receipt("r1")]),
            Case(
                "a row of the store's", receipts: [.answer(version: "4.0")], rows: [.full()],
                sightings: [.receipt("r1")]),
            Case(
                "a row of another product", receipts: [.answer(version: "4.0")],
                rows: [.unlock(source: .legacyPaid)], sightings: [.receipt("r1")]),
            Case(
                "a row that changed after the judgement", receipts: [.answer(version: "4.0")],
                rows: [.full(changed: 0.1, source: .legacyPaid)], sightings: [.receipt("r1")]),
        ])
    func receipts(example: Case) {
        let kept = Judge.acme.judgement(example.receipts, rows: example.rows).receipts
        #expect(kept.allSatisfy { $0.user == "u" })
        #expect(kept.allSatisfy { $0.bundle == "acme" })
        let seen = kept.map { sighting in
            Sighting.receipt(
                sighting.receipt, of: sighting.grant?.entitlement, sighting.grant?.product,
                until: sighting.grant?.expiresAt)
        }
        #expect(seen == example.sightings)
        // Without a paid app none is kept.
        let other = Judge(Catalog()).judgement(example.receipts, rows: example.rows)
        #expect(other.receipts.isEmpty)
    }
}
