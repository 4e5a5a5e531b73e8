import Testing

@testable import Reconcile
@testable import TestSupport

extension DatabaseSuite {
    var run: RunID { Run.test().id }

    /// Opens a run over these receipts' users.
    /// - Returns: its batches, leased by worker 1.
    @discardableResult
    func night(
        _ receipts: KeyValuePairs<String, String> = ["r1": "ann", "r9": "bob"],
        usersPerBatch: Int = 1, keeping evidence: Evidence = .none
    ) async throws -> [Batch] {
        try await store(receipts)
        return try await database.openedBatches(usersPerBatch: usersPerBatch, keeping: evidence)
    }

    /// - Returns: the runs that the new one abandons.
    @discardableResult
    func open(_ run: Run = .test(), settings: String = "{}") async throws -> [RunID] {
        try await database.runs.open(run, codeVersion: "1", settings: settings)
    }

    @discardableResult
    func record(_ flushes: BatchFlush..., by other: Database? = nil) async throws -> FlushResult {
        try await (other ?? database).results.record(flushes, of: .test())
    }

    func lease(
        _ worker: Int = 1, besides held: [Int] = [], isFirstLook: Bool = true, early: Bool = false
    ) async throws -> Batch? {
        try await database.leases.lease(
            batchOf: run, for: worker, besides: held, isFirstLook: isFirstLook, early: early)
    }

    /// A further process, which works on the run.
    func worker(of run: RunID = Run.test().id) async throws -> (database: Database, number: Int) {
        let other = try await connect()
        return (other, try await other.workers.register(in: run, as: "there/2"))
    }

    /// Ends a process. The server notices some milliseconds later.
    func end(_ worker: (database: Database, number: Int)) async throws {
        await worker.database.close()
        let alive = "select 1 from reconcile.live_worker where worker_no = \(worker.number)"
        try await wait(until: alive, is: [])
    }

    func reason(_ operation: () async throws -> some Any) async throws -> DatabaseError.Reason {
        try await databaseError(operation).reason
    }

    /// Makes `LOGIN` the name of a role that may log in, and `GROUP` that of another role.
    func named(_ text: String) -> String {
        text.replacing("LOGIN", with: test.name).replacing("GROUP", with: "group_\(test.name)")
    }

    /// Creates the two roles, executes `sql`, and calls `body` with a session of `LOGIN`.
    func asLogin(_ sql: String, _ body: (Database) async throws -> Void) async throws {
        try await execute(named("create role LOGIN login; create role GROUP; " + sql))
        let database = try await connect(as: test.name, connections: 3)
        try await body(database)
        await database.close()
        try await execute(named("drop owned by LOGIN, GROUP cascade; drop role LOGIN, GROUP"))
    }
}

extension DatabaseError {
    /// The reason without its values.
    var name: String { String("\(reason)".prefix { $0 != "(" }) }

    var problems: [String] { if case .sourceData(let problems) = reason { problems } else { [] } }
}

extension JudgedUser {
    /// With a row for every table.
    static func full(
        outcomes: [Outcome] = [.test("r1")], findings: [ReportedFinding] = [.test("a")],
        evidence: KeptAnswer = .test(1), unjudged: Character = "b"
    ) -> JudgedUser {
        var user = JudgedUser.test(outcomes: outcomes, findings: findings, evidence: [evidence])
        user.notReported = [NotReported(entitlement: "e1", bucket: .settling, cause: .recent)]
        user.remembered = [ReportedFinding.test("c", .refundRecorded).finding]
        user.unjudged = [String(repeating: unjudged, count: 32)]
        user.purchases = [PurchaseSighting(user: "ann", originalID: "100")]
        user.receiptSightings = [.init(user: "ann", receipt: "r1", bundle: "app", digest: [1])]
        user.unknownProducts = [UnknownProduct(product: "gold", users: 1, rows: 2)]
        user.undecided = UndecidedUser(user: "ann", lacksEvidence: true, mayBeGranted: false)
        return user
    }

    /// The tables of `full`.
    static let tables = [
        "evidence", "finding", "not_reported", "outcome", "remembered_event", "sighted_product",
        "sighted_purchase", "sighted_receipt", "undecided_user", "unjudged_finding", "user_result",
    ]

    /// A statement that returns the name of a table for each of its rows.
    static let written = (tables + ["second_look"]).rows { "'\($0)'" } + " order by 1"
}

extension Array where Element == String {
    /// A statement that returns `value` for each row of the tables with these names.
    func rows(_ value: (String) -> String) -> String {
        map { "select \(value($0)) from reconcile.\($0)" }.joined(separator: " union all ")
    }
}

extension Database {
    /// Two nights, an acceptance and a pruning: every kind of statement that a run makes. The
    /// receipt r1 is ann's.
    func spendNights() async throws {
        for id in ["1", "2"] { try await spend(.test(id)) }
        let id = String(repeating: "b", count: 32)
        _ = try await acceptances.accept(
            Acceptance(finding: id, by: "me", why: "known", until: nil))
        _ = try await pruning.prune(before: .distantFuture)
        _ = try await pruning.prune(user: "ann")
    }

    func spend(_ run: Run) async throws {
        let id = run.id
        try await schema.check()
        try await privileges.checkNeeded()
        try await views.check()
        try await workers.lock()
        _ = try await catalog.read()
        _ = try await runs.findOpen(settings: "{}", scope: .everything)
        _ = try await runs.open(run, codeVersion: "1", settings: "{}", keeping: .all)
        _ = try await planner.plan(.everything, usersPerBatch: 10)
        _ = try await planner.cut(run, usersPerBatch: 10)
        try await rates.set(10, burst: 5, for: .sandbox)
        _ = try await rates.take(1, for: .sandbox)
        let worker = try await workers.register(in: id, as: "nightly")
        let batch = try await lease(of: id, for: worker)
        try await leases.begin(batch, of: id)
        _ = try await leases.freeOrphaned(of: id, besides: worker)
        _ = try await batches.recordedUsers(of: batch, in: id)
        #expect(try await portions(of: batch, in: run).flatMap(\.users).count == 1)
        let zoe = JudgedUser.test("zoe", outcomes: [.verified("r9")])
        _ = try await results.record([.test(batch, zoe, isDone: false)], of: run)
        let ann = BatchFlush.test(batch, refusing: .test("ann", refused: "r1"))
        _ = try await results.record([ann], of: run)

        #expect(try await secondLook.cut(of: id)?.users == 1)
        try await lookAgain(in: run, by: worker)
        _ = try await evidence.answers(to: [KeptAnswer.test().request], of: "zoe", in: id)
        _ = try await summary(of: run) { _ in .complete }
        for try await _ in reports.findings(of: id, in: .mismatches) {}
        for try await _ in reports.unverified(of: id) {}
        for try await _ in reports.cleared(of: id) {}
        for try await _ in reports.notReported(of: id) {}
        try await leases.release(of: id, for: worker)
        let publication = try await runs.claimPublication(of: id, for: worker)
        try await runs.requirePublication(publication ?? 0, of: id, for: worker)
        try await ledger.publish(id, at: run.asOf, under: publication)
    }

    private func lookAgain(in run: Run, by worker: Int) async throws {
        let id = run.id
        let group = try await lease(of: id, for: worker, first: false)
        let users = try await secondLook.refusedUsers(of: group, in: id)
        _ = try await batches.group(users, of: group, in: run)
        _ = try await secondLook.controls(of: id, verifiedBy: .production, from: "0", count: 10)
        try await secondLook.postpone(group, of: id, for: .zero)
        let other = ReportedFinding.test("b", .labelStale, user: "gone")
        let judged = JudgedUser.full(findings: [.test("a", .expired, severity: .info), other])
        let last = try await lease(of: id, for: worker, first: false)
        _ = try await results.record([.test(last, judged)], of: run)
    }

    private func lease(of run: RunID, for worker: Int, first: Bool = true) async throws -> Batch {
        try #require(
            try await leases.lease(batchOf: run, for: worker, besides: [], isFirstLook: first))
    }
}
