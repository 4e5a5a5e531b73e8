internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Runs in the database", .database(.ownTables))
struct RunTests: DatabaseSuite {
    private let one = RunID(text: "1")
    private let notOpen = DatabaseError.Reason.notOpen("The run 1 is no longer open")

    @Test("A run ends once, and not by a worker that fails while others work on it")
    func ends() async throws {
        try await open(.test("1"))
        _ = try await database.workers.register(in: one, as: "first")
        let second = try await worker(of: one).database
        let failure = try await databaseError {
            try await second.runs.end(one, as: .failed, at: .asOf)
        }
        #expect(failure.reason == notOpen)
        await second.close()
        try await database.runs.end(one, as: .failed, at: .asOf)
        #expect(try await databaseError { try await publish() }.reason == notOpen)
        // Ending it again has no effect.
        try await database.runs.end(one, as: .failed, at: .day(1))
        let ends = "select state || (finished_at < '2026-11-20 12:00Z') from reconcile.run"
        #expect(try await texts(ends) == ["failedtrue"])
    }

    @Test("One worker publishes a run, and the next one does if that worker is gone")
    func publication() async throws {
        try await open(.test("1"))
        let worker = try await database.workers.register(in: one, as: "here/1")
        let other = try await self.worker(of: one)
        let runs = other.database.runs
        #expect(try await runs.claimPublication(of: one, for: other.number) == 1)
        #expect(try await database.runs.claimPublication(of: one, for: worker) == nil)
        try await runs.requirePublication(1, of: one, for: other.number)
        // The same worker may claim it again, for example when the answer was lost.
        #expect(try await runs.claimPublication(of: one, for: other.number) == 2)
        try await expectNotOurs(1, for: other.number)
        try await expectNotOurs(2, for: worker)
        try await end(other)
        #expect(try await database.runs.claimPublication(of: one, for: worker) == 3)
        try await expectNotOurs(2, for: other.number)
        #expect(try await databaseError { try await publish(under: 2) }.reason == notOpen)
        #expect(try await texts("select state from reconcile.run") == ["open"])
        try await database.runs.requirePublication(3, of: one, for: worker)
        // The answer to the COMMIT may have been lost.
        for _ in 1...2 { try await publish(under: 3) }
        try await expectNotOurs(3, for: worker)
        #expect(try await database.runs.claimPublication(of: one, for: worker) == nil)
        #expect(try await texts("select state from reconcile.run") == ["published"])
    }

    @Test("A run opens although the server repeats a sequence number, as after a crash")
    func numberTwice() async throws {
        try await open()
        try await execute("alter table reconcile.run alter run_no restart with 1")
        try await open(.sample(suffix: 0xDEF))
        let numbers = "select run_no::text from reconcile.run order by run_no"
        #expect(try await texts(numbers) == ["1", "2"])
    }

    private func publish(at end: Instant = .asOf, under publication: Int? = nil) async throws {
        try await database.ledger.publish(one, at: end, under: publication)
    }

    private func expectNotOurs(_ publication: Int, for worker: Int) async throws {
        let error = try await databaseError {
            try await database.runs.requirePublication(publication, of: one, for: worker)
        }
        #expect(error.reason == .notOpen("Another worker publishes the run 1"))
        #expect(error.description.contains("nothing was written (holds_publication)"))
    }
}

@Suite("An unfinished run", .database, .timeLimit(.minutes(10)))
struct OpenRunTests: DatabaseSuite {
    private static let scopes: [String: RunScope] = [
        "all": .everything, "first": .limited(users: 1),
        "ann": .selected(users: ["ann"], receipts: []),
    ]

    @Test(
        "An unfinished run is recognised by its settings, servers and scope",
        arguments: textTriples(
            """
            all   | true true true   | {"settle_ms": 1, "servers": ["a"]}
            all   | true true true   | {"servers": ["a"], "settle_ms": 1}
            all   | true false true  | {"settle_ms": 1, "servers": ["b"]}
            all   | false false true | {"settle_ms": 2, "servers": ["a"]}
            all   | false false true | {"settle_ms": 1, "offline": true, "servers": ["a"]}
            first | true true false  | {"settle_ms": 1, "servers": ["a"]}
            ann   | true true false  | {"settle_ms": 1, "servers": ["a"]}
            """))
    func recognised(scope: String, same: String, settings: String) async throws {
        #expect(try await found(scope, settings) == nil)
        try await open(settings: #"{"settle_ms": 1, "servers": ["a"]}"#)
        var open = try #require(try await found(scope, settings))
        #expect("\(open.hasSameRules) \(open.hasSameServers) \(open.hasSameScope)" == same)
        #expect(open.run == .test())
        #expect(!open.isCut && !open.hasWorker)
        _ = try await database.planner.cut(.test(), usersPerBatch: 1)
        _ = try await database.workers.register(in: run, as: "here/1")
        open = try #require(try await found(scope, settings))
        #expect(open.isCut && open.hasWorker)
    }

    @Test("An unfinished run keeps its scope, its batches and whether it was begun offline")
    func keeps() async throws {
        try await store(["r1": "ann", "r2": "bob", "r3": "b\"ob"])
        let run = Run.test(scope: .selected(users: ["b\"ob", "ann"], receipts: ["r2"]))
        let offline = #"{"offline": true}"#
        try await open(run, settings: offline)
        let plan = RunPlan(batches: 3, users: 3, receipts: 3)
        for _ in 1...2 {
            #expect(try await database.planner.cut(run, usersPerBatch: 1) == plan)
        }
        let open = try await database.runs.findOpen(settings: offline, scope: run.scope)
        #expect(open?.run.scope == .selected(users: ["ann", "b\"ob"], receipts: ["r2"]))
        #expect(open?.hasSameScope == true && open?.hasSameRules == true)
        #expect(open?.run.isOffline == true)
        let stored = #"false {"users": ["b\"ob", "ann"], "receipts": ["r2"]}"#
        #expect(
            try await texts("select is_everything || ' ' || scope from reconcile.run") == [stored])
    }

    @Test("The run of the same scope is resumed, and of a living worker joined, everything first")
    func sameScope() async throws {
        #expect(try await found("all", toJoin: true) == nil)
        try await open("1", "first", isWorkedOn: true)
        try await open("2", "ann", isWorkedOn: true)
        try await open("3", "all")
        for (scope, expected) in [("first", "1"), ("ann", "2"), ("all", "3")] {
            let open = try #require(try await found(scope))
            #expect(open.run.id.text == expected && open.hasSameScope)
            #expect(open.run.scope == Self.scopes[scope])
        }
        let other = try await database.runs.findOpen(settings: "{}", scope: .limited(users: 2))
        #expect(other?.run.id.text == "3" && other?.hasSameScope == false)
        let partial = try await found("all", toJoin: true)
        #expect(partial?.run.id.text == "2" && partial?.hasWorker == true)
        _ = try await worker(of: RunID(text: "3"))
        try await open("4", "first", isWorkedOn: true)
        #expect(try await found("all", toJoin: true)?.run.id.text == "3")
    }

    @Test("A partial run with a living worker is not resumed", arguments: ["ann", "first"])
    func livingWorker(scope: String) async throws {
        try await store(["r1": "ann"])
        let run = try await open("1", scope)
        _ = try await database.planner.cut(run, usersPerBatch: 1)
        let worker = try await worker(of: run.id)
        for isAlive in [true, false] {
            if !isAlive { try await end(worker) }
            let open = try #require(try await found(scope))
            #expect(open.mayBeResumed(asOf: nil, now: run.asOf, within: .seconds(1)) != isAlive)
        }
    }

    /// A new run over everything takes the lock: a worker of an older one has lost it.
    @Test(
        "A new run abandons runs that no living worker works on",
        arguments: textTable(
            """
            all   | all   | idle    | abandoned
            all   | all   | working | abandoned
            all   | first | idle    | abandoned
            all   | first | working | open
            first | all   | idle    | open
            first | all   | working | open
            first | first | idle    | abandoned
            first | first | working | open
            first | ann   | idle    | abandoned
            ann   | ann   | working | open
            """))
    func abandons(row: [String]) async throws {
        try await open("1", row[1], isWorkedOn: row[2] == "working")
        let scope = try #require(Self.scopes[row[0]])
        let abandoned = try await open(.test("2", scope: scope))
        #expect(abandoned == (row[3] == "abandoned" ? [RunID(text: "1")] : []))
        // The answer to the opening may have been lost.
        #expect(try await open(.test("2", scope: scope)) == [])
        let states = try await texts("select state || (finished_at is null) from reconcile.run")
        #expect(
            states.compactMap(\.self).sorted() == ["\(row[3])\(row[3] == "open")", "opentrue"])
    }

    @Test("A replay is not resumed or joined, and abandons replays, not a run over everything")
    func replay() async throws {
        func replay(_ id: String) -> Run {
            Run(id: RunID(text: id), asOf: .asOf, scope: .everything, replayOf: RunID(text: "0"))
        }
        try await open(.test("1"))
        #expect(try await open(replay("2")) == [])
        #expect(try await open(replay("3")) == [RunID(text: "2")])
        let worker = try await worker(of: RunID(text: "3"))
        for toJoin in [true, false] {
            #expect(try await found("all", toJoin: toJoin)?.run.id.text == "1")
        }
        try await end(worker)
        try await database.runs.end(RunID(text: "3"), as: .failed, at: .asOf)
        #expect(try await open(.test("4")) == [RunID(text: "1")])
    }

    @Test(
        "A run can be resumed if settings, servers and scope are the same and it is recent",
        arguments: [
            (Instant?.none, 0, true), (.some(.asOf), 0, true), (.some(.day(-1)), 0, false),
            (nil, 43_200_000, true), (nil, 43_200_001, false), (nil, -1, true),
        ])
    func resumed(asOf: Instant?, ageInMilliseconds: Int64, may: Bool) {
        for different in [nil, 0, 1, 2, 3] {
            let open = OpenRun(
                run: Run(id: run, asOf: .asOf, scope: .everything),
                hasSameRules: different != 0, hasSameServers: different != 1,
                hasSameScope: different != 2, isCut: different != 3, hasWorker: true)
            let now = Instant(milliseconds: Instant.asOf.milliseconds + ageInMilliseconds)
            let isResumed = open.mayBeResumed(asOf: asOf, now: now, within: .seconds(43_200))
            #expect(isResumed == (may && different == nil))
        }
    }

    private func found(
        _ scope: String, _ settings: String = "{}", toJoin: Bool = false
    ) async throws -> OpenRun? {
        try await database.runs.findOpen(
            settings: settings, scope: try #require(Self.scopes[scope]), toJoin: toJoin)
    }

    @discardableResult
    private func open(_ id: String, _ scope: String, isWorkedOn: Bool = false) async throws -> Run {
        let run = Run.test(id, scope: try #require(Self.scopes[scope]))
        try await open(run)
        if isWorkedOn { _ = try await worker(of: run.id) }
        return run
    }
}
