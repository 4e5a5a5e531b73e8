internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Runs and their batches", .database, .timeLimit(.minutes(10)))
struct RunTests: DatabaseSuite {
    private let one = RunID(text: "1")
    private let notOpen = DatabaseError.Reason.notOpen("The run 1 is no longer open")

    @Test("A run ends once, and not by a worker that fails while others work on it")
    func ends() async throws {
        try await open(.test("1"))
        _ = try await database.workers.register(in: one, as: "first")
        let second = try await worker(of: one).database
        let early = try await reason { try await second.runs.end(one, as: .failed, at: .asOf) }
        await second.close()
        try await database.runs.end(one, as: .failed, at: .asOf)
        #expect(try await [early, reason { try await publish() }] == [notOpen, notOpen])
        // Ending it again has no effect.
        try await database.runs.end(one, as: .failed, at: .day(1))
        let ends = try await test.list("state, finished_at < '2026-11-20 12:00Z'", of: "run")
        #expect(ends == "failed t")
        // A run opens although the server repeats a sequence number, as after a crash.
        try await execute("alter table reconcile.run alter run_no restart with 1")
        try await open()
        #expect(try await test.list("run_no", of: "run") == "1, 2")
    }

    @Test("One worker publishes a run, and the next one does if that worker is gone")
    func publication() async throws {
        try await open(.test("1"))
        let worker = try await database.workers.register(in: one, as: "here/1").worker
        let other = try await self.worker(of: one)
        let runs = other.database.runs
        // Not before its users are cut into batches, and all of these are done.
        #expect(try await claim(for: worker) == nil)
        _ = try await database.planner.cut(.test("1"), usersPerBatch: 1)
        let first = try #require(try await runs.claimPublication(of: one, for: other.number))
        #expect(try await claim(for: worker) == nil)
        // Nor is it published before its users are compared with each other.
        try await expectNotOurs(first, for: other.number)
        try await execute("update reconcile.run set compared_at = now()")
        try await runs.requirePublication(first, of: one, for: other.number)
        // The same worker may claim it again, for example when the answer was lost.
        let second = try #require(try await runs.claimPublication(of: one, for: other.number))
        try await expectNotOurs(first, for: other.number)
        try await expectNotOurs(second, for: worker)
        try await end(other)
        let third = try #require(try await claim(for: worker))
        #expect(Set([first, second, third]).count == 3)
        try await expectNotOurs(second, for: other.number)
        #expect(try await reason { try await publish(under: second) } == notOpen)
        #expect(try await texts("select state from reconcile.run") == ["open"])
        try await database.runs.requirePublication(third, of: one, for: worker)
        // The answer to the COMMIT may have been lost.
        for _ in 1...2 { try await publish(under: third) }
        try await expectNotOurs(third, for: worker)
        #expect(try await claim(for: worker) == nil)
        #expect(try await texts("select state from reconcile.run") == ["published"])
    }

    private func claim(for worker: Int) async throws -> Int? {
        try await database.runs.claimPublication(of: one, for: worker)
    }

    private func publish(under publication: Int? = nil) async throws {
        try await database.ledger.publish(one, at: .asOf, under: publication)
    }

    private func expectNotOurs(_ publication: Int, for worker: Int) async throws {
        let error = try await databaseError {
            try await database.runs.requirePublication(publication, of: one, for: worker)
        }
        let text = "Another worker publishes the run 1, so nothing was written (holds_publication)."
        #expect(error.description.hasPrefix(text))
    }

    private static let scopes: [String: Run.Scope] = [
        "all": .everything, "first": .limited(users: 1),
        "ann": .selected(users: ["ann"], receipts: []),
    ]

    /// The new run's scope; whether it has the old one's rules, servers and scope; its settings.
    @Test(
        "An unfinished run is recognised by its settings, servers and scope",
        arguments: """
            all   | true true true   | {"servers": ["a"], "settle_ms": 1}
            all   | true false true  | {"settle_ms": 1, "servers": ["b"]}
            all   | false false true | {"settle_ms": 2, "servers": ["a"]}
            all   | false false true | {"settle_ms": 1, "offline": true, "servers": ["a"]}
            first | true true false  | {"settle_ms": 1, "servers": ["a"]}
            """.triples)
    func recognised(scope: String, same: String, settings: String) async throws {
        #expect(try await found(scope, settings) == nil)
        try await open(settings: #"{"settle_ms": 1, "servers": ["a"]}"#)
        let new = try #require(try await found(scope, settings))
        #expect("\(new.hasSameRules) \(new.hasSameServers) \(new.hasSameScope)" == same)
        #expect(new.run == .test())
        #expect(!new.isCut)
        #expect(!new.hasWorker)
        _ = try await database.planner.cut(.test(), usersPerBatch: 1)
        let worker = try await worker()
        #expect(try await found(scope, settings).map { $0.isCut && $0.hasWorker } == true)
        try await end(worker)
        #expect(try await found(scope, settings)?.hasWorker == false)
    }

    @Test("An unfinished run keeps its scope, its batches and whether it was begun offline")
    func keeps() async throws {
        try await store(["r1": "ann", "r2": "bob", "r3": "b\"ob"])
        let run = Run.test(scope: .selected(users: ["b\"ob", "ann"], receipts: ["r2"]))
        let offline = #"{"offline": true}"#
        try await open(run, settings: offline)
        let plan = OpenedRun.Plan(batches: 3, users: 3, receipts: 3)
        for _ in 1...2 { #expect(try await database.planner.cut(run, usersPerBatch: 1) == plan) }
        let open = try await database.runs.findOpen(settings: offline, scope: run.scope)
        #expect(open?.run.scope == .selected(users: ["ann", "b\"ob"], receipts: ["r2"]))
        #expect(open.map { $0.hasSameScope && $0.hasSameRules && $0.run.isOffline } == true)
        let stored = try await test.list("is_everything, scope", of: "run")
        #expect(stored == #"f {"users": ["ann", "b\"ob"], "receipts": ["r2"]}"#)
    }

    @Test("A run of the same scope is resumed; a live one is joined, one over everything first")
    func sameScope() async throws {
        #expect(try await found("all", toJoin: true) == nil)
        try await open("1", "first", isWorkedOn: true)
        try await open("2", "ann", isWorkedOn: true)
        try await open("3", "all")
        for (scope, expected) in [("first", "1"), ("ann", "2"), ("all", "3")] {
            let open = try #require(try await found(scope))
            #expect(open.run.id.text == expected)
            #expect(open.hasSameScope)
            #expect(open.run.scope == Self.scopes[scope])
        }
        let other = try await database.runs.findOpen(settings: "{}", scope: .limited(users: 2))
        #expect(other?.run.id.text == "3")
        #expect(other?.hasSameScope == false)
        let partial = try await found("all", toJoin: true)
        #expect(partial?.run.id.text == "2")
        #expect(partial?.hasWorker == true)
        _ = try await worker(of: RunID(text: "3"))
        try await open("4", "first", isWorkedOn: true)
        #expect(try await found("all", toJoin: true)?.run.id.text == "3")
    }

    /// The scopes of the new and the old run, and the old one's state, without and with a worker. A
    /// new run over everything takes the lock: a worker of an older one has lost it.
    @Test(
        "A new run abandons runs that no living worker works on",
        arguments: """
            all   | all   | abandoned | abandoned
            all   | first | abandoned | open
            first | all   | open      | open
            first | first | abandoned | open
            first | ann   | abandoned | open
            """.rows, [false, true])
    func abandons(row: [String], isWorkedOn: Bool) async throws {
        try await open("1", row[1], isWorkedOn: isWorkedOn)
        let state = row[isWorkedOn ? 3 : 2]
        let new = Run.test("2", scope: try #require(Self.scopes[row[0]]))
        #expect(try await open(new) == (state == "abandoned" ? [RunID(text: "1")] : []))
        // The answer to the opening may have been lost.
        #expect(try await open(new) == [])
        let states = try await test.list("run_no, state, finished_at is null", of: "run")
        #expect(states == "1 \(state) \(state == "open" ? "t" : "f"), 2 open t")
    }

    @Test("A replay is not resumed or joined, and abandons replays, not a run over everything")
    func replay() async throws {
        let replays = ["2", "3"].map { id in
            Run(id: RunID(text: id), asOf: .asOf, scope: .everything, replayOf: RunID(text: "0"))
        }
        try await open(.test("1"))
        #expect(try await [open(replays[0]), open(replays[1])] == [[], [replays[0].id]])
        let worker = try await worker(of: replays[1].id)
        for toJoin in [true, false] {
            #expect(try await found("all", toJoin: toJoin)?.run.id.text == "1")
        }
        try await end(worker)
        try await database.runs.end(replays[1].id, as: .failed, at: .asOf)
        #expect(try await open(.test("4")) == [RunID(text: "1")])
    }

    @Test(
        "A run is resumed if settings, servers and scope agree, it is recent, and nightly or free",
        arguments: [
            (Instant?.none, 0, true), (.some(.asOf), 0, true), (.some(.day(-1)), 0, false),
            (nil, 43_200_000, true), (nil, 43_200_001, false), (nil, -1, true),
        ])
    func resumed(asOf: Instant?, ageInMilliseconds: Int64, may: Bool) {
        let now = Instant(milliseconds: Instant.asOf.milliseconds + ageInMilliseconds)
        for (scope, hasWorker) in Self.scopes.values.flatMap({ [($0, true), ($0, false)] }) {
            // Which of the four conditions below does not hold; 0 for none.
            for different in 0...4 {
                let open = OpenedRun.Candidate(
                    run: Run(id: run, asOf: .asOf, scope: scope), hasSameRules: different != 1,
                    hasSameServers: different != 2, hasSameScope: different != 3,
                    isCut: different != 4, hasWorker: hasWorker)
                let isResumed = open.mayBeResumed(asOf: asOf, now: now, within: .seconds(43_200))
                let isFree = scope == .everything || !hasWorker
                #expect(isResumed == (may && different == 0 && isFree))
            }
        }
    }

    private func found(
        _ scope: String, _ settings: String = "{}", toJoin: Bool = false
    ) async throws -> OpenedRun.Candidate? {
        let scope = try #require(Self.scopes[scope])
        return try await database.runs.findOpen(settings: settings, scope: scope, toJoin: toJoin)
    }

    private func open(_ id: String, _ scope: String, isWorkedOn: Bool = false) async throws {
        try await open(.test(id, scope: try #require(Self.scopes[scope])))
        if isWorkedOn { _ = try await worker(of: RunID(text: id)) }
    }

    private static let users = ["Zoe", "ann", "Bob", "bob", "école", "eve", "zoe", "Ann"]
    /// In the views' collation. Bytes would sort otherwise.
    private static let inCollation = ["ann", "Ann", "bob", "Bob", "école", "eve", "zoe", "Zoe"]

    @Test(
        "The batches hold every user once, or the first users, in the collation of the views",
        arguments: [
            (nil, 1, 8), (nil, 2, 4), (nil, 3, 3), (nil, 7, 2), (nil, 8, 1), (nil, 100, 1),
            (0, 2, 0), (1, 2, 1), (3, 2, 2), (50, 2, 4),
        ])
    func cut(limit: Int?, usersPerBatch: Int, batches: Int) async throws {
        try await test.store(receipts: Self.users.map { ("r-\($0)", $0) })
        try await test.store(entitlement: "e1", of: "ann")
        let plan = try await plan(limit.map(Run.Scope.limited) ?? .everything, usersPerBatch)
        let all = Self.inCollation.prefix(limit ?? 8)
        #expect(plan == OpenedRun.Plan(batches: batches, users: all.count, receipts: all.count))
        let leased = try await database.leasedBatches()
        #expect(leased.map(\.number) == Array(1..<batches + 1))
        var read: [String] = []
        for batch in leased {
            let portions = try await database.portions(of: batch)
            let users = portions.flatMap(\.users)
            #expect(portions.count == 1)
            #expect(users.count <= usersPerBatch)
            #expect(users.allSatisfy { $0.receipts.map(\.user) == [$0.user] })
            // In collation order from batch to batch, and in any order within one.
            let names = users.map(\.user.text)
            read += Self.inCollation.filter(names.contains)
            #expect(Set(names).count == users.count)
        }
        #expect(read == Array(all))
    }

    @Test("A run over an id that is not in the views, or has no user, is refused")
    func unknown() async throws {
        try await execute("insert into team.receipts (id) values ('nobodys')")
        let scope = Run.Scope.selected(users: ["nobody"], receipts: ["none", "nobodys"])
        let problems = [
            "There is no user “nobody” in the views.", "There is no receipt “none” in the views.",
            "The receipt “nobodys” has no user_id.",
        ]
        #expect(try await reason { try await plan(scope, 1) } == .notFound(problems))
    }

    @Test(
        "Batches get larger with the number of users, and are read through an index in that order",
        arguments: [(0, 5, 0), (250, 200, 3), (3001, 200, 21), (20_000, 200, 100), (7500, 50, 150)])
    func sizes(users: Int, atMost: Int, batches: Int) async throws {
        try await execute(
            """
            insert into team.receipts
            select n::text, 'user' || n, 'app', 'AAAA', now() from generate_series(1, \(users)) n;
            analyze team.receipts;
            """)
        let plan = try await plan(.everything, atMost)
        #expect(plan == OpenedRun.Plan(batches: batches, users: users, receipts: users))
        guard users == 20_000 else { return }
        let range = "from reconcile.stored_receipts where user_id between 'user5' and 'user51'"
        let explain = PostgresStatement.test("explain select receipt_id " + range)
        let steps = try await session().query(explain) { try $0.text("QUERY PLAN") }
        #expect(steps.contains { $0.contains("receipts_who_idx") })
    }

    private func plan(_ scope: Run.Scope, _ usersPerBatch: Int) async throws -> OpenedRun.Plan {
        let run = Run.test(scope: scope)
        try await open(run)
        let plan = try await database.planner.plan(scope, usersPerBatch: usersPerBatch)
        #expect(try await database.planner.cut(run, usersPerBatch: usersPerBatch) == plan)
        return plan
    }
}
