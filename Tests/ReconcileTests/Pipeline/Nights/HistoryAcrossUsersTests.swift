import Testing

@testable import Reconcile
@testable import TestSupport

/// Findings that are made at the end of a run have the same lifecycle as others.
@Suite("Findings across users over several nightly runs", .nights, .timeLimit(.minutes(10)))
struct HistoryAcrossUsersTests: NightSuite {
    private static let cleared = "shared_original_transaction ann, shared_original_transaction bob"

    private static func shared(_ lifecycle: String) -> String {
        cleared.replacing(",", with: " \(lifecycle),") + " \(lifecycle)"
    }

    @Test("A shared subscription persists, stays open without an answer, and is cleared")
    func sharedSubscription() async throws {
        try await couple()
        try await night(Self.shared("new"))
        let ledger = try await ledger()
        let again = try await night(Self.shared("persisting"))
        #expect(try await again.findings().allSatisfy { $0.firstSeen == .asOf })
        #expect(try await self.ledger() == ledger)
        silence("bob")
        for _ in 0..<2 { try await night("") }
        #expect(try await ledgerStates() == Self.shared("open"))
        answer("bob", AppleAnswer.running())
        try await night(Self.shared("persisting"))
        answer("bob", AppleAnswer.running("2"))
        try await night("", cleared: Self.cleared)
        answer("bob", AppleAnswer.running())
        try await night(Self.shared("reopened"))
    }

    @Test("An unknown product can be accepted, and is cleared by the catalogue, not by an outage")
    func unknownProduct() async throws {
        try await customer("ann", AppleAnswer.unknown)
        try await customer("bob", AppleAnswer.running(), isGranted: true)
        try await night("unknown_product - new")
        silence("ann")
        try await night("")
        answer("ann", AppleAnswer.unknown)
        let again = try await night("unknown_product - persisting")
        _ = try await accept(try await again.findings().first?.id)
        try await night("unknown_product - accepted")
        silence("bob")
        try await test.execute(
            """
            insert into team.products values
                ('x.monthly', 'auto_renewable', null, null, null, '1 month', 1, 'USD')
            """)
        try await night("active_not_granted ann new", cleared: "unknown_product -")
    }

    @Test("A partial run neither clears nor remembers findings over several users")
    func scoped() async throws {
        try await couple()
        try await customer("eve", AppleAnswer.unknown)
        try await night("\(Self.shared("new")), unknown_product - new")
        let ledger = try await ledger()
        try await night("", scope: .only("bob"))
        #expect(try await self.ledger() == ledger)
    }

    @Test("A replay for one user reports only that user's cleared findings")
    func replayOfOne() async throws {
        try await couple(isGranted: false)
        try await customer("eve", AppleAnswer.unknown)
        try await night(
            "active_not_granted ann new, active_not_granted bob new, unknown_product - new")
        for user in ["ann", "bob"] { try await set(user, isGranted: true) }
        answer("bob", AppleAnswer.running("2"))
        answer("eve", AppleAnswer.running("3"))
        let whole = "active_not_granted ann, active_not_granted bob, unknown_product -"
        let second = try await night("active_not_granted eve new", cleared: whole)
        try await night("active_not_granted eve new", cleared: whole, replaying: second)
        try await night(
            "", cleared: "active_not_granted bob", scope: .only("bob"), replaying: second)
    }

    @Test("A shared receipt of a paid app stays open without an answer, and is cleared with one")
    func sharedReceipt() async throws {
        try await test.sell("full", kind: "non_consumable")
        try await test.execute("insert into team.apps values ('acme', '4.10', null, 'full')")
        for user in ["ann", "bob"] {
            try await test.store(
                receipt: user, of: user, data: .text(TestDatabase.receipt("ann")))
            try await test.store(
                entitlement: "e-\(user)", of: user, to: "full", source: "legacy_paid")
        }
        let given = LoopbackServer.Act.reply(AppleLine.answer(version: "4.2"))
        answer("ann", given)
        try await night("shared_receipt ann new, shared_receipt bob new")
        silence("ann")
        try await night("")
        answer("ann", given)
        try await night("shared_receipt ann persisting, shared_receipt bob persisting")
        try await store(TestDatabase.receipt("bob"), of: "bob")
        answer("bob", given)
        try await night("", cleared: "shared_receipt ann, shared_receipt bob")
    }
}
