import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a value, copy a line: what Apple writes as `in_app_ownership_type`, nil where the key is
/// missing, and whether the purchase is bought.
@Suite("Who holds a purchase")
struct UnknownOwnershipTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let ownership: String?
        let isBought: Bool

        init(_ ownership: String?, isBought: Bool) {
            self.ownership = ownership
            self.isBought = isBought
        }

        var testDescription: String { ownership ?? "no key" }
    }

    private static func receipt(_ ownership: String?) throws -> Receipt {
        let line = AppleLine.json([
            ("transaction_id", "2"), ("original_transaction_id", "1"),
            ("product_id", "pro.monthly"), ("purchase_date_ms", AppleLine.ms(-10)),
            ("expires_date_ms", AppleLine.ms(20)), ("in_app_ownership_type", ownership),
        ])
        let text = AppleLine.answer(latest: [line])
        let read = try VerifyReceiptAnswer.read(Array(text.utf8), from: .production)
        return try #require(read.receipt)
    }

    private static func judgement(of receipt: Receipt, _ row: Row) -> Judgement {
        Judge.acme.judgement(
            of: [.stored("r1", .verified(receipt))], [row.entitlement(number: 1)])
    }

    @Test(
        "Only what Apple calls PURCHASED, or says nothing of, is bought",
        arguments: [
            Case("PURCHASED", isBought: true), Case(nil, isBought: true),
            Case("", isBought: true), Case("FAMILY_SHARED", isBought: false),
            Case("GROUP_SHARED", isBought: false), Case("ORGANIZATION", isBought: false),
            Case("purchased", isBought: false),
        ])
    func bought(example: Case) throws {
        let receipt = try Self.receipt(example.ownership)
        let judgement = Self.judgement(of: receipt, .pro(until: 20))
        #expect(judgement.purchases.map(\.originalID) == (example.isBought ? ["1"] : []))
        #expect(judgement.verdict(on: "e1") == .consistent)
        #expect(judgement.namesWithoutRow == [])
    }

    @Test("An unknown value is not shared either: its withdrawal is a refund")
    func notShared() throws {
        var receipt = try Self.receipt("GROUP_SHARED")
        receipt.transactions[0].cancelledAt = .day(-4)
        let judgement = Self.judgement(of: receipt, .pro(until: 20))
        #expect(judgement.verdict(on: "e1") == .found(.refundedStillGranted))
        #expect(judgement.namesWithoutRow == ["refund_recorded"])
    }

    @Test("A row's own ownership is never called a mismatch of an unknown value")
    func noMismatch() throws {
        let receipt = try Self.receipt("GROUP")
        let judgement = Self.judgement(of: receipt, .pro(until: 20, ownership: .familyShared))
        #expect(judgement.verdict(on: "e1") == .consistent)
        #expect(judgement.namesWithoutRow == [])
    }
}
