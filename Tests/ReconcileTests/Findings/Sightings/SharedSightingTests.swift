import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: judge receipts and rows by their builders, and compare the sightings.
@Suite("A sighting that several users share")
struct SharedSightingTests {
    private static let ended = PurchaseSighting.Grant(
        entitlement: "e1", receipt: "r1", source: .verifyReceipt, product: "pro.monthly",
        transaction: "9",
        ownership: .purchased, state: .expired, endsAt: .day(-10), reason: "unknown",
        bundle: "acme")

    @Test("A purchase has the granted row whose best grantor it is, with its state and end")
    func granted() {
        let ended = Judge.acme.judgement(
            [.answer(.pro(bought: -40, id: "9", original: "8", ownership: .purchased))],
            rows: [.pro(until: 20), .yearly(until: 20)])
        #expect(ended.purchases.map(\.grant) == [Self.ended])
        let running = Judge.acme.judgement([.answer(.pro(bought: -10))], rows: [.pro(until: 20)])
        let grant = running.purchases.first?.grant
        #expect(grant?.state == .active)
        #expect(grant?.endsAt == .day(20))
        #expect(grant?.reason == nil)
    }

    @Test("A shared purchase is a finding, with the receipt, the purchase and its state")
    func sharedPurchase() {
        let shared = SharedPurchase(
            user: "ann", originalID: "8", grant: Self.ended, users: 3, otherUser: "bob",
            evidenceSHA256: "ab")
        ExpectedFinding(
            kind: .sharedOriginalTransaction, severity: .high, direction: .leak,
            action: .investigate, user: "ann", receipt: "r1", productApple: "pro.monthly",
            originalTransaction: "8", transaction: "9", environment: .production, bundle: "acme",
            ownership: .purchased, state: .expired, appleUntil: -10, reason: "unknown",
            evidence: "ab", reference: "8"
        ).check(shared.finding)
        #expect(
            shared.finding.explanation == """
                The purchase of pro.monthly with the original transaction 8 (expired, end \
                \(Instant.day(-10))), by which entitlement e1 of this user is granted, is in the \
                receipts of 3 users, one of the others being bob: it was paid for once, and \
                receipts cannot tell who paid.
                """)
    }

    @Test("A shared receipt becomes one finding a row, with the receipt and the row")
    func sharedReceipt() {
        let sighting = ReceiptSighting(
            user: "ann", receipt: "r1", bundle: "acme", digest: [0xAB, 0x01])
        let grant = ReceiptSighting.Grant(entitlement: "e1", product: "full", expiresAt: nil)
        let finding = SharedReceipt(sighting, grant: grant, users: 2, otherUser: "bob").finding
        ExpectedFinding(
            kind: .sharedReceipt, severity: .high, direction: .leak, action: .investigate,
            user: "ann", entitlement: "e1", receipt: "r1", productStored: "full",
            environment: .production, bundle: "acme", storedActive: true, reference: "ab01"
        ).check(finding)
        #expect(finding.explanation.contains("is stored for 2 users, the other being bob"))
    }
}
