internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Runs in the database")
struct RunTests {
    @Test("A run keeps a second run out, which reports who holds the lock")
    func lock() async throws {
        try await TestDatabase.connected(.ownTables) { test, first in
            try await first.workers.lock()
            try await first.workers.lock()
            _ = try await first.runs.open(.test("tonight"), codeVersion: "1", settings: "{}")
            let second = try await Database.connect(test.url, connections: 1)
            let error = try await databaseError { try await second.workers.lock() }
            guard case .locked(let holder) = error.reason else {
                Issue.record("unexpected \(error)")
                return
            }
            #expect(holder.hasPrefix("run tonight, server process "))
            #expect(holder.contains("reconcile-job"))
            #expect(error.description.contains("Wait for it to end"))
            await first.close()
            try await second.workers.lock()
            await second.close()
        }
    }

    @Test("A new run abandons the unfinished runs, and no others")
    func abandons() async throws {
        try await TestDatabase.connected(.ownTables) { test, database in
            #expect(try await open("1", database) == [])
            try await database.ledger.publish(
                RunID(text: "1"), at: Instant(milliseconds: 5), under: nil)
            #expect(try await open("2", database) == [])
            #expect(try await open("3", database) == [RunID(text: "2")])
            let states = try await test.texts(
                "select state || (finished_at is null) from reconcile.run order by run_id")
            #expect(states == ["publishedfalse", "abandonedfalse", "opentrue"])
        }
    }

    @Test("A run ends once, and ending it again has no effect")
    func finishes() async throws {
        try await TestDatabase.connected(.ownTables) { _, database in
            _ = try await open("1", database)
            try await database.runs.end(
                RunID(text: "1"), as: .failed, at: Instant(milliseconds: 0))
            let error = try await databaseError {
                try await database.ledger.publish(
                    RunID(text: "1"), at: Instant(milliseconds: 0), under: nil)
            }
            #expect(error.reason == .notOpen("The run 1 is no longer open"))
            try await database.runs.end(
                RunID(text: "1"), as: .failed, at: Instant(milliseconds: 9))
        }
    }

    @Test("A worker that fails does not end a run on which other workers work")
    func failsAlone() async throws {
        try await TestDatabase.connected(.ownTables) { test, database in
            _ = try await open("1", database)
            _ = try await database.workers.register(in: RunID(text: "1"), as: "first")
            let second = try await Database.connect(test.url, connections: 1)
            _ = try await second.workers.register(in: RunID(text: "1"), as: "second")
            let (run, end) = (RunID(text: "1"), Instant(milliseconds: 0))
            let error = try await databaseError {
                try await second.runs.end(run, as: .failed, at: end)
            }
            #expect(error.reason == .notOpen("The run 1 is no longer open"))
            await second.close()
            try await database.runs.end(run, as: .failed, at: end)
        }
    }

    @Test("One worker publishes a run, and the next one does if that worker is gone")
    func publication() async throws {
        try await TestDatabase.connected(.ownTables) { test, database in
            _ = try await open("1", database)
            let run = RunID(text: "1")
            let other = try await Database.connect(test.url, connections: 1)
            let worker = try await database.workers.register(in: run, as: "here/1")
            let lost = try await other.workers.register(in: run, as: "there/2")
            let first = try await other.runs.claimPublication(of: run, for: lost)
            #expect(first == 1)
            #expect(try await database.runs.claimPublication(of: run, for: worker) == nil)
            try await other.runs.requirePublication(1, of: run, for: lost)
            // The same worker may claim it again, for example when the answer was lost.
            #expect(try await other.runs.claimPublication(of: run, for: lost) == 2)
            try await expectNotOurs {
                try await other.runs.requirePublication(1, of: run, for: lost)
            }
            try await expectNotOurs {
                try await database.runs.requirePublication(2, of: run, for: worker)
            }
            await other.close()
            // The server ends a session some milliseconds after its client has gone.
            var claimed: Int?
            while claimed == nil {
                claimed = try await database.runs.claimPublication(of: run, for: worker)
            }
            #expect(claimed == 3)
        }
    }

    @Test("A worker whose publication was taken over cannot finish the run")
    func takenOver() async throws {
        try await TestDatabase.connected(.ownTables) { test, database in
            _ = try await open("1", database)
            let run = RunID(text: "1")
            // Neither worker has a session that shows that it lives.
            #expect(try await database.runs.claimPublication(of: run, for: 101) == 1)
            #expect(try await database.runs.claimPublication(of: run, for: 102) == 2)
            try await expectNotOurs {
                try await database.runs.requirePublication(1, of: run, for: 101)
            }
            let late = try await databaseError {
                try await database.ledger.publish(run, at: .asOf, under: 1)
            }
            #expect(late.reason == .notOpen("The run 1 is no longer open"))
            #expect(try await test.texts("select state from reconcile.run") == ["open"])
            try await database.runs.requirePublication(2, of: run, for: 102)
            try await database.ledger.publish(run, at: .asOf, under: 2)
            // The answer to the COMMIT may have been lost.
            try await database.ledger.publish(run, at: .asOf, under: 2)
            try await expectNotOurs {
                try await database.runs.requirePublication(2, of: run, for: 102)
            }
            #expect(try await database.runs.claimPublication(of: run, for: 102) == nil)
            #expect(try await test.texts("select state from reconcile.run") == ["published"])
        }
    }

    private func expectNotOurs(_ operation: () async throws -> Void) async throws {
        let error = try await databaseError(operation)
        #expect(error.reason == .notOpen("Another worker publishes the run 1"))
        #expect(error.description.contains("nothing was written (holds_publication)"))
    }

    @Test(
        "A run keeps its scope and the instant it judges at",
        arguments: [
            (RunScope.everything, "true {}"), (.limited(users: 3), #"false {"limit": 3}"#),
            (
                .selected(users: ["a\"b"], receipts: ["r"]),
                #"false {"users": ["a\"b"], "receipts": ["r"]}"#
            ),
        ])
    func scope(scope: RunScope, expected: String) async throws {
        try await TestDatabase.connected(.ownTables) { test, database in
            let run = Run.test(scope: scope)
            _ = try await database.runs.open(run, codeVersion: "1", settings: #"{"settle": "24h"}"#)
            #expect(
                try await test.texts(
                    "select is_everything::text || ' ' || scope from reconcile.run")
                    == [expected])
            #expect(
                try await test.texts(
                    "select (extract(epoch from as_of) * 1000)::bigint from reconcile.run")
                    == [String(run.asOf.milliseconds)])
        }
    }

    private func open(_ id: String, _ database: Database) async throws -> [RunID] {
        try await database.runs.open(.test(id), codeVersion: "1", settings: "{}")
    }
}
