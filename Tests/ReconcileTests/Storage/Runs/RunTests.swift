internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Runs in the database", .database(.ownTables))
struct RunTests: DatabaseSuite {
    private let one = RunID(text: "1")

    @Test("A run keeps a second run out, which reports who holds the lock")
    func lock() async throws {
        try await database.workers.lock()
        try await database.workers.lock()
        try await open(.test("tonight"))
        let second = try await connect()
        let error = try await databaseError { try await second.workers.lock() }
        guard case .locked(let holder) = error.reason else { throw error }
        #expect(holder.hasPrefix("run tonight, server process "))
        #expect(holder.contains("reconcile-job"))
        #expect(error.description.contains("Wait for it to end"))
        await database.close()
        try await second.workers.lock()
    }

    @Test("A new run abandons the unfinished runs, and no others")
    func abandons() async throws {
        #expect(try await open(.test("1")) == [])
        try await publish(at: Instant(milliseconds: 5))
        #expect(try await open(.test("2")) == [])
        // The answer to the opening may have been lost.
        #expect(try await open(.test("2")) == [])
        #expect(try await open(.test("3")) == [RunID(text: "2")])
        let states = try await texts(
            "select state || (finished_at is null) from reconcile.run order by run_id")
        #expect(states == ["publishedfalse", "abandonedfalse", "opentrue"])
    }

    @Test("A run ends once, and not by a worker that fails while others work on it")
    func ends() async throws {
        try await open(.test("1"))
        _ = try await database.workers.register(in: one, as: "first")
        let second = try await worker(of: one).database
        let notOpen = DatabaseError.Reason.notOpen("The run 1 is no longer open")
        let failure = try await databaseError {
            try await second.runs.end(one, as: .failed, at: .asOf)
        }
        #expect(failure.reason == notOpen)
        await second.close()
        try await database.runs.end(one, as: .failed, at: .asOf)
        let error = try await databaseError { try await publish() }
        #expect(error.reason == notOpen)
        // Ending it again has no effect.
        try await database.runs.end(one, as: .failed, at: .day(1))
        let ends = "select state || (finished_at < '2026-11-20 12:00Z') from reconcile.run"
        #expect(try await texts(ends) == ["failedtrue"])
    }

    @Test("One worker publishes a run, and the next one does if that worker is gone")
    func publication() async throws {
        try await open(.test("1"))
        let worker = try await database.workers.register(in: one, as: "here/1")
        let (other, lost) = try await self.worker(of: one)
        #expect(try await other.runs.claimPublication(of: one, for: lost) == 1)
        #expect(try await database.runs.claimPublication(of: one, for: worker) == nil)
        try await other.runs.requirePublication(1, of: one, for: lost)
        // The same worker may claim it again, for example when the answer was lost.
        #expect(try await other.runs.claimPublication(of: one, for: lost) == 2)
        try await expectNotOurs(1, for: lost)
        try await expectNotOurs(2, for: worker)
        await other.close()
        // The server ends a session some milliseconds after its client has gone.
        var claimed: Int?
        while claimed == nil {
            claimed = try await database.runs.claimPublication(of: one, for: worker)
        }
        #expect(claimed == 3)
    }

    @Test("A worker whose publication was taken over cannot finish the run")
    func takenOver() async throws {
        try await open(.test("1"))
        // Neither worker has a session that shows that it lives.
        #expect(try await database.runs.claimPublication(of: one, for: 101) == 1)
        #expect(try await database.runs.claimPublication(of: one, for: 102) == 2)
        try await expectNotOurs(1, for: 101)
        let late = try await databaseError { try await publish(under: 1) }
        #expect(late.reason == .notOpen("The run 1 is no longer open"))
        #expect(try await texts("select state from reconcile.run") == ["open"])
        try await database.runs.requirePublication(2, of: one, for: 102)
        try await publish(under: 2)
        // The answer to the COMMIT may have been lost.
        try await publish(under: 2)
        try await expectNotOurs(2, for: 102)
        #expect(try await database.runs.claimPublication(of: one, for: 102) == nil)
        #expect(try await texts("select state from reconcile.run") == ["published"])
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
        let run = Run.test(scope: scope)
        try await open(run, settings: #"{"settle": "24h"}"#)
        let stored = try await texts(
            """
            select concat_ws(' ', (extract(epoch from as_of) * 1000)::bigint, is_everything::text,
                scope)
            from reconcile.run
            """)
        #expect(stored == ["\(run.asOf.milliseconds) \(expected)"])
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
