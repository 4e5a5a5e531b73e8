internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A run in the database")
struct RunTests {
    @Test("keeps a second one out while it lasts, and says who it is")
    func lock() async throws {
        try await TestDatabase.connected(.ownTables) { test, first in
            try await first.lock()
            try await first.lock()
            _ = try await first.open(.test("tonight"), codeVersion: "1", settings: "{}")
            let second = try await Database.connect(test.url, connections: 1)
            let error = try await databaseError { try await second.lock() }
            guard case .locked(let holder) = error.reason else {
                Issue.record("unexpected \(error)")
                return
            }
            #expect(holder.hasPrefix("run tonight, server process "))
            #expect(holder.contains("reconcile-job"))
            #expect(error.description.contains("Wait for it to end"))
            await first.close()
            try await second.lock()
            await second.close()
        }
    }

    @Test("gives up those that were left open, and only those")
    func abandons() async throws {
        try await TestDatabase.connected(.ownTables) { test, database in
            #expect(try await open("1", database) == [])
            try await database.finish(
                RunID(text: "1"), as: .published, at: Instant(milliseconds: 5))
            #expect(try await open("2", database) == [])
            #expect(try await open("3", database) == [RunID(text: "2")])
            let states = try await test.texts(
                "select state || (finished_at is null) from reconcile.run order by run_id")
            #expect(states == ["publishedfalse", "abandonedfalse", "opentrue"])
        }
    }

    @Test("ends once")
    func finishes() async throws {
        try await TestDatabase.connected(.ownTables) { _, database in
            _ = try await open("1", database)
            try await database.finish(RunID(text: "1"), as: .failed, at: Instant(milliseconds: 0))
            let error = try await databaseError {
                try await database.finish(
                    RunID(text: "1"), as: .published, at: Instant(milliseconds: 0))
            }
            #expect(error.reason == .notOpen("The run 1 is no longer open"))
        }
    }

    @Test(
        "remembers its scope and the instant it judges at",
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
            _ = try await database.open(run, codeVersion: "1", settings: #"{"settle": "24h"}"#)
            #expect(
                try await test.texts(
                    "select is_everything::text || ' ' || scope from reconcile.run")
                    == [expected])
            #expect(
                try await test.texts("select reconcile.milliseconds(as_of) from reconcile.run")
                    == [String(run.asOf.milliseconds)])
        }
    }

    private func open(_ id: String, _ database: Database) async throws -> [RunID] {
        try await database.open(.test(id), codeVersion: "1", settings: "{}")
    }
}
