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
        try await execute(Self.forEver)
        let again = try await lease(1)
        try await execute(Self.forEver)
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

    @Test("A worker whose lease was taken over can no longer write")
    func fence() async throws {
        try await cut()
        let old = try #require(try await lease(1))
        try await execute(Self.expired)
        let new = try #require(try await lease(2))
        #expect(new.number == old.number && new.lease == old.lease + 1)
        let user = JudgedUser.test(outcomes: [.test("r1")], evidence: [.test()])
        #expect(try await record(.test(old, user)).held == [])
        try await database.leases.begin(old, of: run)
        try await database.secondLook.postpone(old, of: run, for: .seconds(60))
        let written = try await texts(
            """
            select 'evidence' from reconcile.evidence union all
            select 'outcome' from reconcile.outcome union all
            select concat_ws(' ', look, attempts, worker_no) from reconcile.batch
            where batch_no = 1
            """)
        #expect(written == ["1 0 2"])
        #expect(try await record(.test(new, user)).held == [1])
    }

    @Test("An attempt is counted when work begins, unless the batch's release forgives it")
    func attempts() async throws {
        try await cut()
        for _ in 1...3 {
            #expect(try await lease()?.attempts == 0)
            try await database.leases.release(of: run, for: 1)
        }
        for begun in 0...2 { try await begin(after: begun) }
        try await database.leases.release(of: run, for: 1)
        let first = try await begin(after: 3)
        let second = try #require(try await lease(besides: [first.number]))
        try await database.leases.begin(second, of: run)
        try await database.leases.release(of: run, for: 1, forgiving: [first.number])
        let attempts = "select attempts from reconcile.batch order by batch_no"
        #expect(try await texts(attempts) == ["3", "1"])
    }

    @Test("Attempts are counted anew when a user is recorded or put off, not at a lease renewal")
    func attemptsReset() async throws {
        try await cut(usersPerBatch: 2)
        try await record(BatchFlush(batch: try await begin()))
        try await record(.test(try await begin(after: 1), .test(), isDone: false))
        try await record(.test(try await begin(), postponing: .test("bob"), isDone: false))
        #expect(try await lease()?.attempts == 0)
    }

    @Test("A batch that was leased in advance and not begun has no attempt")
    func prefetched() async throws {
        try await cut()
        let first = try await begin()
        #expect(try await lease(besides: [first.number]) != nil)
        // All leases of the worker are renewed together.
        try await record(BatchFlush(batch: first))
        try await execute(Self.expired)
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
        try await execute(Self.forEver)
        #expect(try await database.leases.freeLost(of: run, besides: worker) == 0)
        #expect(try await lease(worker)?.number == 2)
        #expect(
            try await database.leases.standing(of: run, for: worker)
                == RunStanding(state: .open, firstLookElsewhere: 1, batchesElsewhere: 1))
        await lost.database.close()
        // The server ends a session some milliseconds after its client has gone.
        var freed = 0
        while freed == 0 {
            freed = try await database.leases.freeLost(of: run, besides: worker)
        }
        #expect(freed == 1)
        #expect(try await lease(worker, besides: [2])?.number == 1)
    }

    @Test("No batch of a run that has ended is leased")
    func ended() async throws {
        try await cut()
        try await database.runs.end(run, as: .abandoned, at: Run.test().asOf)
        #expect(try await lease() == nil)
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
        try await execute(Self.endSessions)
        await database.workers.keepLock(ofRunOverEverything: false)
        #expect(await database.session.runLock.isHeld == false)
        try await database.workers.lock()
        #expect(try await lease(worker)?.number == 1)
        try await execute(Self.endSessions)
        await database.workers.keepLock(ofRunOverEverything: true)
        #expect(await database.session.runLock.isHeld)
        let second = try await connect()
        let error = try await databaseError { try await second.workers.lock() }
        #expect(error.description.contains("here/1"))
        let other = try await second.workers.register(in: run, as: "there/2")
        #expect(try await second.leases.freeLost(of: run, besides: other) == 0)
    }

    @Test("A worker notices that another one took the run lock, and takes it back later")
    func lockIsLost() async throws {
        try await cut()
        try await database.workers.lock()
        _ = try await database.workers.register(in: run, as: "here/1")
        #expect(await database.session.runLock.isHeld)
        try await execute(Self.endSessions)
        let second = try await connect()
        try await second.workers.lock()
        await database.workers.keepLock(ofRunOverEverything: true)
        #expect(await database.session.runLock.isHeld == false)
        await second.close()
        // The server releases a session a moment after it is closed.
        while await !database.session.runLock.isHeld {
            await database.workers.keepLock(ofRunOverEverything: true)
        }
    }

    /// However slow the machine is, no lease expires.
    private static let forEver =
        "update reconcile.batch set leased_until = 'infinity' where leased_until is not null"
    private static let expired =
        "update reconcile.batch set leased_until = '2020-01-01Z' where leased_until is not null"
    private static let endSessions = """
        select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
        """

    @discardableResult
    private func begin(after attempts: Int = 0) async throws -> Batch {
        let batch = try #require(try await lease())
        #expect(batch.attempts == attempts)
        try await database.leases.begin(batch, of: run)
        return batch
    }

    private func cut(users: [String] = ["ann", "bob"], usersPerBatch: Int = 1) async throws {
        try await test.store(receipts: users.map { (id: "r-\($0)", user: $0) })
        try await open()
        _ = try await database.planner.cut(.test(), usersPerBatch: usersPerBatch)
    }
}
