internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("An unfinished run", .database, .timeLimit(.minutes(10)))
struct OpenRunTests: DatabaseSuite {
    private static let settings = #"{"settle_ms": 1, "servers": ["a"]}"#
    private static let ann = RunScope.selected(users: ["ann"], receipts: [])

    @Test(
        "An unfinished run is recognised by its settings, servers and scope",
        arguments: [
            (settings, RunScope.everything, [true, true, true]),
            (#"{"servers": ["a"], "settle_ms": 1}"#, .everything, [true, true, true]),
            (#"{"settle_ms": 1, "servers": ["b"]}"#, .everything, [true, false, true]),
            (#"{"settle_ms": 2, "servers": ["a"]}"#, .everything, [false, false, true]),
            (
                #"{"settle_ms": 1, "offline": true, "servers": ["a"]}"#, .everything,
                [false, false, true]
            ),
            (settings, .limited(users: 1), [true, true, false]),
            (settings, ann, [true, true, false]),
        ])
    func recognised(settings: String, scope: RunScope, same: [Bool]) async throws {
        #expect(try await found(settings, scope) == nil)
        try await open(settings: Self.settings)
        var open = try #require(try await found(settings, scope))
        #expect([open.hasSameRules, open.hasSameServers, open.hasSameScope] == same)
        #expect(open.run == .test())
        #expect(!open.isCut && !open.hasWorker)
        _ = try await database.planner.cut(.test(), usersPerBatch: 1)
        _ = try await database.workers.register(in: run, as: "here/1")
        open = try #require(try await found(settings, scope))
        #expect(open.isCut && open.hasWorker)
    }

    @Test("An unfinished run is offline if it was begun offline")
    func offline() async throws {
        try await open(settings: #"{"offline": true}"#)
        let open = try await found(#"{"offline": true}"#)
        #expect(open?.run.isOffline == true && open?.hasSameRules == true)
    }

    @Test("An unfinished run keeps its scope and its batches, whatever is stored later")
    func keeps() async throws {
        try await store(["r1": "ann", "r2": "bob", "r3": "b\"ob"])
        let scope = RunScope.selected(users: ["b\"ob", "ann"], receipts: ["r2"])
        let run = Run.test(scope: scope)
        try await open(run)
        let plan = try await database.planner.cut(run, usersPerBatch: 1)
        #expect(plan == RunPlan(batches: 3, users: 3, receipts: 3))
        #expect(try await database.planner.cut(run, usersPerBatch: 1) == plan)
        let open = try await found("{}", scope)
        #expect(open?.run.scope == .selected(users: ["ann", "b\"ob"], receipts: ["r2"]))
        #expect(open?.hasSameScope == true)
    }

    @Test("The run of the same scope is resumed, however many others were opened since")
    func sameScope() async throws {
        try await open(.test("1", scope: .limited(users: 1)))
        _ = try await worker(of: RunID(text: "1"))
        try await open(.test("2", scope: Self.ann))
        _ = try await worker(of: RunID(text: "2"))
        try await open(.test("3"))
        for (scope, expected) in [
            (RunScope.limited(users: 1), "1"), (Self.ann, "2"), (.everything, "3"),
        ] {
            let open = try #require(try await found("{}", scope))
            #expect(open.run.id.text == expected && open.hasSameScope && open.run.scope == scope)
        }
        let other = try await found("{}", .limited(users: 2))
        #expect(other?.run.id.text == "3" && other?.hasSameScope == false)
    }

    @Test("A partial run is resumed only when no living worker works on it")
    func livingWorker() async throws {
        try await store(["r1": "ann"])
        let run = Run.test("1", scope: Self.ann)
        try await open(run)
        _ = try await database.planner.cut(run, usersPerBatch: 1)
        let worker = try await worker(of: run.id).database
        func mayBeResumed() async throws -> Bool {
            let open = try #require(try await found("{}", Self.ann))
            return open.mayBeResumed(asOf: nil, now: run.asOf, within: .seconds(1))
        }
        #expect(try await mayBeResumed() == false)
        await worker.close()
        // The server ends a session some milliseconds after its client has gone.
        while try await !mayBeResumed() {}
    }

    @Test("A run of a living worker is joined, one over everything first")
    func join() async throws {
        #expect(try await found(toJoin: true) == nil)
        try await open(.test("1", scope: Self.ann))
        _ = try await worker(of: RunID(text: "1"))
        try await open(.test("2"))
        let first = try await found(toJoin: true)
        #expect(first?.run.id.text == "1" && first?.hasWorker == true)
        _ = try await worker(of: RunID(text: "2"))
        try await open(.test("3", scope: .limited(users: 1)))
        _ = try await worker(of: RunID(text: "3"))
        #expect(try await found(toJoin: true)?.run.id.text == "2")
    }

    @Test("A replay is neither resumed nor joined")
    func replay() async throws {
        try await open(Self.replay("1"))
        _ = try await worker(of: RunID(text: "1"))
        #expect(try await found(toJoin: true) == nil)
        #expect(try await found(toJoin: false) == nil)
    }

    @Test(
        "A new run abandons runs that no living worker works on",
        arguments: [
            (RunScope.everything, RunScope.everything, false, true),
            // A new run over everything takes the lock: the old worker has lost it.
            (.everything, .everything, true, true),
            (.everything, .limited(users: 1), false, true),
            (.everything, .limited(users: 1), true, false),
            (.limited(users: 1), .everything, false, false),
            (.limited(users: 1), .everything, true, false),
            (.limited(users: 1), .limited(users: 1), false, true),
            (.limited(users: 1), .limited(users: 1), true, false),
            (.limited(users: 1), ann, false, true), (ann, ann, true, false),
        ])
    func abandons(new: RunScope, old: RunScope, isWorkedOn: Bool, isAbandoned: Bool) async throws {
        try await open(.test("1", scope: old))
        if isWorkedOn { _ = try await worker(of: RunID(text: "1")) }
        let abandoned = try await open(.test("2", scope: new))
        #expect(abandoned == (isAbandoned ? [RunID(text: "1")] : []))
        let states = try await texts("select state from reconcile.run order by run_id")
        #expect(states == [isAbandoned ? "abandoned" : "open", "open"])
    }

    @Test("A replay abandons replays and partial runs, and not a run over everything")
    func replayAbandons() async throws {
        try await open(.test("1"))
        #expect(try await open(Self.replay("2")) == [])
        #expect(try await open(Self.replay("3")) == [RunID(text: "2")])
        try await database.runs.end(RunID(text: "3"), as: .failed, at: .asOf)
        #expect(try await open(.test("4")) == [RunID(text: "1")])
    }

    private static func replay(_ id: String) -> Run {
        Run(id: RunID(text: id), asOf: .asOf, scope: .everything, replayOf: RunID(text: "0"))
    }

    private func found(
        _ settings: String = "{}", _ scope: RunScope = .everything, toJoin: Bool = false
    ) async throws -> OpenRun? {
        try await database.runs.findOpen(settings: settings, scope: scope, toJoin: toJoin)
    }
}

@Suite("Whether an unfinished run is resumed")
struct ResumingTests {
    @Test(
        "A run can be resumed if settings, servers and scope are the same and it is recent",
        arguments: [
            (Instant?.none, 0, true), (.some(.asOf), 0, true), (.some(.day(-1)), 0, false),
            (nil, 43_200_000, true), (nil, 43_200_001, false), (nil, -1, true),
        ])
    func resumed(asOf: Instant?, ageInMilliseconds: Int64, may: Bool) {
        let now = Instant(milliseconds: Instant.asOf.milliseconds + ageInMilliseconds)
        let others = [
            Self.open(hasSameRules: false), Self.open(hasSameServers: false),
            Self.open(hasSameScope: false), Self.open(isCut: false),
        ]
        let answers = ([Self.open()] + others).map {
            $0.mayBeResumed(asOf: asOf, now: now, within: .seconds(43_200))
        }
        #expect(answers == [may, false, false, false, false])
    }

    @Test(
        "A living worker keeps other workers out of a partial run, and not of one over everything",
        arguments: [
            (RunScope.everything, true, true), (.limited(users: 1), true, false),
            (.limited(users: 1), false, true),
            (.selected(users: ["ann"], receipts: []), true, false),
            (.selected(users: ["ann"], receipts: []), false, true),
        ])
    func livingWorker(scope: RunScope, hasWorker: Bool, may: Bool) {
        let open = Self.open(scope: scope, hasWorker: hasWorker)
        #expect(open.mayBeResumed(asOf: nil, now: .asOf, within: .seconds(1)) == may)
    }

    private static func open(
        scope: RunScope = .everything, hasSameRules: Bool = true, hasSameServers: Bool = true,
        hasSameScope: Bool = true, isCut: Bool = true, hasWorker: Bool = false
    ) -> OpenRun {
        OpenRun(
            run: Run(id: RunID(text: "1"), asOf: .asOf, scope: scope),
            hasSameRules: hasSameRules, hasSameServers: hasSameServers,
            hasSameScope: hasSameScope, isCut: isCut, hasWorker: hasWorker)
    }
}
