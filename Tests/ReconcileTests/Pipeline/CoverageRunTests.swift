import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: take a `recorded` run, change rows or lose users, and compare what the end says.
@Suite("A run that is compared with the views", .database, .hangLimit)
struct CoverageRunTests: DatabaseSuite {
    /// Each of them has a receipt and an entitlement.
    private static let users = 40

    /// All users are recorded.
    private func recorded(
        scope: Run.Scope = .everything, isTrial: Bool = false
    ) async throws -> Pass {
        try await fill(users: Self.users)
        let apple = try ScriptedApple { ask in [.valid(ask)] }
        let pass = try await Pass(database, apple, scope: scope, isTrial: isTrial)
        try await pass.reconcile()
        return pass
    }

    /// Removes what a failover to a standby without the last commits would have lost.
    private func lose(users: Int) async throws {
        try await execute(
            """
            create table team.lost as
            select user_id from reconcile.user_result order by user_id limit \(users);
            delete from reconcile.user_result where user_id in (select user_id from team.lost);
            delete from reconcile.outcome where user_id in (select user_id from team.lost);
            """)
    }

    @Test("A run that lost recorded users is held, and says how many of what are missing")
    func lost() async throws {
        let pass = try await recorded()
        try await lose(users: 11)
        let summary = try await pass.summary()
        #expect(summary.status == .held)
        #expect(summary.implausible.map(\.by) == ["coverage", "coverage", "coverage"])
        let reasons = summary.implausible.map(\.reason)
        #expect(reasons.first?.hasPrefix("11 of 40 users are missing") == true)
        #expect(reasons.dropFirst().first?.hasPrefix("11 of 40 receipts are missing") == true)
        #expect(reasons.last?.hasPrefix("11 of 40 entitlements are missing") == true)
    }

    @Test("A run that lost ten users of forty is within the tolerance")
    func tolerated() async throws {
        let pass = try await recorded()
        try await lose(users: 10)
        let summary = try await pass.summary()
        #expect(summary.status == .complete)
        #expect(summary.implausible.isEmpty)
    }

    @Test("A run that recorded rows of users twice is held, and says how many are too many")
    func twice() async throws {
        let pass = try await recorded()
        try await execute(
            """
            update reconcile.user_result
            set entitlements_in_scope = 2, entitlements_consistent = 2
            where user_id <= 'u2'
            """)
        let summary = try await pass.summary()
        #expect(summary.status == .held)
        let reasons = summary.implausible.map(\.reason)
        #expect(reasons.count == 1)
        #expect(reasons.first?.hasPrefix("12 entitlements too many") == true)
    }

    @Test("A trial that lost recorded users is held too")
    func trial() async throws {
        let pass = try await recorded(isTrial: true)
        try await lose(users: 11)
        let summary = try await pass.summary()
        #expect(summary.status == .held)
        #expect(summary.implausible.map(\.by) == ["coverage", "coverage", "coverage"])
    }

    @Test("The views are counted at the cut and at the close; rows without a user are no user")
    func counted() async throws {
        try await test.store(receipt: "r-nobody", of: nil)
        let pass = try await recorded()
        try await storeReceipts([(id: "late", user: "zoe"), (id: "later", user: "zoe")])
        let coverage = try #require(try await pass.summary().coverage)
        #expect(coverage.planned == ViewCounts(users: 40, receipts: 41, entitlements: 40))
        #expect(coverage.recorded == ViewCounts(users: 40, receipts: 41, entitlements: 40))
        #expect(coverage.atClose == ViewCounts(users: 41, receipts: 43, entitlements: 40))
    }

    @Test("A worker that closes the run again keeps the first counts")
    func kept() async throws {
        let pass = try await recorded()
        let first = try await pass.summary()
        try await execute("delete from team.receipts")
        let second = try await pass.summary()
        #expect(first.coverage != nil)
        #expect(second.coverage == first.coverage)
        #expect(second.status == .complete)
    }

    @Test("A worker whose publication another one has claimed does not count the views")
    func fenced() async throws {
        let run = try await recorded().run.id
        try await execute("update reconcile.run set publication_no = 2")
        try await database.figures.countAtClose(of: run, under: 1)
        #expect(try await texts("select at_close_users is null from reconcile.run") == ["t"])
        try await database.figures.countAtClose(of: run, under: 2)
        #expect(try await texts("select at_close_users from reconcile.run") == ["40"])
    }

    @Test("A run with users to do is not closed")
    func notDone() async throws {
        try await fill(users: Self.users)
        let pass = try await Pass(database, try ScriptedApple { ask in [.valid(ask)] })
        await #expect(throws: ControlsError.self) { try await pass.summary() }
        try await pass.reconcile()
        let summary = try await pass.summary()
        #expect(summary.status == .complete)
        #expect(summary.coverage?.recorded.users == Self.users)
    }

    @Test("A partial run is not compared with the views")
    func partial() async throws {
        let pass = try await recorded(scope: .limited(users: 30))
        try await lose(users: 11)
        let summary = try await pass.summary()
        #expect(summary.status == .complete)
        #expect(summary.coverage == nil)
    }
}
