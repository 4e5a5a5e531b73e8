internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A lease", .timeLimit(.minutes(5)))
struct LeaseTests {
    @Test("is of one worker at a time, batch by batch")
    func exclusive() async throws {
        try await night { _, database in
            let first = try await lease(database, 1)
            let second = try await lease(database, 2)
            #expect([first?.number, second?.number] == [1, 2])
            #expect([first?.lease, first?.attempts] == [1, 1])
            #expect(try await lease(database, 1, besides: [1]) == nil)
        }
    }

    @Test("that got lost on its way to its worker is given again")
    func lostOnTheWay() async throws {
        try await night { _, database in
            let numbers = [
                try await number(database, 1), try await number(database, 1),
                try await number(database, 2),
            ]
            #expect(numbers == [1, 1, 2])
        }
    }

    @Test("that is over goes to another worker, and its old holder writes nothing any more")
    func fence() async throws {
        try await night { test, database in
            let old = try #require(try await lease(database, 1))
            try await test.execute(
                "update reconcile.batch set leased_until = now() - interval '1 s'")
            let new = try #require(try await lease(database, 2))
            #expect(new.number == old.number && new.lease == old.lease + 1)
            let ours = try await database.renew(
                [old], recording: [1: [.test()]], of: Run.test().id)
            #expect(ours == [])
            let error = try await databaseError {
                try await database.record(
                    .test(old, outcomes: [.test("r1")]), answers: [.test()], of: Run.test().id)
            }
            guard case .notOpen = error.reason else {
                Issue.record("unexpected \(error)")
                return
            }
            #expect(error.description.contains("was taken over"))
            #expect(try await test.texts("select count(*) from reconcile.answer") == ["0"])
            #expect(try await test.texts("select count(*) from reconcile.outcome") == ["0"])
            try await database.record(.test(new), of: Run.test().id)
        }
    }

    @Test("can be renewed long after it was over, if nobody wanted the batch")
    func lateRenewal() async throws {
        try await night { test, database in
            let batch = try #require(try await lease(database, 1))
            try await test.execute("update reconcile.batch set leased_until = '2020-01-01Z'")
            #expect(try await database.renew([batch], recording: [:], of: Run.test().id) == [1])
            #expect(try await number(database, 2) == 2)
        }
    }

    @Test("counts as an attempt until an answer is recorded, and not when it is given back")
    func attempts() async throws {
        try await night { test, database in
            for expected in 1...3 {
                let batch = try #require(try await lease(database, 1))
                #expect(batch.attempts == expected)
            }
            try await database.releaseLeases(of: Run.test().id, for: 1)
            let batch = try #require(try await lease(database, 1))
            #expect(batch.attempts == 3)
            _ = try await database.renew([batch], recording: [1: [.test()]], of: Run.test().id)
            let again = try #require(try await lease(database, 1))
            #expect(again.attempts == 1)
        }
    }

    @Test("of a worker whose session is gone is free at once, and of one that lives is not")
    func lostWorker() async throws {
        try await night { test, database in
            let other = try await Database.connect(test.url, connections: 1)
            let worker = try await database.enlist(in: Run.test().id, as: "here/1")
            let lost = try await other.enlist(in: Run.test().id, as: "there/2")
            #expect(worker != lost)
            #expect(try await number(other, lost) == 1)
            #expect(try await database.freeLostLeases(of: Run.test().id, besides: worker) == 0)
            #expect(
                try await database.standing(of: Run.test().id, for: worker).batchesElsewhere == 2)
            await other.close()
            // The server ends a session some milliseconds after its client has gone.
            var freed = 0
            for _ in 0..<500 where freed == 0 {
                freed = try await database.freeLostLeases(of: Run.test().id, besides: worker)
                if freed == 0 { try await Task.sleep(for: .milliseconds(10)) }
            }
            #expect(freed == 1)
            #expect(try await number(database, worker) == 1)
        }
    }

    @Test("is not given for a run that has ended")
    func ended() async throws {
        try await night { _, database in
            try await database.finish(Run.test().id, as: .abandoned, at: Run.test().asOf)
            #expect(try await lease(database, 1) == nil)
            #expect(try await database.standing(of: Run.test().id, for: 1).state == .abandoned)
        }
    }

    @Test("survives the session of its worker, whose place and lock are taken again")
    func sessionIsLost() async throws {
        try await night { test, database in
            try await database.lock()
            _ = try await database.enlist(in: Run.test().id, as: "here/1")
            try await test.execute(
                """
                select pg_terminate_backend(pid, 5000) from pg_stat_activity
                where datname = current_database() and pid <> pg_backend_pid()
                """)
            try await database.runLock.check()
            #expect(await database.runLock.isHeld)
            let second = try await Database.connect(test.url, connections: 1)
            let error = try await databaseError { try await second.lock() }
            #expect(error.description.contains("here/1"))
            await second.close()
        }
    }

    @Test("of the whole run that somebody else has taken meanwhile is noticed, and taken back")
    func lockIsLost() async throws {
        try await night { test, database in
            try await database.lock()
            _ = try await database.enlist(in: Run.test().id, as: "here/1")
            #expect(await database.runLock.isHeld)
            try await test.execute(
                """
                select pg_terminate_backend(pid, 5000) from pg_stat_activity
                where datname = current_database() and pid <> pg_backend_pid()
                """)
            let second = try await Database.connect(test.url, connections: 1)
            try await second.lock()
            await database.keepLock()
            #expect(await database.runLock.isHeld == false)
            await second.close()
            // The server lets go of a session a moment after it is closed.
            while try await !database.hasLock() { await Task.yield() }
        }
    }

    private func lease(
        _ database: Database, _ worker: Int, besides held: [Int] = []
    ) async throws -> Batch? {
        try await database.leaseBatch(of: Run.test().id, for: worker, besides: held)
    }

    private func number(
        _ database: Database, _ worker: Int, besides held: [Int] = []
    ) async throws -> Int? {
        try await lease(database, worker, besides: held)?.number
    }

    /// An open run of two batches.
    private func night(_ body: (TestDatabase, Database) async throws -> Void) async throws {
        try await TestDatabase.connected { test, database in
            try await test.store(receipts: [("r1", "ann"), ("r2", "bob")])
            _ = try await database.open(.test(), codeVersion: "1", settings: "{}")
            _ = try await database.cutBatches(of: .test(), usersPerBatch: 1)
            try await body(test, database)
        }
    }
}
