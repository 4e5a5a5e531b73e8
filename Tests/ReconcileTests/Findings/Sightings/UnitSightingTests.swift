import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case, copy a row: the answers about one user, and the units that they show. The run
/// counts the 62 days before 2026-11-19, the Pacific day of `Instant.asOf`.
@Suite("The units that a user's answers show")
struct UnitSightingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let receipts: [ShownReceipt]
        let units: [UnitSighting]

        init(_ label: String, _ receipts: ShownReceipt..., shows units: UnitSighting...) {
            testDescription = label
            self.receipts = receipts
            self.units = units
        }
    }

    private static let judge = Judge(
        catalog: .acme,
        settings: JudgingSettings(asOf: .asOf, units: UnitWindow(days: 62, before: .asOf)))

    private static let cases = [
        Case("nothing", .refused),
        Case(
            "a consumable, by quantity", .answer(.coins(bought: -5, id: "7", quantity: 3)),
            shows: .sold(7, at: -5, 3)),
        Case(
            "a refunded consumable is sold and refunded",
            .answer(.coins(bought: -5, id: "7", cancelled: -2)),
            shows: .sold(7, at: -5), .refunded(7, at: -2)),
        Case(
            "a purchase cancelled after the judgement is not cancelled yet",
            .answer(.coins(bought: -5, id: "7", cancelled: 1)), shows: .sold(7, at: -5)),
        Case(
            "a purchase before the days with a refund in them",
            .answer(.coins(bought: -90, id: "7", cancelled: -2)), shows: .refunded(7, at: -2)),
        Case(
            "a renewal is known by its line item",
            .answer(.pro(bought: -10, id: "7", lineItem: "77")),
            shows: .sold(77, at: -10, product: "pro.monthly")),
        Case(
            "a trial", .answer(.pro(bought: -10, id: "7", isTrial: true)),
            shows: .seen(.soldAsTrial, 7, at: -10, 1, "pro.monthly")),
        Case(
            "an upgraded period is sold, and upgraded when it is cancelled",
            .answer(.pro(bought: -10, id: "7", cancelled: -4, isUpgraded: true)),
            shows: .sold(7, at: -10, product: "pro.monthly"),
            .seen(.upgraded, 7, at: -4, 1, "pro.monthly")),
        Case(
            "an upgraded period without a cancellation is sold only",
            .answer(.pro(bought: -10, id: "7", isUpgraded: true)),
            shows: .sold(7, at: -10, product: "pro.monthly")),
        Case(
            "a family share",
            .answer(.pro(bought: -10, id: "7", cancelled: -2, ownership: .familyShared))),
        Case(
            "one period under two ids",
            .answer(
                .pro(bought: -10, id: "7", lineItem: "77"),
                .pro(bought: -9, id: "8", lineItem: "77")),
            shows: .sold(77, at: -9, product: "pro.monthly")),
        Case("another environment", .answer(.coins(bought: -5), environment: .sandbox)),
        Case("another app's answer", .answer(.coins(bought: -5), saysApp: "other")),
        Case(
            "a non-consumable, known by its original id",
            .answer(.unlock(bought: -5, id: "7", original: "6")),
            shows: .sold(6, at: -5, product: "unlock")),
        Case(
            "a restored non-consumable was bought when its first line says",
            .answer(
                .unlock(bought: -5, id: "7", original: "6"),
                .unlock(bought: -20, id: "6", original: "6")),
            shows: .sold(6, at: -20, product: "unlock")),
        Case(
            "... or when its original purchase date says, however long ago",
            .answer(.unlock(bought: -5, id: "7", original: "6", firstBought: -400)),
            shows: .sold(6, at: -400, product: "unlock")),
        Case(
            "... in whichever answer",
            .answer(.unlock(bought: -20, id: "6", original: "6"), made: -18),
            .answer(.unlock(bought: -5, id: "7", original: "6"), made: -3),
            shows: .sold(6, at: -20, product: "unlock")),
        Case(
            "a subscription's original purchase date is that of its chain, and not read",
            .answer(.pro(bought: -10, id: "7", firstBought: -400)),
            shows: .sold(7, at: -10, product: "pro.monthly")),
        Case(
            "a product outside the catalogue", .answer(.unlisted(bought: -5, id: "7")),
            shows: .sold(7, at: -5, product: "theme")),
    ]

    @Test("Purchases and cancellations of the counted days are units", arguments: cases)
    func shows(row: Case) {
        let judgement = Self.judge.judgement(row.receipts, rows: [])
        #expect(judgement.units == row.units)
    }

    @Test("A run that counts no units sees none")
    func uncounted() {
        let judgement = Judge.acme.judgement([.answer(.coins(bought: -5))], rows: [])
        #expect(judgement.units == [])
    }

    @Test("A purchase is known by a hash of an id that is no number, and by a number itself")
    func known() {
        let ids: [TransactionID] = ["7", "07", "a", "b"]
        let known = ids.map { id in
            Self.judge.judgement([.answer(.coins(bought: -5, id: id))], rows: []).units
                .map(\.purchase)
        }
        #expect(known.first == [7])
        #expect(Set(known).count == 4)
    }

    @Test("The days are whole Pacific days before that of as_of, across changes of the clock")
    func days() {
        let window = UnitWindow(days: 62, before: .asOf)
        #expect(window.first.dayText == "2026-09-18")
        #expect(window.last.dayText == "2026-11-18")
        #expect(window.days == 62)
        #expect(window.recordedSince.description == "2026-09-16T07:00:00Z")
    }
}
