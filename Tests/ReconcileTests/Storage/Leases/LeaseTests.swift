internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Batch leases", .database, .timeLimit(.minutes(10)))
struct LeaseTests: DatabaseSuite {
    @Test("A batch is leased by one worker at a time, and again by one who did not receive it")
    func exclusive() async throws {
        try await cut()
        let first = try #require(try await lease(1))
        #expect(first.lease == 1 && first.attempts == 0 && first.isFirstLook)
        #expect(first.users == ClosedUserRange(first: "ann", last: "ann"))
        try await expire("infinity")
        let again = try await lease(1)
        try await expire("infinity")
        #expect([first.number, again?.number, try await lease(2)?.number] == [1, 1, 2])
        #expect(try await lease(1, besides: [1]) == nil)
    }

    @Test("Each of many workers that ask at the same time gets a different batch")
    func race() async throws {
        try await cut(users: (10..<40).map { "user\($0)" })
        let numbers = try await withThrowingTaskGroup(of: Int?.self) { group in
            for worker in 1...30 {
                group.addTask {
                    // Rows that others lock are skipped, so there may be none at first.
                    for _ in 0..<100 {
                        if let number = try await lease(worker)?.number { return number }
                    }
                    return nil
                }
            }
            return try await group.reduce(into: []) { $0.append($1 ?? 0) }
        }
        #expect(numbers.sorted() == Array(1...30))
    }

    @Test("A worker whose lease was taken over cannot write, and an expired lease is renewed")
    func fence() async throws {
        let batches = try await night()
        try await expire()
        let new = try #require(try await lease(2))
        #expect(new.number == 1 && new.lease == batches[0].lease + 1)
        let bob = BatchFlush.test(batches[1], .test("bob"), isDone: false)
        #expect(try await record(.test(batches[0], .full()), bob) == FlushResult(held: [2]))
        #expect(try await lease(3) == nil)
        try await database.leases.begin(batches[0], of: run)
        try await database.secondLook.postpone(batches[0], of: run, for: .seconds(60))
        #expect(try await texts(JudgedUser.written) == ["user_result"])
        let state = "select concat_ws(' ', look, attempts, worker_no) from reconcile.batch"
        #expect(try await texts(state + " where batch_no = 1") == ["1 0 2"])
        #expect(try await record(.test(new, .test())).held == [1])
    }

    @Test("A batch that was leased in advance and not begun has no attempt")
    func prefetched() async throws {
        try await cut()
        let first = try #require(try await lease())
        try await database.leases.begin(first, of: run)
        #expect(try await lease(besides: [first.number]) != nil)
        // All leases of the worker are renewed together.
        try await record(BatchFlush(batch: first))
        try await expire()
        let taken = [try await lease(2), try await lease(3)]
        #expect(taken.map(\.?.number) == [1, 2])
        #expect(taken.map(\.?.attempts) == [1, 0])
    }

    @Test("The leases of a worker whose session has ended are freed, and no others")
    func lostWorker() async throws {
        try await cut()
        let worker = try await database.workers.register(in: run, as: "here/1")
        let lost = try await self.worker()
        #expect(worker != lost.number)
        #expect(try await lease(lost.number, by: lost.database)?.number == 1)
        try await expire("infinity")
        #expect(try await database.leases.freeLost(of: run, besides: worker) == 0)
        #expect(try await lease(worker)?.number == 2)
        #expect(
            try await database.leases.standing(of: run, for: worker)
                == RunStanding(state: .open, firstLookElsewhere: 1, batchesElsewhere: 1))
        try await end(lost)
        #expect(try await database.leases.freeLost(of: run, besides: worker) == 1)
        #expect(try await lease(worker, besides: [2])?.number == 1)
    }

    @Test("No batch of a run that has ended is leased, and nothing is recorded")
    func ended() async throws {
        let batches = try await night()
        try await database.runs.end(run, as: .abandoned, at: Run.test().asOf)
        #expect(try await lease() == nil)
        #expect(try await record(.test(batches[0], .full())) == FlushResult(held: []))
        #expect(try await texts(JudgedUser.written) == [])
        #expect(try await database.leases.standing(of: run, for: 1).state == .abandoned)
        let error = try await databaseError {
            try await database.leases.standing(of: RunID(text: "none"), for: 1)
        }
        #expect(error.reason == .notOpen("The run none is no longer there"))
    }

    @Test("A worker whose session is lost registers again, and takes the run lock if it needs it")
    func sessionIsLost() async throws {
        try await cut()
        let worker = try await database.workers.register(in: run, as: "here/1")
        await database.workers.keepLock(ofRunOverEverything: false)
        try await endSessions()
        await database.workers.keepLock(ofRunOverEverything: false)
        #expect(await database.session.runLock.isHeld == false)
        try await database.workers.lock()
        #expect(try await lease(worker)?.number == 1)
        try await endSessions()
        await database.workers.keepLock(ofRunOverEverything: true)
        #expect(await database.session.runLock.isHeld)
        let second = try await connect()
        let error = try await databaseError { try await second.workers.lock() }
        #expect(error.description.contains("here/1"))
        let other = try await second.workers.register(in: run, as: "there/2")
        #expect(try await second.leases.freeLost(of: run, besides: other) == 0)
        // Another worker takes the lock, and gives it back.
        try await endSessions()
        try await second.workers.lock()
        await database.workers.keepLock(ofRunOverEverything: true)
        #expect(await database.session.runLock.isHeld == false)
        try await endSessions()
        await database.workers.keepLock(ofRunOverEverything: true)
        #expect(await database.session.runLock.isHeld)
    }

    /// With `infinity` no lease expires, however slow the machine is.
    private func expire(_ at: String = "2020-01-01Z") async throws {
        try await execute("update reconcile.batch set leased_until = '\(at)' where lease > 0")
    }

    private func endSessions() async throws {
        try await execute(
            """
            select pg_terminate_backend(pid, 5000) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()
            """)
    }

    private func cut(users: [String] = ["ann", "bob"]) async throws {
        try await test.store(receipts: users.map { (id: "r-\($0)", user: $0) })
        try await open()
        _ = try await database.planner.cut(.test(), usersPerBatch: 1)
    }
}
