import Testing

@testable import Reconcile
@testable import TestSupport

/// Findings that are made at the end of a run have the same lifecycle as others.
@Suite("Findings across users over several nightly runs", .timeLimit(.minutes(10)))
struct HistoryAcrossUsersTests {
    private static let running = AppleAnswer.period("1", from: -10, to: 20)
    private static let unknown = AppleAnswer.period("9", of: "x.monthly", from: -10, to: 20)
    private static let shared = "shared_original_transaction"

    @Test("A shared subscription persists, stays open without an answer, and is cleared")
    func sharedSubscription() async throws {
        try await Nights.with { nights in
            for user in ["ann", "bob"] {
                try await nights.customer(user, Self.running, isGranted: true)
            }
            let first = ["\(Self.shared) ann new", "\(Self.shared) bob new"]
            #expect(try await nights.night().rows() == first)
            let ledger = try await nights.ledger()
            let again = try await nights.night()
            let stays = ["\(Self.shared) ann persisting", "\(Self.shared) bob persisting"]
            #expect(try await again.rows() == stays)
            #expect(try await again.findings().allSatisfy { $0.firstSeen == .asOf })
            #expect(try await nights.ledger() == ledger)
            nights.silence("bob")
            for _ in 0..<2 {
                let silent = try await nights.night()
                #expect(try await silent.rows() == [])
                #expect(try await silent.cleared() == [])
            }
            #expect(
                try await nights.ledgerStates() == [
                    "\(Self.shared) ann open", "\(Self.shared) bob open",
                ])
            nights.answer("bob", Self.running)
            #expect(try await nights.night().rows() == stays)
            nights.answer("bob", AppleAnswer.period("2", from: -10, to: 20))
            #expect(
                try await nights.night().cleared() == ["\(Self.shared) ann", "\(Self.shared) bob"])
            nights.answer("bob", Self.running)
            #expect(
                try await nights.night().rows()
                    == ["\(Self.shared) ann reopened", "\(Self.shared) bob reopened"])
        }
    }

    @Test("An unknown product is cleared by the catalogue, and not by an outage")
    func unknownProduct() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.unknown, isGranted: nil)
            try await nights.customer("bob", Self.running, isGranted: true)
            func isRow(_ lifecycle: String, in night: Night) async throws -> Bool {
                try await night.rows().contains("unknown_product - \(lifecycle)")
            }
            #expect(try await isRow("new", in: try await nights.night()))
            nights.silence("ann")
            #expect(try await nights.night().cleared() == [])
            nights.answer("ann", Self.unknown)
            #expect(try await isRow("persisting", in: try await nights.night()))
            nights.silence("bob")
            try await nights.test.execute(
                """
                insert into team.products values
                    ('x.monthly', 'auto_renewable', null, null, null, '1 month', 1, 'USD')
                """)
            #expect(try await nights.night().cleared() == ["unknown_product -"])
        }
    }

    @Test("An accepted unknown product is reported as accepted")
    func accepted() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.unknown)
            let night = try await nights.night()
            let finding = try #require(
                try await night.findings().first { $0.finding.kind == .unknownProduct })
            _ = try await nights.database.acceptances.accept(
                Acceptance(finding: finding.id, by: "eve", why: "sold elsewhere", until: nil))
            #expect(
                try await nights.night().rows().contains("unknown_product - accepted"))
        }
    }

    @Test("A partial run neither clears nor remembers findings over several users")
    func scoped() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.unknown)
            try await nights.customer("bob", Self.running, isGranted: true)
            _ = try await nights.night()
            let ledger = try await nights.ledger()
            let scoped = try await nights.night(scope: .selected(users: ["bob"], receipts: []))
            #expect(try await scoped.cleared() == [])
            #expect(try await nights.ledger() == ledger)
        }
    }

    @Test("A partial run over one of two sharing users clears neither finding")
    func scopedShared() async throws {
        try await Nights.with { nights in
            for user in ["ann", "bob"] {
                try await nights.customer(user, Self.running, isGranted: true)
            }
            _ = try await nights.night()
            let scoped = try await nights.night(scope: .selected(users: ["bob"], receipts: []))
            #expect(try await scoped.rows() == [])
            #expect(try await scoped.cleared() == [])
        }
    }

    @Test("A replay for one user reports only that user's cleared findings")
    func replayOfOne() async throws {
        try await Nights.with { nights in
            for user in ["ann", "bob"] {
                try await nights.customer(user, Self.running, isGranted: false)
            }
            try await nights.customer("eve", Self.unknown)
            _ = try await nights.night()
            for user in ["ann", "bob"] { try await nights.set(user, isGranted: true) }
            nights.answer("bob", AppleAnswer.period("2", from: -10, to: 20))
            nights.answer("eve", Self.running)
            let second = try await nights.night()
            let whole = ["active_not_granted ann", "active_not_granted bob", "unknown_product -"]
            #expect(try await second.cleared() == whole)
            #expect(try await nights.night(replaying: second).cleared() == whole)
            let one = try await nights.night(
                scope: .selected(users: ["bob"], receipts: []), replaying: second)
            #expect(try await one.cleared() == ["active_not_granted bob"])
        }
    }

    @Test("A shared receipt of a paid app stays open without an answer, and is cleared with one")
    func sharedReceipt() async throws {
        try await Nights.with { nights in
            try await nights.test.sell("full", kind: "non_consumable")
            try await nights.test.execute(
                "insert into team.apps values ('acme', '4.10', null, 'full')")
            let one = TestDatabase.receipt("ann")
            for user in ["ann", "bob"] {
                try await nights.test.store(receipt: user, of: user, data: .text(one))
                try await nights.test.store(
                    entitlement: "e-\(user)", of: user, to: "full", source: "legacy_paid")
            }
            nights.answer("ann", .reply(AppleLine.answer(version: "4.2")))
            let both = ["shared_receipt ann", "shared_receipt bob"]
            #expect(try await nights.night().rows() == both.map { $0 + " new" })
            nights.silence("ann")
            #expect(try await nights.night().cleared() == [])
            nights.answer("ann", .reply(AppleLine.answer(version: "4.2")))
            #expect(try await nights.night().rows() == both.map { $0 + " persisting" })
            try await nights.store(TestDatabase.receipt("bob"), of: "bob")
            nights.answer("bob", .reply(AppleLine.answer(version: "4.2")))
            #expect(try await nights.night().cleared() == both)
        }
    }
}
