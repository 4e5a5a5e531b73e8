import Testing

@testable import Reconcile
@testable import TestSupport

extension DatabaseSuite {
    var run: RunID { Run.test().id }

    /// - Returns: the batches of a new run over these receipts' users, leased by worker 1.
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
    func record(
        _ flushes: BatchFlush..., of run: Run = .test(), by other: Database? = nil
    ) async throws -> FlushResult? {
        let database = other ?? database
        let chain = try await database.workers.register(in: run.id, as: "here/1")
        return try await database.results.record(flushes, of: run, as: chain.next())
    }

    func lease(
        _ worker: Int = 1, excluding held: [Int] = [], isFirstPass: Bool = true, early: Bool = false
    ) async throws -> Batch? {
        try await database.leases.lease(
            batchOf: run, for: worker, excluding: held, isFirstPass: isFirstPass, early: early)
    }

    func worker(of run: RunID = Run.test().id) async throws -> (database: Database, number: Int) {
        let other = try await connect()
        return (other, try await other.workers.register(in: run, as: "there/2").worker)
    }

    /// Ends a process. The server notices some milliseconds later, and frees the worker's lock.
    func end(_ worker: (database: Database, number: Int)) async throws {
        await worker.database.close()
        try await execute("select pg_advisory_xact_lock(7388, \(worker.number))")
    }

    func reason(_ operation: () async throws -> some Any) async throws -> DatabaseError.Reason {
        try await databaseError(operation).reason
    }

    /// Makes `LOGIN` the name of a role that may log in, and `GROUP` that of another role.
    func named(_ text: String) -> String {
        text.replacing("LOGIN", with: test.name).replacing("GROUP", with: "group_\(test.name)")
    }

    /// Creates the two roles, executes `sql`, and calls `body` with sessions of `LOGIN`.
    func asLogin(_ sql: String, _ body: (Database) async throws -> Void) async throws {
        try await execute(named("create role LOGIN login; create role GROUP; " + sql))
        let database = try await connect(as: test.name, connections: 3)
        try await body(database)
        await database.close()
        try await execute(named("drop owned by LOGIN, GROUP cascade; drop role LOGIN, GROUP"))
    }
}

extension DatabaseError {
    var name: String { String("\(reason)".prefix { $0 != "(" }) }
}

extension JudgedUser {
    /// With a row for every table but that of refused users.
    static func full() -> JudgedUser {
        var user = JudgedUser.test(
            outcomes: [.test("r1", .rejected(.accountGone))], findings: [.test("a")],
            evidence: [.test(1, .rejected(.accountGone), body: "body")])
        user.requests = .answered(200)
        user.notReported = [NotReported(entitlement: "e1", bucket: .settling, cause: .recent)]
        user.remembered = [ReportedFinding.test("c", .refundRecorded).finding]
        user.unjudged = user.findings.map(\.id)
        user.purchases = [PurchaseSighting(user: "ann", originalID: "100")]
        user.receiptSightings = [.init(user: "ann", receipt: "r1", bundle: "app", digest: [1])]
        user.unknownProducts = [UnknownProduct(product: "gold", users: 1, rows: 2)]
        user.undecided = UndecidedUser(user: "ann", lacksEvidence: true, mayBeGranted: false)
        return user
    }

    /// The tables of `full` and of refused users.
    static let tables = [
        "evidence", "finding", "not_reported", "outcome", "remembered_event", "request_count",
        "second_look", "sighted_product", "sighted_purchase", "sighted_receipt", "undecided_user",
        "unjudged_finding", "user_result",
    ]

    static let written = tables.rows { "'\($0)'" } + " order by 1"
}

extension Array where Element == String {
    /// A statement that returns `value` for each row of the tables with these names.
    func rows(_ value: (String) -> String) -> String {
        map { "select \(value($0)) from reconcile.\($0)" }.joined(separator: " union all ")
    }
}
