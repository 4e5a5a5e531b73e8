internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The choice among several open runs", .timeLimit(.minutes(10)))
struct OpenRunChoiceTests {
    private static let ann = RunScope.selected(users: ["ann"], receipts: [])

    @Test("The run of the same scope is resumed, however many others were opened since")
    func sameScope() async throws {
        try await TestDatabase.connected { test, database in
            try await open("1", .limited(users: 1), database)
            let keepsFirst = try await worker(of: "1", test)
            try await open("2", Self.ann, database)
            let keepsSecond = try await worker(of: "2", test)
            try await open("3", .everything, database)
            for (scope, expected) in [
                (RunScope.limited(users: 1), "1"), (Self.ann, "2"), (.everything, "3"),
            ] {
                let found = try #require(
                    try await database.runs.findOpen(settings: "{}", scope: scope))
                #expect(found.run.id.text == expected && found.hasSameScope)
                #expect(found.run.scope == scope)
            }
            let other = try await database.runs.findOpen(settings: "{}", scope: .limited(users: 2))
            #expect(other?.run.id.text == "3" && other?.hasSameScope == false)
            await keepsFirst.close()
            await keepsSecond.close()
        }
    }

    @Test("A partial run is resumed only when no living worker works on it")
    func livingWorker() async throws {
        try await TestDatabase.connected { test, database in
            try await test.store(receipts: [("r1", "ann")])
            let run = Run.test("1", scope: Self.ann)
            _ = try await database.runs.open(run, codeVersion: "1", settings: "{}")
            _ = try await database.planner.cut(run, usersPerBatch: 1)
            let worker = try await worker(of: "1", test)
            func mayBeResumed() async throws -> Bool {
                let open = try #require(
                    try await database.runs.findOpen(settings: "{}", scope: Self.ann))
                return open.mayBeResumed(asOf: nil, now: run.asOf, within: .seconds(1))
            }
            #expect(try await mayBeResumed() == false)
            await worker.close()
            // The server ends a session some milliseconds after its client has gone.
            while try await !mayBeResumed() {}
        }
    }

    @Test("A run of a living worker is joined, one over everything first")
    func join() async throws {
        try await TestDatabase.connected { test, database in
            func joined() async throws -> OpenRun? {
                try await database.runs.findOpen(settings: "{}", scope: .everything, toJoin: true)
            }
            #expect(try await joined() == nil)
            try await open("1", Self.ann, database)
            let first = try await worker(of: "1", test)
            try await open("2", .everything, database)
            #expect(try await joined()?.run.id.text == "1")
            #expect(try await joined()?.hasWorker == true)
            let second = try await worker(of: "2", test)
            try await open("3", .limited(users: 1), database)
            let third = try await worker(of: "3", test)
            #expect(try await joined()?.run.id.text == "2")
            for worker in [first, second, third] { await worker.close() }
        }
    }

    @Test("A replay is neither resumed nor joined")
    func replay() async throws {
        try await TestDatabase.connected { test, database in
            let replay = Run(
                id: RunID(text: "1"), asOf: .asOf, scope: .everything, replayOf: RunID(text: "0"))
            _ = try await database.runs.open(replay, codeVersion: "1", settings: "{}")
            let worker = try await worker(of: "1", test)
            for toJoin in [true, false] {
                let found = try await database.runs.findOpen(
                    settings: "{}", scope: .everything, toJoin: toJoin)
                #expect(found == nil)
            }
            await worker.close()
        }
    }

    @Test(
        "A new run abandons runs that no living worker works on",
        arguments: [
            (
                new: RunScope.everything, old: RunScope.everything, isWorkedOn: false,
                isGivenUp: true
            ),
            // A new run over everything takes the lock: the old worker has lost it.
            (.everything, .everything, true, true),
            (.everything, .limited(users: 1), false, true),
            (.everything, .limited(users: 1), true, false),
            (.limited(users: 1), .everything, false, false),
            (.limited(users: 1), .everything, true, false),
            (.limited(users: 1), .limited(users: 1), false, true),
            (.limited(users: 1), .limited(users: 1), true, false),
            (.limited(users: 1), ann, false, true),
            (ann, ann, true, false),
        ])
    func givenUp(
        _ case: (new: RunScope, old: RunScope, isWorkedOn: Bool, isGivenUp: Bool)
    ) async throws {
        try await TestDatabase.connected { test, database in
            try await open("1", `case`.old, database)
            let worker = `case`.isWorkedOn ? try await worker(of: "1", test) : nil
            let abandoned = try await open("2", `case`.new, database)
            #expect(abandoned == (`case`.isGivenUp ? [RunID(text: "1")] : []))
            let states = try await test.texts("select state from reconcile.run order by run_id")
            #expect(states == [`case`.isGivenUp ? "abandoned" : "open", "open"])
            await worker?.close()
        }
    }

    @Test("A replay abandons replays and partial runs, and not a run over everything")
    func replayGivesUp() async throws {
        try await TestDatabase.connected { _, database in
            try await open("1", .everything, database)
            func replay(_ id: String) async throws -> [RunID] {
                let run = Run(
                    id: RunID(text: id), asOf: .asOf, scope: .everything,
                    replayOf: RunID(text: "0"))
                return try await database.runs.open(run, codeVersion: "1", settings: "{}")
            }
            #expect(try await replay("2") == [])
            #expect(try await replay("3") == [RunID(text: "2")])
            try await database.runs.end(RunID(text: "3"), as: .failed, at: .asOf)
            #expect(try await open("4", .everything, database) == [RunID(text: "1")])
        }
    }

    @Test("A run is opened once, even if the answer to its opening was lost")
    func twice() async throws {
        try await TestDatabase.connected { test, database in
            let abandoned = [
                try await open("1", .everything, database),
                try await open("1", .everything, database),
            ]
            #expect(abandoned == [[], []])
            #expect(try await test.texts("select state from reconcile.run") == ["open"])
        }
    }

    @discardableResult
    private func open(
        _ id: String, _ scope: RunScope, _ database: Database
    ) async throws -> [RunID] {
        try await database.runs.open(.test(id, scope: scope), codeVersion: "1", settings: "{}")
    }

    private func worker(of run: String, _ test: TestDatabase) async throws -> Database {
        let other = try await Database.connect(test.url, connections: 1)
        _ = try await other.workers.register(in: RunID(text: run), as: "there/1")
        return other
    }
}
