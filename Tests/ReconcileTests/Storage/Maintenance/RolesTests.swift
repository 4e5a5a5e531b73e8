internal import SQL
internal import Testing

@testable import Reconcile
@testable import TestSupport

/// Serialized, since a role belongs to all databases of the server.
@Suite("The role reconcile_job", .serialized)
struct RolesTests {
    @Test(
        "The role has every privilege that the job needs",
        arguments: ["before", "after", "between"])
    func suffices(when: String) async throws {
        try await TestDatabase.connected(.nothing) { test, owner in
            if when == "before" { try await test.execute(SQL.roles.text) }
            _ = try await owner.schema.migrate()
            if when == "between" { try await test.execute(SQL.roles.text) }
            try await test.execute(TestDatabase.teamTables + TestDatabase.teamViews)
            if when == "after" { try await test.execute(SQL.roles.text + SQL.roles.text) }
            try await test.store(receipts: [("r1", "ann")])
            try await asNightly(test) { database in try await spendNight(database) }
        }
    }

    @Test("The role has no privilege on the team's own tables")
    func isNoMore() async throws {
        try await TestDatabase.with(.views) { test in
            try await test.execute(SQL.roles.text)
            let relations = """
                select c.oid::regclass::text from pg_class c
                where c.relnamespace in ('reconcile'::regnamespace, 'team'::regnamespace)
                    and c.relkind in ('r', 'v')
                    and has_table_privilege('reconcile_job', c.oid, '%') order by 1
                """
            let writable = try await test.texts(
                relations.replacing("%", with: "insert, update, delete, truncate"))
            #expect(
                writable == [
                    "reconcile.acceptance", "reconcile.batch", "reconcile.cleared_finding",
                    "reconcile.evidence", "reconcile.finding", "reconcile.held_reason",
                    "reconcile.judged_user", "reconcile.kept_receipt", "reconcile.ledger",
                    "reconcile.ledger_undo", "reconcile.not_reported",
                    "reconcile.outcome", "reconcile.rate_bucket", "reconcile.remembered_event",
                    "reconcile.run", "reconcile.run_figure", "reconcile.second_look",
                    "reconcile.sighted_product",
                    "reconcile.sighted_purchase", "reconcile.sighted_receipt",
                    "reconcile.undecided_user", "reconcile.unjudged_finding",
                    "reconcile.user_result", "reconcile.worker",
                ])
            let readable = try await test.texts(
                relations.replacing("%", with: "select"))
            #expect(readable.allSatisfy { $0?.hasPrefix("reconcile.") == true })
            #expect(readable.count == 31)
        }
    }

    @Test("The message about a missing privilege says to use the role")
    func missing() async throws {
        try await TestDatabase.with(.views) { test in
            try await asNightly(test, inRole: false) { database in
                let error = try await databaseError { try await database.schema.check() }
                guard case .accessDenied(let why) = error.reason else {
                    Issue.record("unexpected \(error)")
                    return
                }
                #expect(why.contains("permission denied for schema reconcile"))
                #expect(error.description.contains("reconcile-job migrate --roles apply"))
                let rights = try await databaseError { try await database.privileges.checkNeeded() }
                #expect(rights.description.contains("no privilege to select from reconcile."))
            }
        }
    }

    private func spendNight(_ database: Database) async throws {
        try await database.schema.check()
        try await database.privileges.checkNeeded()
        #expect(try await database.privileges.checkReadOnlyRole() == [])
        try await database.views.check()
        try await database.workers.lock()
        _ = try await database.catalog.read()
        let run = Run.test()
        _ = try await database.runs.open(run, codeVersion: "test", settings: "{}")
        _ = try await database.planner.plan(.everything, usersPerBatch: 10)
        _ = try await database.planner.cut(run, usersPerBatch: 10)
        try await database.rates.set(10, burst: 5, for: .sandbox)
        _ = try await database.rates.take(1, for: .sandbox)
        let worker = try await database.workers.register(in: run.id, as: "nightly")
        let leased = try await database.leases.lease(batchOf: run.id, for: worker, besides: [])
        let batch = try #require(leased)
        try await database.leases.begin(batch, of: run.id)
        _ = try await database.leases.freeLost(of: run.id, besides: worker)
        _ = try await database.batches.recordedUsers(of: batch, in: run.id)
        #expect(try await database.portions(of: batch).flatMap(\.users).count == 1)
        let user = JudgedUser.test("zoe", outcomes: [.verified("r1")], evidence: [.test()])
        _ = try await database.results.record([.test(batch, user, isDone: false)], of: run)
        _ = try await database.results.record(
            [.test(batch, postponing: .test("ann", refused: "r1"))], of: run)
        try await lookAgain(database, worker)
        _ = try await database.evidence.answers(
            to: [KeptAnswer.test().request], of: "zoe", in: run.id)
        _ = try await database.summary(of: run) { _ in .complete }
        _ = try await database.reports.totals(of: run.id)
        _ = try await database.reports.countedOutcomes(of: run.id)
        _ = try await database.reports.countedFindings(of: run.id)
        for try await _ in database.reports.findings(of: run.id, in: .mismatches) {}
        for try await _ in database.reports.unverified(of: run.id) {}
        for try await _ in database.reports.cleared(of: run.id) {}
        for try await _ in database.reports.notReported(of: run.id) {}
        try await database.leases.release(of: run.id, for: worker)
        let publication = try await database.runs.claimPublication(of: run.id, for: worker)
        try await database.runs.requirePublication(publication ?? 0, of: run.id, for: worker)
        try await database.ledger.publish(run.id, at: run.asOf, under: publication)
        _ = try await database.pruning.prune(before: .distantFuture)
        _ = try await database.pruning.prune(user: "ann")
    }

    private func lookAgain(_ database: Database, _ worker: Int) async throws {
        let run = Run.test()
        #expect(try await database.secondLook.cut(of: run.id)?.users == 1)
        let leased = try await database.leases.lease(
            batchOf: run.id, for: worker, besides: [], isFirstLook: false)
        let group = try #require(leased)
        let users = try await database.secondLook.postponedUsers(of: group, in: run.id)
        _ = try await database.batches.group(users, of: group, in: run)
        _ = try await database.secondLook.controls(
            of: run.id, verifiedBy: .production, from: "0", count: 10)
        try await database.secondLook.postpone(group, of: run.id, for: .zero)
        let again = try await database.leases.lease(
            batchOf: run.id, for: worker, besides: [], isFirstLook: false)
        _ = try await database.results.record(
            [.test(try #require(again), .test("ann"))], of: run)
    }

    private func asNightly(
        _ test: TestDatabase, inRole: Bool = true, _ body: (Database) async throws -> Void
    ) async throws {
        let login = "nightly_\(test.name)"
        try await test.execute("create role \(login) login")
        if inRole { try await test.execute("grant reconcile_job to \(login)") }
        let database = try await Database.connect(test.url(user: login), connections: 2)
        try await body(database)
        await database.close()
        try await test.execute("drop role \(login)")
    }
}
