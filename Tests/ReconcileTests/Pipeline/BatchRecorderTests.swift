internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("What one process writes", .timeLimit(.minutes(5)))
struct BatchRecorderTests {
    private let run = Run.test()

    @Test("saves the answers of a batch too that was stopped while others of them were written")
    func stopped() async throws {
        try await TestDatabase.connected { test, database in
            try await test.store(receipts: [("r1", "ann")])
            _ = try await database.open(run, codeVersion: "1", settings: "{}")
            _ = try await database.cutBatches(of: run, usersPerBatch: 1)
            let batch = try #require(
                try await database.leaseBatch(of: run.id, for: 1, besides: []))
            let held = LeasedBatches()
            held.add(batch)
            let recorder = BatchRecorder(
                database: database, run: run.id, worker: 1, held: held
            ) { _ in }
            for id in 1...150 { _ = held.note(.test(UInt8(id)), of: batch) }

            let other = PostgresConnection()
            try await other.open(test.url)
            try await other.executeScript(
                .test("begin; select * from reconcile.batch for update"))
            let flush = Task { try await recorder.flush() }
            let waits = """
                select count(*) from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock'
                """
            while try await test.texts(waits) != ["1"] {}
            _ = held.note(.test(200), of: batch)
            let recording = Task { try await recorder.complete(.test(batch)) }
            recording.cancel()
            await #expect(throws: CancellationError.self) { try await recording.value }

            try await other.executeScript(.test("rollback"))
            await other.close()
            try await flush.value
            try await recorder.handOver()
            #expect(try await test.texts("select count(*) from reconcile.answer") == ["151"])
        }
    }
}
