import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: spend a night with two users, erase one, and compare what is left of the run.
@Suite("An erased user", .database)
struct ErasureTests: DatabaseSuite {
    /// A subscription that both have, so that a finding of each names the other.
    private static let couple: [StoryChange] = [
        .of("ann", .running(), .granted), .of("bob", .running(), .granted),
    ]

    @Test("Of each run it stays how many rows and how much money it had of the user")
    func counted() async throws {
        let first = try await nights.night(
            .of("ann", .refunded("2"), .granted), .of("bob", .ended(), .granted))
        let second = try await nights.night()
        #expect(first.summary.findings.total == 3)
        _ = try await database.pruning.prune(user: "ann", by: "dpo")
        let erased = try await database.pruning.erasure(of: first.summary.run.id)
        #expect(erased.acts.map(\.by) == ["dpo"])
        #expect(erased.receipts == 1)
        #expect(erased.entitlements == 1)
        #expect(erased.rows(of: "refunds") == 2)
        #expect(erased.rows(of: "expirations") == 0)
        #expect(erased.findings == 2)
        var sum = try await database.money.money(of: first.summary.run.id).0
        try sum.add(erased.money)
        #expect(sum.isSame(as: first.summary.money))
        #expect(!erased.money.isSame(as: MoneyTally()))
        let later = try await database.pruning.erasure(of: second.summary.run.id)
        #expect(later.rows(of: "refunds") == 1)
    }

    @Test("Nothing is recorded of a user whom no run has judged, or who was erased before")
    func once() async throws {
        let night = try await nights.night(.of("ann", .ended(), .granted))
        _ = try await database.pruning.prune(user: "bob", by: "dpo")
        #expect(try await database.pruning.erasure(of: night.summary.run.id).isEmpty)
        for _ in 1...2 { _ = try await database.pruning.prune(user: "ann", by: "dpo") }
        #expect(try await database.pruning.erasure(of: night.summary.run.id).users == 1)
    }

    @Test("What was erased later is distinguished from what a folder leaves out already")
    func later() async throws {
        let night = try await nights.night(
            .of("ann", .ended(), .granted), .of("bob", .ended("3"), .granted))
        let run = night.summary.run.id
        _ = try await database.pruning.prune(user: "ann", by: "dpo")
        _ = try await database.pruning.prune(user: "bob", by: "eve")
        let all = try await database.pruning.erasure(of: run)
        let first = try await database.pruning.erasure(of: run, first: 1)
        #expect(all.acts.map(\.by) == ["dpo", "eve"])
        #expect(first.acts.map(\.by) == ["dpo"])
        let rest = all.since(first)
        #expect(rest.users == 1)
        #expect(rest.rows(of: "expirations") == 1)
        #expect(all.rows(of: "expirations") == 2)
    }

    @Test("No table holds the id, not even the sentence of a user who shares a purchase")
    func unnamed() async throws {
        try await nights.night(Self.couple)
        try await nights.night(.only("ann", "bob"))
        let shared = try #require(
            try await nights.night().findings.first { $0.finding.user == "bob" })
        #expect(shared.finding.explanation.contains(" being ann: it was paid"))
        try await execute(
            """
            update reconcile.batch set first_user = 'ann', last_user = 'ann'
            where first_user is not null
            """)
        _ = try await nights.accept(
            try #require(try await nights.night().findings.first { $0.finding.user == "ann" }).id)
        try await nights.night()
        _ = try await database.pruning.prune(user: "ann", by: "dpo")
        let tables = try await texts(
            """
            select relname::text from pg_class
            where relnamespace = 'reconcile'::regnamespace and relkind = 'r'
            """)
        for table in tables.compactMap(\.self) {
            let held = try await texts(
                "select x::text from reconcile.\(table) as x where x::text ~ '\\mann\\M'")
            #expect(held == [], "\(table)")
        }
        let sentences = try await texts("select explanation from reconcile.finding")
        for sentence in sentences.compactMap(\.self) where sentence.contains(" being ") {
            #expect(sentence.contains(" being an erased user: it was paid"))
        }
        #expect(sentences.contains { $0?.contains(" being an erased user: it was paid") == true })
    }

    @Test("Neither does a sentence that names the user as the one that paid")
    func unnamedPayer() async throws {
        try await nights.night(Self.couple)
        let rule = "ann: it was paid for once, and receipts cannot tell who paid."
        let proof =
            "ann: Apple's record of the newest transaction names the account ANN as the one that"
            + " paid, which is user ann."
        try await execute(
            """
            update reconcile.finding
            set explanation = replace(explanation, '\(rule)', $$\(proof)$$)
            """)
        try await execute("update reconcile.sighted_purchase set account_token = 'ANN'")
        let before = try await texts("select explanation from reconcile.finding order by 1")
            .compactMap(\.self).filter { $0.contains(proof) }
        #expect(before.count == 1)
        _ = try await database.pruning.prune(user: "ann", by: "dpo")
        let after = try await texts("select explanation from reconcile.finding order by 1")
            .compactMap(\.self)
        #expect(after.filter { $0.lowercased().contains("ann") } == [])
        #expect(after.contains { Erasure.isUnnamed($0, from: before.first ?? "") })
        let tokens = try await texts("select account_token from reconcile.sighted_purchase")
        #expect(tokens == [nil])
    }

    @Test("The notice of a refund goes with the finding that named the user by it")
    func notice() async throws {
        let night = try await nights.night(.of("ann", .refunded("2"), .granted))
        let run = night.summary.run.id.text
        try await execute(
            """
            insert into reconcile.refund_notice
                (run_id, bundle_id, notice_type, transaction_id, signed_at, is_missed, payload)
            select distinct '\(run)', bundle_id, 'REFUND', t, now(), false, 'token'::bytea
            from reconcile.finding, unnest(array[transaction_id, 'other']) as t
            where kind = 'refund_recorded'
            """)
        _ = try await database.pruning.prune(user: "ann", by: "dpo")
        #expect(try await texts("select transaction_id from reconcile.refund_notice") == ["other"])
    }

    @Test("A partial run over the user stays a partial run")
    func scope() async throws {
        try await nights.night(Self.couple)
        let partial = try await nights.night(.only("ann")).summary.run.id
        _ = try await database.pruning.prune(user: "ann", by: "dpo")
        let run = try await database.knownRuns.run(named: .beginning(partial.text))
        #expect(run.run.scope == .selected(users: [UserID(Erasure.unnamed)], receipts: []))
    }

    @Test("The next night reports the user's findings as new, and clears nothing")
    func next() async throws {
        try await nights.night(.of("ann", .ended(), .granted), .of("bob", .ended("3"), .granted))
        _ = try await database.pruning.prune(user: "ann", by: "dpo")
        let night = try await nights.night(.sql("select 1"))
        #expect(
            night.reports == [
                .new(.expiredStillGranted, "ann"), .persisting(.expiredStillGranted, "bob"),
            ])
        #expect(night.clears == [])
    }

    @Test("A sentence is another one with an erased user only if all but the id is the same")
    func sentences() {
        let named = "it is in the receipts of 2 users, the other being ann: it was paid for once"
        let unnamed = named.replacing("ann", with: Erasure.unnamed)
        #expect(Erasure.isUnnamed(unnamed, from: named))
        #expect(!Erasure.isUnnamed(named, from: named))
        #expect(!Erasure.isUnnamed(unnamed, from: named.replacing("2 users", with: "3 users")))
        #expect(!Erasure.isUnnamed(unnamed, from: named + "!"))
        let proven = named + " by ANN, which is user ann."
        let twice = "\(unnamed) by ANN, which is user \(Erasure.unnamed)."
        #expect(Erasure.isUnnamed(twice, from: proven))
        #expect(Erasure.isUnnamed(twice.replacing("ANN", with: Erasure.unnamed), from: proven))
        #expect(!Erasure.isUnnamed(twice, from: proven.replacing(" by ", with: " of ")))
    }
}
