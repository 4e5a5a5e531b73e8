internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Unfinished runs", .database, .hangLimit)
struct UnfinishedRunTests: DatabaseSuite {
    private static let first = Run.Scope.limited(users: 1)
    private static let ann = Run.Scope.selected(users: ["ann"], receipts: [])

    /// What a new run with these settings has in common with the old one, which is over everything
    /// and has `{"settle_ms": 1, "servers": ["a"]}`. To add a case, copy one.
    struct Resemblance: Sendable {
        var scope = Run.Scope.everything
        let settings: String
        var sameRules = true
        var sameServers = true
        var sameScope = true
    }

    @Test(
        "An unfinished run is recognised by its settings, servers and scope",
        arguments: [
            Resemblance(settings: #"{"servers": ["a"], "settle_ms": 1}"#),
            Resemblance(settings: #"{"settle_ms": 1, "servers": ["b"]}"#, sameServers: false),
            Resemblance(
                settings: #"{"settle_ms": 2, "servers": ["a"]}"#, sameRules: false,
                sameServers: false),
            Resemblance(
                settings: #"{"settle_ms": 1, "offline": true, "servers": ["a"]}"#,
                sameRules: false, sameServers: false),
            Resemblance(
                scope: first, settings: #"{"settle_ms": 1, "servers": ["a"]}"#, sameScope: false),
        ])
    func recognised(example: Resemblance) async throws {
        let scope = example.scope
        let settings = example.settings
        #expect(try await found(scope, settings) == nil)
        try await open(settings: #"{"settle_ms": 1, "servers": ["a"]}"#)
        let new = try #require(try await found(scope, settings))
        #expect(new.hasSameRules == example.sameRules)
        #expect(new.hasSameServers == example.sameServers)
        #expect(new.hasSameScope == example.sameScope)
        #expect(new.run == .test())
        #expect(!new.isCut)
        #expect(!new.hasWorker)
        _ = try await database.planner.cut(.test(), usersPerBatch: 1)
        let worker = try await worker()
        let worked = try await found(scope, settings)
        #expect(worked?.isCut == true)
        #expect(worked?.hasWorker == true)
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
        #expect(open?.hasSameScope == true)
        #expect(open?.hasSameRules == true)
        #expect(open?.run.isOffline == true)
        let stored: [StoredScope] = try await test.rows(
            "select is_everything, scope from reconcile.run")
        let scope = StoredScope.Selection(users: ["ann", "b\"ob"], receipts: ["r2"])
        #expect(stored == [StoredScope(isEverything: false, scope: scope)])
    }

    private struct StoredScope: Equatable, Decodable {
        struct Selection: Equatable, Decodable {
            let users: [String]
            let receipts: [String]
        }

        let isEverything: Bool
        let scope: Selection
    }

    @Test("A run of the same scope is resumed; a live one is joined, one over everything first")
    func sameScope() async throws {
        #expect(try await found(.everything, toJoin: true) == nil)
        try await open("1", Self.first, isWorkedOn: true)
        try await open("2", Self.ann, isWorkedOn: true)
        try await open("3", .everything)
        for (scope, expected) in [
            (Self.first, "1"), (Self.ann, "2"), (.everything, "3"),
        ] as [(Run.Scope, String)] {
            let open = try #require(try await found(scope))
            #expect(open.run.id.text == expected)
            #expect(open.hasSameScope)
            #expect(open.run.scope == scope)
        }
        let other = try await database.runs.findOpen(settings: "{}", scope: .limited(users: 2))
        #expect(other?.run.id.text == "3")
        #expect(other?.hasSameScope == false)
        let partial = try await found(.everything, toJoin: true)
        #expect(partial?.run.id.text == "2")
        #expect(partial?.hasWorker == true)
        _ = try await worker(of: RunID(text: "3"))
        try await open("4", Self.first, isWorkedOn: true)
        #expect(try await found(.everything, toJoin: true)?.run.id.text == "3")
    }

    private struct RunState: Equatable, Decodable {
        let runID: String
        let state: String
        let isFinished: Bool
    }

    /// What becomes of the old run when the new one opens. A new run over everything takes the
    /// lock: a worker of an older one has lost it. To add a case, copy a row.
    @Test(
        "A new run abandons runs that no living worker works on",
        arguments: [
            (new: .everything, old: .everything, abandoned: true, abandonedIfWorkedOn: true),
            (.everything, first, true, false),
            (first, .everything, false, false),
            (first, first, true, false),
            (first, ann, true, false),
        ] as [(new: Run.Scope, old: Run.Scope, abandoned: Bool, abandonedIfWorkedOn: Bool)],
        [false, true])
    func abandons(
        example: (new: Run.Scope, old: Run.Scope, abandoned: Bool, abandonedIfWorkedOn: Bool),
        isWorkedOn: Bool
    ) async throws {
        try await open("1", example.old, isWorkedOn: isWorkedOn)
        let isAbandoned = isWorkedOn ? example.abandonedIfWorkedOn : example.abandoned
        let new = Run.test("2", scope: example.new)
        #expect(try await open(new) == (isAbandoned ? [RunID(text: "1")] : []))
        // The answer to the opening may have been lost.
        #expect(try await open(new) == [])
        let states: [RunState] = try await test.rows(
            """
            select run_id, state, finished_at is not null as is_finished
            from reconcile.run order by run_no
            """)
        let left = RunState(
            runID: "1", state: isAbandoned ? "abandoned" : "open", isFinished: isAbandoned)
        #expect(states == [left, RunState(runID: "2", state: "open", isFinished: false)])
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
            #expect(try await found(.everything, toJoin: toJoin)?.run.id.text == "1")
        }
        try await end(worker)
        try await database.runs.end(replays[1].id, as: .failed, at: .asOf)
        #expect(try await open(.test("4")) == [RunID(text: "1")])
    }

    @Test(
        "A run is resumed if settings, servers and scope agree, it is recent, and nightly or free",
        arguments: [
            (asOf: Instant?.none, ageInMilliseconds: 0, may: true), (.some(.asOf), 0, true),
            (.some(.day(-1)), 0, false),
            (nil, 43_200_000, true), (nil, 43_200_001, false), (nil, -1, true),
        ])
    func resumed(asOf: Instant?, ageInMilliseconds: Int64, may: Bool) {
        let now = Instant(milliseconds: Instant.asOf.milliseconds + ageInMilliseconds)
        for (scope, hasWorker) in [.everything, Self.first, Self.ann].flatMap({
            [($0, true), ($0, false)]
        }) {
            for difference in Difference.allCases {
                let open = OpenedRun.Candidate(
                    run: Run(id: run, asOf: .asOf, scope: scope),
                    hasSameRules: difference != .otherRules,
                    hasSameServers: difference != .otherServers,
                    hasSameScope: difference != .otherScope, isCut: difference != .notCut,
                    hasWorker: hasWorker)
                let isResumed = open.mayBeResumed(asOf: asOf, now: now, within: .seconds(43_200))
                let isFree = scope == .everything || !hasWorker
                let expected = may && difference == .none && isFree
                #expect(isResumed == expected, "\(scope), \(difference), worker: \(hasWorker)")
            }
        }
    }

    /// What keeps an open run from being resumed.
    private enum Difference: CaseIterable {
        case none, otherRules, otherServers, otherScope, notCut
    }

    private func found(
        _ scope: Run.Scope, _ settings: String = "{}", toJoin: Bool = false
    ) async throws -> OpenedRun.Candidate? {
        try await database.runs.findOpen(settings: settings, scope: scope, toJoin: toJoin)
    }

    private func open(
        _ id: String, _ scope: Run.Scope, isWorkedOn: Bool = false
    ) async throws {
        try await open(.test(id, scope: scope))
        if isWorkedOn { _ = try await worker(of: RunID(text: id)) }
    }
}
