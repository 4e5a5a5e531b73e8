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

    /// Creates two roles, executes SQL about them, and calls `body` with sessions of `login`.
    func asLogin(
        _ sql: (TestRoles) -> String, _ body: (Database) async throws -> Void
    ) async throws {
        let roles = TestRoles(login: test.name, group: "group_\(test.name)")
        let both = "\(roles.login), \(roles.group)"
        try await execute(
            "create role \(roles.login) login; create role \(roles.group); " + sql(roles))
        let database = try await connect(as: roles.login, connections: 3)
        try await body(database)
        await database.close()
        try await execute("drop owned by \(both) cascade; drop role \(both)")
    }
}

/// Two roles of one test: roles belong to the server, so their names have the database's in them.
struct TestRoles: Sendable {
    /// The session's role.
    let login: String
    /// Another role, of which `login` may become a member.
    let group: String
}

/// SQL about the roles of a test, with a title.
struct RoleSetup: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let sql: @Sendable (TestRoles) -> String

    init(_ title: String, sql: @escaping @Sendable (TestRoles) -> String) {
        testDescription = title
        self.sql = sql
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
        user.units = [.sold(1, at: -5)]
        user.undecided = UndecidedUser(user: "ann", lacksEvidence: true, mayBeGranted: false)
        return user
    }

    /// The tables of `full` and of refused users.
    static let tables = [
        "evidence", "finding", "not_reported", "outcome", "remembered_event", "request_count",
        "second_look", "sighted_product", "sighted_purchase", "sighted_receipt", "undecided_user",
        "unit_sighting", "unjudged_finding", "user_result",
    ]

    static let written = tables.rows { "'\($0)'" } + " order by 1"
}

extension Array where Element == String {
    /// A statement that returns `value` for each row of the tables with these names.
    func rows(_ value: (String) -> String) -> String {
        map { "select \(value($0)) from reconcile.\($0)" }.joined(separator: " union all ")
    }
}
