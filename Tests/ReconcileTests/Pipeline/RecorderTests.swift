internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The recorder", .timeLimit(.minutes(10)))
struct RecorderTests {
    private let run = Run.test()
    private static let users = "select count(*) from reconcile.user_result"

    @Test("At most 200 handed-over users are uncommitted, and the next one waits")
    func bounded() async throws {
        try await recording { test, recorder, batch in
            recorder.expect(201, of: batch, isLast: true)
            for number in 1...200 { await recorder.add(Self.user(number), of: batch) }
            let next = Task<Void, any Error> { await recorder.add(Self.user(201), of: batch) }
            await expectWaiting(next)
            #expect(try await test.texts(Self.users) == ["0"])
            try await recorder.flush()
            try await next.value
            #expect(try await test.texts(Self.users) == ["200"])
            try await recorder.flush()
            #expect(try await test.texts(Self.users) == ["201"])
        }
    }

    @Test("A single user is committed when the time is up, without further users")
    func byTheClock() async throws {
        try await recording { test, recorder, batch in
            recorder.expect(2, of: batch, isLast: true)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await recorder.commitInTime() }
                group.addTask { try await recorder.watchClock() }
                await recorder.add(Self.user(1), of: batch)
                while try await test.texts(Self.users) != ["1"] {}
                group.cancelAll()
            }
            #expect(recorder.isHeld(batch))
        }
    }

    @Test("At the limit of 200 users a commit begins before the time is up")
    func byNumber() async throws {
        try await recording { test, recorder, batch in
            recorder.expect(200, of: batch, isLast: true)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await recorder.commitInTime() }
                for number in 1...199 { await recorder.add(Self.user(number), of: batch) }
                while try await test.texts(Self.users) == ["0"] {}
                group.cancelAll()
            }
        }
    }

    @Test("A batch is done when the last of its users is committed, and not before")
    func done() async throws {
        try await recording { test, recorder, batch in
            let done = "select done_at is not null from reconcile.batch where batch_no = 1"
            recorder.expect(1, of: batch, isLast: false)
            await recorder.add(Self.user(1), of: batch)
            try await recorder.flush()
            #expect(try await test.texts(done) == ["f"])
            recorder.expect(1, of: batch, isLast: true)
            try await recorder.flush()
            #expect(try await test.texts(done) == ["f"])
            await recorder.add(Self.user(2), of: batch)
            try await recorder.flush()
            #expect(try await test.texts(done) == ["t"])
            #expect(!recorder.isHeld(batch) && recorder.heldBatches == [])
        }
    }

    @Test("A batch without users to record is done at the next commit")
    func empty() async throws {
        try await recording { test, recorder, batch in
            recorder.expect(0, of: batch, isLast: true)
            try await recorder.flush()
            let done = try await test.texts(
                "select batch_no from reconcile.batch where done_at is not null")
            #expect(done == ["1"])
        }
    }

    @Test("The users of a batch whose lease is lost are dropped, and the loss is logged once")
    func lostLease() async throws {
        let events = Shared<[RunEvent]>([])
        try await recording(events) { test, recorder, batch in
            recorder.expect(1_000, of: batch, isLast: true)
            await recorder.add(Self.user(1), of: batch)
            try await test.execute(
                "update reconcile.batch set leased_until = now() - interval '1 second'")
            let other = try await Database.connect(test.url, connections: 1)
            let taken = try await other.leases.lease(batchOf: run.id, for: 8, besides: [])
            #expect(taken?.number == batch.number && taken?.lease == batch.lease + 1)
            try await recorder.flush()
            #expect(!recorder.isHeld(batch))
            // The users are dropped at once: no caller waits for a commit that never comes.
            for number in 2...500 { await recorder.add(Self.user(number), of: batch) }
            try await recorder.flush()
            #expect(try await test.texts(Self.users) == ["0"])
            let told = events.current.compactMap { event in
                if case .warning(let text) = event { text } else { nil }
            }
            #expect(told.count == 1)
            #expect(told.first?.hasPrefix("The lease of batch 1 expired") == true)
            await other.close()
        }
    }

    @Test("A commit renews an expired lease, unless the batch was taken over")
    func renewed() async throws {
        try await recording { test, recorder, batch in
            recorder.expect(2, of: batch, isLast: true)
            await recorder.add(Self.user(1), of: batch)
            try await test.execute(
                "update reconcile.batch set leased_until = now() - interval '1 hour'")
            try await recorder.flush()
            #expect(try await test.texts(Self.users) == ["1"])
            let held = "select leased_until > now() from reconcile.batch where batch_no = 1"
            #expect(try await test.texts(held) == ["t"])
        }
    }

    @Test("A commit to a run that has ended is refused, and ends the worker")
    func endedRun() async throws {
        try await recording { test, recorder, batch in
            recorder.expect(2, of: batch, isLast: true)
            await recorder.add(Self.user(1), of: batch)
            try await test.execute(
                "update reconcile.run set state = 'abandoned', finished_at = now()")
            let error = try await databaseError { try await recorder.flush() }
            guard case .notOpen = error.reason else {
                Issue.record("unexpected \(error)")
                return
            }
            #expect(try await test.texts(Self.users) == ["0"])
        }
    }

    @Test("A commit to a run that another worker published writes nothing and is no error")
    func publishedRun() async throws {
        let events = Shared<[RunEvent]>([])
        try await recording(events) { test, recorder, batch in
            recorder.expect(2, of: batch, isLast: true)
            await recorder.add(Self.user(1), of: batch)
            try await test.execute(
                "update reconcile.run set state = 'published', finished_at = now()")
            try await recorder.flush()
            #expect(!recorder.isHeld(batch))
            #expect(try await test.texts(Self.users) == ["0"])
            #expect(events.current.count == 1)
        }
    }

    @Test("A cancelled worker commits the users who were handed over during the last commit")
    func stopped() async throws {
        try await recording { test, recorder, batch in
            recorder.expect(300, of: batch, isLast: true)
            for number in 1...150 { await recorder.add(Self.user(number), of: batch) }
            let other = PostgresConnection()
            try await other.open(test.url)
            try await other.executeScript(
                PostgresStatement(
                    name: "test", text: "begin; select * from reconcile.batch for update"))
            let flush = Task { try await recorder.flush() }
            let waits = """
                select count(*) from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock'
                """
            while try await test.texts(waits) != ["1"] {}
            flush.cancel()
            // 50 more are buffered. In a cancelled task the rest does not wait.
            let adding = Task {
                for number in 151...250 { await recorder.add(Self.user(number), of: batch) }
            }
            adding.cancel()
            await adding.value
            try await other.executeScript(PostgresStatement(name: "test", text: "rollback"))
            await other.close()
            try await flush.value
            let saving = Task {
                while !Task.isCancelled { await Task.yield() }
                try await recorder.handOver(isStopped: true)
            }
            saving.cancel()
            try await saving.value
            #expect(try await test.texts(Self.users) == ["250"])
            let free = "select worker_no is null and done_at is null from reconcile.batch"
            #expect(try await test.texts(free) == ["t"])
        }
    }

    private static func user(_ number: Int) -> UserRecord {
        .judged(Reference(JudgedUser(user: UserID("user\(number)"))))
    }

    private func recording(
        _ events: Shared<[RunEvent]> = Shared([]),
        _ body: (TestDatabase, Recorder, Batch) async throws -> Void
    ) async throws {
        try await TestDatabase.connected { test, database in
            try await test.store(receipts: [("r1", "ann")])
            _ = try await database.runs.open(run, codeVersion: "1", settings: "{}")
            _ = try await database.planner.cut(run, usersPerBatch: 1)
            let batch = try #require(
                try await database.leases.lease(batchOf: run.id, for: 1, besides: []))
            let recorder = Recorder(
                database: database, run: run, worker: 1,
                observe: { event in events.update { $0.append(event) } })
            recorder.hold(batch)
            try await body(test, recorder, batch)
        }
    }
}
