internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("An unfinished run")
struct OpenRunTests {
    private static let settings = #"{"settle_ms": 1, "servers": ["a"]}"#

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
            (settings, .selected(users: ["ann"], receipts: []), [true, true, false]),
        ])
    func recognised(settings: String, scope: RunScope, same: [Bool]) async throws {
        try await TestDatabase.connected { test, database in
            #expect(try await database.runs.findOpen(settings: settings, scope: scope) == nil)
            _ = try await database.runs.open(.test(), codeVersion: "1", settings: Self.settings)
            var open = try #require(
                try await database.runs.findOpen(settings: settings, scope: scope))
            #expect([open.hasSameRules, open.hasSameServers, open.hasSameScope] == same)
            #expect(open.run == .test())
            #expect(!open.isCut && !open.hasWorker)
            _ = try await database.planner.cut(.test(), usersPerBatch: 1)
            _ = try await database.workers.register(in: Run.test().id, as: "here/1")
            open = try #require(try await database.runs.findOpen(settings: settings, scope: scope))
            #expect(open.isCut && open.hasWorker)
        }
    }

    @Test("An unfinished run is offline if it was begun offline")
    func offline() async throws {
        try await TestDatabase.connected { _, database in
            let settings = #"{"offline": true}"#
            _ = try await database.runs.open(.test(), codeVersion: "1", settings: settings)
            let open = try await database.runs.findOpen(settings: settings, scope: .everything)
            #expect(open?.run.isOffline == true && open?.hasSameRules == true)
        }
    }

    @Test("An unfinished run keeps its scope and its batches, whatever is stored later")
    func keeps() async throws {
        try await TestDatabase.connected { test, database in
            try await test.store(receipts: [("r1", "ann"), ("r2", "bob")])
            let scope = RunScope.selected(users: ["b\"ob", "ann"], receipts: ["r2"])
            try await test.store(receipts: [("r3", "b\"ob")])
            let run = Run.test(scope: scope)
            _ = try await database.runs.open(run, codeVersion: "1", settings: "{}")
            let plan = try await database.planner.cut(run, usersPerBatch: 1)
            #expect(plan == RunPlan(batches: 3, users: 3, receipts: 3))
            #expect(try await database.planner.cut(run, usersPerBatch: 1) == plan)
            let open = try await database.runs.findOpen(settings: "{}", scope: scope)
            #expect(open?.run.scope == .selected(users: ["ann", "b\"ob"], receipts: ["r2"]))
            #expect(open?.hasSameScope == true)
        }
    }

    @Test(
        "A run can be resumed if settings, servers and scope are the same and it is recent",
        arguments: [
            (Instant?.none, 0, true), (.some(.asOf), 0, true), (.some(.day(-1)), 0, false),
            (nil, 43_200_000, true), (nil, 43_200_001, false), (nil, -1, true),
        ])
    func resumed(asOf: Instant?, ageInMilliseconds: Int64, may: Bool) {
        let now = Instant(milliseconds: Instant.asOf.milliseconds + ageInMilliseconds)
        #expect(
            Self.open().mayBeResumed(asOf: asOf, now: now, within: .seconds(43_200)) == may)
        for other in [
            Self.open(hasSameRules: false), Self.open(hasSameServers: false),
            Self.open(hasSameScope: false), Self.open(isCut: false),
        ] {
            #expect(!other.mayBeResumed(asOf: asOf, now: now, within: .seconds(43_200)))
        }
    }

    @Test(
        "A living worker keeps other workers out of a partial run, and not of one over everything")
    func livingWorker() {
        let everything = Self.open(hasWorker: true)
        #expect(everything.mayBeResumed(asOf: nil, now: .asOf, within: .seconds(1)))
        for scope in [RunScope.limited(users: 1), .selected(users: ["ann"], receipts: [])] {
            let worked = Self.open(scope: scope, hasWorker: true)
            #expect(!worked.mayBeResumed(asOf: nil, now: .asOf, within: .seconds(1)))
            let alone = Self.open(scope: scope)
            #expect(alone.mayBeResumed(asOf: nil, now: .asOf, within: .seconds(1)))
        }
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

    @Test("A run opens although the server repeats a sequence number, as after a crash")
    func numberTwice() async throws {
        try await TestDatabase.connected { test, database in
            _ = try await database.runs.open(.test(), codeVersion: "1", settings: "{}")
            try await test.execute("alter table reconcile.run alter run_no restart with 1")
            let next = Run.sample(suffix: 0xDEF)
            _ = try await database.runs.open(next, codeVersion: "1", settings: "{}")
            #expect(
                try await test.texts("select run_no::text from reconcile.run order by run_no")
                    == ["1", "2"])
        }
    }
}
