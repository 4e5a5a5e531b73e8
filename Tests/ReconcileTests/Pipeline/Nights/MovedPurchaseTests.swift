import Testing

@testable import Reconcile
@testable import TestSupport

/// A refund or an end over several runs, when Apple shows it under another transaction id, takes it
/// back, or the receipt moves to another user.
@Suite("A purchase that changes", .nights, .timeLimit(.minutes(10)))
struct MovedPurchaseTests: NightSuite {
    private func show(_ kind: String, _ id: String, order: String, _ state: String) {
        let end: Double? = state == "refunded" ? -5 : nil
        let month = AppleLine.period(id, of: "1", from: -10, to: 20, cancelled: end, order: order)
        let unlock = AppleLine.once(id, of: "1", "unlock", bought: -60, cancelled: end)
        let answer =
            kind == "month" ? AppleLine.answer(latest: [month]) : AppleLine.answer(inApp: [unlock])
        self.answer("ann", .reply(answer))
    }

    /// - Parameter row: the second answer's kind, transaction, order and state, and what is
    ///   reported. The first answer shows transaction 10, refunded.
    @Test(
        "A refund is reported once though the purchase gets another id, and its reversal is owed",
        arguments: textTable(
            """
            month  | 20 | 77 | refunded |
            month  | 5  | 77 | refunded |
            month  | 20 | 78 | refunded | refund_recorded ann new
            unlock | 20 |    | refunded |
            month  | 20 | 77 |          | refund_reversed_not_restored ann new
            unlock | 20 |    |          | refund_reversed_not_restored ann new
            """))
    func refund(row: [String]) async throws {
        try await customer("ann")
        show(row[0], "10", order: "77", "refunded")
        try await night("refund_recorded ann new")
        show(row[0], row[1], order: row[2], row[3])
        try await night(row[4])
    }

    @Test("An expiry is reported once a user when the receipt moves to another user")
    func endMoves() async throws {
        try await customer("ann", AppleAnswer.ended())
        try await night("expired ann new")
        try await night("")
        try await test.execute("update team.receipts set who = 'bob'")
        try await night("expired bob new")
        try await night("")
        try await test.execute("update team.receipts set who = 'ann'")
        try await night("")
    }

    @Test("An expiry is reported to each of two users, with or without a granted row")
    func endOfTwo() async throws {
        try await customer("ann", AppleAnswer.ended(), isGranted: true)
        try await customer("bob", AppleAnswer.ended(), isGranted: false)
        let rows = try await night().rows()
        #expect(rows.hasPrefix("expired bob new, expired_still_granted ann new"))
    }

    @Test("For another user the purchase is owed as usual, since refunds are kept by user")
    func moved() async throws {
        try await customer("ann", AppleAnswer.refunded())
        try await night("refund_recorded ann new")
        try await test.execute("update team.receipts set who = 'bob'")
        answer("ann", AppleAnswer.running("2"))
        try await night("active_not_granted bob new")
        try await test.store(entitlement: "e", of: "bob", expires: "2026-12-10T02:00:00Z")
        try await night("", cleared: "active_not_granted bob")
    }

    @Test("A refund that moved to another user is not reported again, and can be reversed there")
    func movedWhileCancelled() async throws {
        try await customer("ann", AppleAnswer.refunded())
        try await night("refund_recorded ann new")
        try await test.execute("update team.receipts set who = 'bob'")
        let money = try await night("").summary.money
        #expect(money.amounts(.refunded).allSatisfy { $0.minorUnits == 0 })
        #expect(
            try await ledgerStates()
                == "refund_recorded ann event, refund_recorded bob remembered")
        answer("ann", AppleAnswer.running("2"))
        try await night("refund_reversed_not_restored bob new")
    }

    @Test("A run with an earlier as_of takes no refund for reversed")
    func earlier() async throws {
        try await customer("ann", AppleAnswer.refunded())
        try await customer("bob", AppleAnswer.refunded("3"), isGranted: true)
        try await night(
            "refund_recorded ann new, refund_recorded bob new, refunded_still_granted bob new")
        try await night(
            "active_not_granted ann new", cleared: "refunded_still_granted bob", day: -7)
        try await night(
            "refunded_still_granted bob reopened", cleared: "active_not_granted ann", day: 0.5)
    }

    @Test("A refund beyond the horizon counts as reported, so a longer horizon causes no flood")
    func horizon() async throws {
        try await customer("ann", AppleAnswer.period("2", from: -150, to: -110, cancelled: -140))
        try await night("")
        #expect(try await ledgerStates() == "refund_recorded ann remembered")
        try await night("", eventHorizon: .seconds(365 * 86_400))
        answer("ann", AppleAnswer.period("2", from: -150, to: -110))
        // No report has the refund that would be reversed.
        try await night("")
    }
}
