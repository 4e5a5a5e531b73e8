internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Batch leases", .timeLimit(.minutes(10)))
struct LeaseTests {
    @Test("A batch is leased by one worker at a time")
    func exclusive() async throws {
        try await night { test, database in
            let first = try await lease(database, 1)
            try await test.execute(Self.forEver)
            let second = try await lease(database, 2)
            #expect([first?.number, second?.number] == [1, 2])
            #expect(first?.lease == 1 && first?.attempts == 0 && first?.isFirstLook == true)
            #expect(first?.users == ClosedUserRange(first: "ann", last: "ann"))
            #expect(try await lease(database, 1, besides: [1]) == nil)
        }
    }

    @Test("Each of many workers that ask at the same time gets a different batch")
    func race() async throws {
        try await TestDatabase.connected { test, database in
            let users = (10..<40).map { (id: "r\($0)", user: "user\($0)") }
            try await test.store(receipts: users)
            _ = try await database.runs.open(.test(), codeVersion: "1", settings: "{}")
            _ = try await database.planner.cut(.test(), usersPerBatch: 1)
            let numbers = try await withThrowingTaskGroup(of: Int?.self) { group in
                for worker in 1...30 {
                    group.addTask {
                        // Rows that others lock are skipped, so there may be none at first.
                        for _ in 0..<100 {
                            if let number = try await number(database, worker) { return number }
                        }
                        return nil
                    }
                }
                return try await group.reduce(into: []) { $0.append($1 ?? 0) }
            }
            #expect(numbers.sorted() == Array(1...30))
        }
    }

    @Test("A worker that did not receive its lease gets the same batch again")
    func lostOnTheWay() async throws {
        try await night { test, database in
            let first = try await number(database, 1)
            try await test.execute(Self.forEver)
            let again = try await number(database, 1)
            try await test.execute(Self.forEver)
            let other = try await number(database, 2)
            #expect([first, again, other] == [1, 1, 2])
        }
    }

    @Test("A worker whose lease was taken over can no longer write")
    func fence() async throws {
        try await night { test, database in
            let old = try #require(try await lease(database, 1))
            try await test.execute(
                "update reconcile.batch set leased_until = now() - interval '1 s'")
            let new = try #require(try await lease(database, 2))
            #expect(new.number == old.number && new.lease == old.lease + 1)
            let user = JudgedUser.test(outcomes: [.test("r1")], evidence: [.test()])
            let late = try await database.results.record([.test(old, user)], of: .test())
            #expect(late.held == [])
            try await database.leases.begin(old, of: Run.test().id)
            try await database.secondLook.postpone(old, of: Run.test().id, for: .seconds(60))
            #expect(try await test.texts("select count(*) from reconcile.evidence") == ["0"])
            #expect(try await test.texts("select count(*) from reconcile.outcome") == ["0"])
            #expect(
                try await test.texts(
                    "select concat_ws(' ', look, attempts, worker_no) from reconcile.batch"
                        + " where batch_no = 1")
                    == ["1 0 2"])
            let ours = try await database.results.record([.test(new, user)], of: .test())
            #expect(ours.held == [1])
        }
    }

    @Test("An attempt is counted when work begins, and not when a batch is leased")
    func attempts() async throws {
        try await night { _, database in
            for _ in 1...3 {
                #expect(try await lease(database, 1)?.attempts == 0)
                try await database.leases.release(of: Run.test().id, for: 1)
            }
            for begun in 1...3 {
                let batch = try #require(try await lease(database, 1))
                #expect(batch.attempts == begun - 1)
                try await database.leases.begin(batch, of: Run.test().id)
            }
            try await database.leases.release(of: Run.test().id, for: 1)
            #expect(try await lease(database, 1)?.attempts == 3)
        }
    }

    @Test("Releasing batches takes back the attempt of the named batches alone")
    func forgiven() async throws {
        try await night { test, database in
            let run = Run.test().id
            let first = try #require(try await lease(database, 1))
            let second = try #require(try await lease(database, 1, besides: [first.number]))
            for batch in [first, second] { try await database.leases.begin(batch, of: run) }
            try await database.leases.release(of: run, for: 1, forgiving: [first.number])
            let attempts = try await test.texts(
                "select attempts::text from reconcile.batch order by batch_no limit 2")
            #expect(attempts == ["0", "1"])
        }
    }

    @Test("A batch that was leased in advance and not begun has no attempt")
    func prefetched() async throws {
        try await night { test, database in
            let first = try #require(try await lease(database, 1))
            _ = try #require(try await lease(database, 1, besides: [first.number]))
            try await database.leases.begin(first, of: Run.test().id)
            // All leases of the worker are renewed together.
            _ = try await database.results.record([BatchFlush(batch: first)], of: .test())
            try await test.execute("update reconcile.batch set leased_until = '2020-01-01Z'")
            let taken = [try await lease(database, 2), try await lease(database, 3)]
            #expect(taken.map(\.?.number) == [1, 2])
            #expect(taken.map(\.?.attempts) == [1, 0])
        }
    }

    @Test("Attempts are counted anew when a user is recorded or put off, not at a lease renewal")
    func attemptsReset() async throws {
        try await night(usersPerBatch: 2) { _, database in
            let renewal = BatchFlush(batch: try await begun(database))
            _ = try await database.results.record([renewal], of: .test())
            let judging = BatchFlush.test(
                try await begun(database, expected: 1), .test(), isDone: false)
            _ = try await database.results.record([judging], of: .test())
            let postponing = BatchFlush.test(
                try await begun(database, expected: 0), postponing: .test("bob"), isDone: false)
            _ = try await database.results.record([postponing], of: .test())
            #expect(try await lease(database, 1)?.attempts == 0)
        }
    }

    @Test("The leases of a worker whose session has ended are freed, and no others")
    func lostWorker() async throws {
        try await night { test, database in
            let other = try await Database.connect(test.url, connections: 1)
            let worker = try await database.workers.register(in: Run.test().id, as: "here/1")
            let lost = try await other.workers.register(in: Run.test().id, as: "there/2")
            #expect(worker != lost)
            #expect(try await number(other, lost) == 1)
            try await test.execute(Self.forEver)
            #expect(try await database.leases.freeLost(of: Run.test().id, besides: worker) == 0)
            #expect(try await number(database, worker) == 2)
            #expect(
                try await database.leases.standing(of: Run.test().id, for: worker)
                    == RunStanding(state: .open, firstLookElsewhere: 1, batchesElsewhere: 1))
            await other.close()
            // The server ends a session some milliseconds after its client has gone.
            var freed = 0
            while freed == 0 {
                freed = try await database.leases.freeLost(of: Run.test().id, besides: worker)
            }
            #expect(freed == 1)
            #expect(try await number(database, worker, besides: [2]) == 1)
        }
    }

    @Test("No batch of a run that has ended is leased")
    func ended() async throws {
        try await night { _, database in
            try await database.runs.end(Run.test().id, as: .abandoned, at: Run.test().asOf)
            #expect(try await lease(database, 1) == nil)
            #expect(
                try await database.leases.standing(of: Run.test().id, for: 1).state == .abandoned)
            let error = try await databaseError {
                try await database.leases.standing(of: RunID(text: "none"), for: 1)
            }
            #expect(error.reason == .notOpen("The run none is no longer there"))
        }
    }

    @Test("A worker whose session is lost registers again and takes the run lock again")
    func sessionIsLost() async throws {
        try await night { test, database in
            try await database.workers.lock()
            let worker = try await database.workers.register(in: Run.test().id, as: "here/1")
            #expect(try await number(database, worker) == 1)
            try await test.execute(Self.endSessions)
            await database.workers.keepLock(ofRunOverEverything: true)
            #expect(await database.session.runLock.isHeld)
            let second = try await Database.connect(test.url, connections: 1)
            let error = try await databaseError { try await second.workers.lock() }
            #expect(error.description.contains("here/1"))
            let other = try await second.workers.register(in: Run.test().id, as: "there/2")
            #expect(try await second.leases.freeLost(of: Run.test().id, besides: other) == 0)
            await second.close()
        }
    }

    @Test("A worker notices that another one took the run lock, and takes it back later")
    func lockIsLost() async throws {
        try await night { test, database in
            try await database.workers.lock()
            _ = try await database.workers.register(in: Run.test().id, as: "here/1")
            #expect(await database.session.runLock.isHeld)
            try await test.execute(Self.endSessions)
            let second = try await Database.connect(test.url, connections: 1)
            try await second.workers.lock()
            await database.workers.keepLock(ofRunOverEverything: true)
            #expect(await database.session.runLock.isHeld == false)
            await second.close()
            // The server releases a session a moment after it is closed.
            while await !database.session.runLock.isHeld {
                await database.workers.keepLock(ofRunOverEverything: true)
            }
        }
    }

    @Test("A worker of a partial run does not take the run lock")
    func notANight() async throws {
        try await night { test, database in
            _ = try await database.workers.register(in: Run.test().id, as: "here/1")
            await database.workers.keepLock(ofRunOverEverything: false)
            try await test.execute(Self.endSessions)
            await database.workers.keepLock(ofRunOverEverything: false)
            #expect(await database.session.runLock.isHeld == false)
        }
    }

    /// However slow the machine is, no lease expires.
    private static let forEver =
        "update reconcile.batch set leased_until = 'infinity' where leased_until is not null"

    private static let endSessions = """
        select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
        """

    private func begun(_ database: Database, expected attempts: Int = 0) async throws -> Batch {
        let batch = try #require(try await lease(database, 1))
        #expect(batch.attempts == attempts)
        try await database.leases.begin(batch, of: Run.test().id)
        return batch
    }

    private func lease(
        _ database: Database, _ worker: Int, besides held: [Int] = []
    ) async throws -> Batch? {
        try await database.leases.lease(batchOf: Run.test().id, for: worker, besides: held)
    }

    private func number(
        _ database: Database, _ worker: Int, besides held: [Int] = []
    ) async throws -> Int? {
        try await lease(database, worker, besides: held)?.number
    }

    private func night(
        usersPerBatch: Int = 1, _ body: (TestDatabase, Database) async throws -> Void
    ) async throws {
        try await TestDatabase.connected { test, database in
            try await test.store(receipts: [("r1", "ann"), ("r2", "bob")])
            _ = try await database.runs.open(.test(), codeVersion: "1", settings: "{}")
            _ = try await database.planner.cut(.test(), usersPerBatch: usersPerBatch)
            try await body(test, database)
        }
    }
}
