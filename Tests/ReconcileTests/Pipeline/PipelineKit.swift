import Testing

@testable import Reconcile
@testable import TestSupport

/// A run with a test's database and a scripted Apple, from its opening to its numbers.
struct Pass: Sendable {
    let run: Run
    let plan: OpenedRun.Plan
    private let observed = Shared<[RunEvent]>([])
    private let workers = Shared(0)
    private let database: Database
    let apple: ScriptedApple
    private let makeWorker: @Sendable (Database) throws -> RunWorker

    /// Opens the run and makes its batches, without sending a request.
    /// - Parameter patience: how long a group of the second look waits after a refused control.
    init(
        _ database: Database, _ apple: ScriptedApple, scope: Run.Scope = .everything,
        usersPerBatch: Int = 100, inFlight: Int = 8, night: Int = 1, asOf: Instant = .asOf,
        eventHorizon: Duration = .seconds(90 * 86_400),
        deadline: Deadline? = nil, patience: Duration = .milliseconds(200),
        evidence: Evidence = .findings, clock: some Clock<Duration> = ContinuousClock(),
        secrets: String = "* = canary", roots: TrustedRoots = .apple, replayOf: RunID? = nil,
        isTrial: Bool = false, id: RunID? = nil, units: UnitWindow? = nil,
        appPause: Duration = AppWatch.pauseBetweenTries,
        change: @escaping @Sendable (inout ValidationSettings) -> Void = { _ in }
    ) async throws {
        self.database = database
        self.apple = apple
        run = Run(
            id: id ?? RunID(text: "20261120T020000Z-00000\(night)"), asOf: asOf, scope: scope,
            replayOf: replayOf, isTrial: isTrial, units: units)
        _ = try await database.runs.open(run, codeVersion: "1", settings: "{}", keeping: evidence)
        let catalog = try await database.catalog.read()
        let judge = Judge(
            catalog: catalog,
            settings: .init(asOf: asOf, eventHorizon: eventHorizon, units: units))
        plan = try await database.planner.cut(run, usersPerBatch: usersPerBatch)
        var settings = RunWorker.Settings(
            inFlight: inFlight, deadline: deadline, evidence: evidence, outagePatience: patience)
        settings.appPause = appPause
        makeWorker = { [run, observed, settings] database in
            RunWorker(
                run, database: database,
                asking: try .testing(
                    apple, secrets: secrets, roots: roots, clock: clock, change: change,
                    observe: { change in observed.update { $0.append(.pace(change)) } },
                    source: { live in
                        guard let replayOf else { return live }
                        return KeptAnswers(of: live, provenBy: AppleSignature(roots)) {
                            keys, user in
                            try await database.evidence.answers(to: keys, of: user, in: replayOf)
                        }
                    }),
                judge: judge,
                settings: settings,
                observe: { event in observed.update { $0.append(event) } })
        }
    }

    /// What the run's workers reported so far.
    var events: [RunEvent] { observed.current }

    /// Works until every user is recorded; by default as the run's first worker.
    func reconcile(over other: Database? = nil) async throws {
        workers.update { $0 += 1 }
        _ = try await makeWorker(other ?? database).reconcile(plan)
    }

    func summary() async throws -> Summary {
        try await database.summary(of: run) { _ in .complete }
    }

    /// The requests of a run with one worker are those that Apple received; a replay sends none.
    @discardableResult
    func finish() async throws -> Summary {
        let before = apple.asks.count
        try await reconcile()
        let summary = try await summary()
        let servers = apple.asks.dropFirst(before).map(\.environment)
        if run.replayOf != nil {
            #expect(servers == [])
            #expect(summary.requests.sent == 0)
            #expect(summary.requests.byStatus == [:])
        } else if workers.current == 1 {
            let production = servers.count { $0 == .production }
            let requests = summary.requests.perServer.map(\.requests)
            // None to the App Store Server API.
            #expect(requests == [production, servers.count - production, 0, 0])
        }
        return summary
    }
}

extension DatabaseSuite {
    func storeReceipts(_ ids: [(id: String, user: String)], bundle: String = "acme") async throws {
        let rows = ids.map { id, user in
            [
                "id": id, "who": user, "bundle": bundle,
                "data": TestDatabase.receipt(id, bundle: bundle), "at": "2026-11-01T00:00:00Z",
            ]
        }
        try await test.insert(rows, into: "receipts")
    }

    /// A receipt for each user, with the user's name as its id.
    func storeReceipts(of users: some Sequence<String>) async throws {
        try await storeReceipts(users.map { (id: $0, user: $0) })
    }

    func grant(_ users: [String], isActive: Bool = true) async throws {
        let rows = users.map { user in
            [
                "id": "e-\(user)", "who": user, "product": "pro.monthly", "active": "\(isActive)",
                "expires": "2026-12-10T02:00:00Z", "source": "app_store",
                "at": "2026-10-01T00:00:00Z",
            ]
        }
        try await test.insert(rows, into: "entitlements")
    }

    /// Users `u1`… with receipts `r1`…, which prove what is granted, lest it looks like a leak.
    func fill(users: Int) async throws {
        try await test.sell("pro.monthly")
        try await grant((1...users).map { "u\($0)" })
        try await storeReceipts((1...users).map { (id: "r\($0)", user: "u\($0)") })
    }

    /// A further worker of the run, which is killed when so many requests have arrived, or when it
    /// ends before. It is gone then, and PostgreSQL has noticed.
    func kill(_ pass: Pass, at count: Int) async throws {
        let proxy = try FaultProxy(before: test.url)
        let victim = try await connect(through: proxy, connections: 3)
        let work = Task { try await pass.reconcile(over: victim) }
        let (moments, moment) = AsyncStream.makeStream(of: Void.self)
        Task { moment.yield(await pass.apple.production.arrival(of: count)) }
        Task { moment.yield((try? await work.value) ?? ()) }
        _ = await moments.first { _ in true }
        proxy.end()
        work.cancel()
        _ = await work.result
        await victim.close()
    }

    /// Every column of the rows that the reports are made of, but the run; and the numbers.
    func report(of pass: Pass) async throws -> RecordedRows {
        let summary = try await pass.summary()
        let ofRun = "from reconcile.run as r where r.run_id = '\(pass.run.id)'"
        return RecordedRows(
            findings: try await texts(
                """
                select to_jsonb(f) - 'run_id' from reconcile.finding as f
                where f.run_id = '\(pass.run.id)' order by 1
                """),
            outcomes: try await texts(
                """
                select to_jsonb(o) - 'run_no' from reconcile.outcome as o
                where o.run_no = (select r.run_no \(ofRun)) order by 1
                """),
            receipts: summary.receipts, entitlements: summary.entitlements)
    }
}

/// What a run recorded, to be compared with what another run did.
struct RecordedRows: Equatable {
    /// Each as JSON.
    let findings: [String?]
    let outcomes: [String?]
    let receipts: Tally<ReceiptBucket>
    let entitlements: Tally<EntitlementBucket>
}

extension Set<String> {
    /// The receipts of these users of `fill`.
    static func receipts(_ numbers: some Sequence<Int>) -> Set<String> {
        Set(numbers.map { TestDatabase.receipt("r\($0)") })
    }
}

extension LoopbackServer.Act {
    static func status(_ status: Int) -> Self { .reply(AppleAnswer.status(status)) }
    static func verified(_ lines: String...) -> Self { .reply(AppleAnswer.verified(lines)) }

    /// Verified, with a subscription of the receipt's own, since a shared one would be a finding.
    static func valid(_ ask: ScriptedApple.Ask) -> Self {
        let chain = ask.receipt.utf8.reduce(0) { ($0 * 31 + Int($1)) % 99_999_999_977 }
        let period = AppleAnswer.period("\(chain)", from: -10, to: 20)
        return .reply(AppleAnswer.verified(environment: ask.environment, [period]))
    }
}

extension ScriptedApple {
    convenience init(refusing receipts: Set<String>, with status: Int = 21003) throws {
        try self.init { ask in [receipts.contains(ask.receipt) ? .status(status) : .valid(ask)] }
    }

    convenience init(answering acts: [String: LoopbackServer.Act]) throws {
        try self.init { ask in [acts.first { ask.shows($0.key) }?.value ?? .hangUp] }
    }

    var asksByReceipt: [String: Int] { asks.reduce(into: [:]) { $0[$1.receipt, default: 0] += 1 } }
}

extension ScriptedApple.Ask {
    /// A number that depends on the receipt alone.
    var lot: Int { receipt.utf8.reduce(0) { ($0 * 31 + Int($1)) % 9_973 } }

    func shows(_ receipt: String) -> Bool { self.receipt == TestDatabase.receipt(receipt) }
}
