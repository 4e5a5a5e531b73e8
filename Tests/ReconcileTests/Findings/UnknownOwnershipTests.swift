import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Who holds a purchase")
struct UnknownOwnershipTests {
    /// What Apple writes as `in_app_ownership_type`; nil where the key is missing.
    private static func answer(_ ownership: String?) throws -> ReceiptEvidence {
        let line = AppleLine.json([
            ("transaction_id", "2"), ("original_transaction_id", "1"),
            ("product_id", "pro.monthly"), ("purchase_date_ms", AppleLine.ms(-10)),
            ("expires_date_ms", AppleLine.ms(20)), ("in_app_ownership_type", ownership),
        ])
        let text = AppleLine.answer(latest: [line])
        let read = try VerifyReceiptAnswer.read(Array(text.utf8), from: .production)
        return .stored("r1", .verified(try #require(read.receipt)))
    }

    @Test(
        "Only what Apple calls PURCHASED, or says nothing of, is bought",
        arguments: [
            ("PURCHASED", true), (nil, true), ("", true), ("FAMILY_SHARED", false),
            ("GROUP_SHARED", false), ("ORGANIZATION", false), ("purchased", false),
        ] as [(String?, Bool)])
    func bought(ownership: String?, isBought: Bool) throws {
        let judgement = Judge.acme.judgement(
            of: .user([try Self.answer(ownership)], rows: [.row(to: 20)]))
        #expect(judgement.purchases.map(\.originalID) == (isBought ? ["1"] : []))
        #expect(judgement.outcome == ["consistent"])
    }

    @Test("An unknown value is not shared either: its withdrawal is a refund")
    func notShared() throws {
        let answer = try Self.answer("GROUP_SHARED")
        guard case .verified(var receipt) = answer.validation else { return }
        receipt.transactions[0].cancelledAt = .day(-4)
        let refunded = ReceiptEvidence.stored("r1", .verified(receipt))
        let judgement = Judge.acme.judgement(of: .user([refunded], rows: [.row(to: 20)]))
        #expect(judgement.outcome == ["refund_recorded", "refunded_still_granted e1"])
    }

    @Test("A row's own ownership is never called a mismatch of an unknown value")
    func noMismatch() throws {
        var row = StoredEntitlement.row(to: 20)
        row = StoredEntitlement(
            id: row.id, user: row.user, product: row.product, isActive: true,
            expiresAt: row.expiresAt, ownership: .familyShared, updatedAt: row.updatedAt)
        let judgement = Judge.acme.judgement(of: .user([try Self.answer("GROUP")], rows: [row]))
        #expect(judgement.outcome == ["consistent"])
    }
}
