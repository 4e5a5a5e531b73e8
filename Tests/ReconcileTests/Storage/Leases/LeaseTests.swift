internal import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case of groups, add their sizes.
@Suite("Leases of batches, the second look and its controls", .database, .hangLimit)
struct LeaseTests: DatabaseSuite {
    @Test("A batch is leased by one worker at a time, and again by one who did not receive it")
    func exclusive() async throws {
        try await cut()
        let first = try #require(try await lease())
        #expect(first.isFirstLease)
        #expect(first.attempts == 0)
        #expect(first.isFirstPass)
        #expect(first.users == ClosedUserRange(first: "ann", last: "ann"))
        try await database.leases.begin(first, of: run)
        try await expire("infinity")
        let again = try #require(try await lease())
        #expect(again.number == 1)
        #expect(!again.isFirstLease)
        #expect(again.lease != first.lease)
        #expect(try await lease(excluding: [1])?.number == 2)
        // All leases of the worker are renewed together.
        try await record(BatchFlush(batch: again))
        #expect(try await lease(2) == nil)
        try await expire()
        // A batch that was leased in advance and not begun has no attempt.
        let taken = [try await lease(2), try await lease(3)]
        #expect(taken.map(\.?.number) == [1, 2])
        #expect(taken.map(\.?.attempts) == [1, 0])
        #expect(try await lease(4) == nil)
        // Attempts count until a user of the batch is recorded.
        try await record(.test(try #require(taken[0]), .test(), isDone: false))
        try await expire()
        #expect(try await lease(5).map { [$0.number, $0.attempts] } == [1, 0])
    }

    @Test("Each of many workers that ask at the same time gets a different batch")
    func race() async throws {
        try await cut(users: (10..<40).map { "user\($0)" })
        let numbers = Shared<[Int]>([])
        try await forEach(in: Array(1...30), atMost: 30) { worker in
            var batch: Batch?
            // Rows that others lock are skipped, so there may be none at first.
            for _ in 0..<100 where batch == nil { batch = try await lease(worker) }
            numbers.update { [number = batch?.number ?? 0] in $0.append(number) }
        }
        #expect(numbers.current.sorted() == Array(1...30))
    }

    @Test("A worker whose lease was taken over cannot write, and an expired lease is renewed")
    func fence() async throws {
        let batches = try await night()
        try await expire()
        let new = try #require(try await lease(2))
        #expect(new.number == 1)
        #expect(new.lease != batches[0].lease)
        let bob = BatchFlush.test(batches[1], .test("bob"), isDone: false)
        #expect(try await record(.test(batches[0], .full()), bob) == FlushResult(held: [2]))
        #expect(try await lease(3) == nil)
        try await database.leases.begin(batches[0], of: run)
        try await database.secondLook.postpone(batches[0], of: run, for: .seconds(60))
        #expect(try await texts(JudgedUser.written) == ["user_result"])
        let state: [BatchState] = try await test.rows(
            "select look, attempts, worker_no from reconcile.batch where batch_no = 1")
        #expect(state == [BatchState(look: 1, attempts: 0, workerNo: 2)])
        #expect(try await record(.test(new, .test()))?.held == [1])
    }

    private struct BatchState: Equatable, Decodable {
        let look: Int
        let attempts: Int
        let workerNo: Int?
    }

    @Test("An ended session's leases are freed; an ended run leases and records nothing")
    func lostWorker() async throws {
        try await cut()
        let worker = try await database.workers.register(in: run, as: "here/1").worker
        let lost = try await self.worker()
        #expect(worker != lost.number)
        #expect(try await lease(lost.number)?.number == 1)
        try await expire("infinity")
        #expect(try await database.leases.freeOrphaned(of: run, excluding: worker) == 0)
        #expect(try await lease(worker)?.number == 2)
        let standing = WorkLeft(
            state: .open, isCut: true, batchesLeft: 1, hasUncutUsers: false)
        #expect(try await database.leases.status(of: run, excluding: [2]) == standing)
        try await end(lost)
        #expect(try await database.leases.freeOrphaned(of: run, excluding: worker) == 1)
        let batch = try #require(try await lease(worker, excluding: [2]))
        #expect(batch.number == 1)
        try await database.runs.end(run, as: .abandoned, at: Run.test().asOf)
        #expect(try await lease(worker, excluding: [2]) == nil)
        #expect(try await record(.test(batch, .full())) == FlushResult(held: []))
        #expect(try await texts(JudgedUser.written) == [])
        #expect(try await database.leases.status(of: run)?.state == .abandoned)
        #expect(try await database.leases.status(of: RunID(text: "none")) == nil)
    }

    @Test("A worker whose session is lost registers again, and takes the run lock if it needs it")
    func sessionIsLost() async throws {
        try await cut()
        let worker = try await database.workers.register(in: run, as: "here/1").worker
        #expect(await !keepsLock(ofRunOverEverything: false))
        try await endSessions()
        #expect(await !keepsLock(ofRunOverEverything: false))
        try await database.workers.lock()
        #expect(try await lease(worker)?.number == 1)
        try await endSessions()
        #expect(await keepsLock())
        // A trial that began later holds no lock.
        let later = RunID(text: run.text + "a")
        try await open(Run(id: later, asOf: .asOf, scope: .everything, isTrial: true))
        let second = try await connect()
        let error = try await databaseError { try await second.workers.lock() }
        for word in ["run \(run), server process ", ", here/1, connected since "] {
            #expect(error.description.contains(word))
        }
        let other = try await second.workers.register(in: run, as: "there/2").worker
        #expect(try await second.leases.freeOrphaned(of: run, excluding: other) == 0)
        // Another worker takes the lock, and gives it back.
        try await endSessions()
        try await second.workers.lock()
        #expect(await !keepsLock())
        try await endSessions()
        #expect(await keepsLock())
    }

    private func keepsLock(ofRunOverEverything isWhole: Bool = true) async -> Bool {
        await database.workers.keepLock(ofRunOverEverything: isWhole)
        return await database.session.runLock.isHeld
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

    @Test("The second look begins once, when the first pass is complete, and its groups are leased")
    func secondLookBegins() async throws {
        let batches = try await night(["r-ann": "ann", "r-bob": "bob", "r-eve": "eve"])
        try await record(.test(batches[0], refusing: .test("ann", refused: "r")))
        try await record(.test(batches[1], refusing: .test("bob", refused: "r")))
        #expect(try await secondLook() == nil)
        #expect(try await lease(2, isFirstPass: false) == nil)
        try await record(.test(batches[2], .test("eve")))
        let cuts = try await withThrowingTaskGroup(of: [Int]?.self) { group in
            for _ in 0..<12 { group.addTask { try await secondLook() } }
            return try await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
        }
        #expect(cuts == [[1, 2]])
        let groups: [GroupRow] = try await test.rows(
            "select batch_no, look, users, first_user from reconcile.batch where look <> 1")
        #expect(groups == [GroupRow(batchNo: 4, look: 2, users: 2)])
        let standing = WorkLeft(
            state: .open, isCut: true, batchesLeft: 1, hasUncutUsers: false)
        #expect(try await database.leases.status(of: run) == standing)
        // A group is leased only when one of the second look is asked for.
        #expect(try await database.leasedBatches() == [])
        let group = try #require(try await lease(2, isFirstPass: false))
        #expect(group.number == 4)
        // A group that is postponed has no attempts.
        try await database.leases.begin(group, of: run)
        try await database.secondLook.postpone(group, of: run, for: .zero)
        #expect(try await lease(2, isFirstPass: false)?.attempts == 0)
    }

    private struct GroupRow: Equatable, Decodable {
        let batchNo: Int
        let look: Int
        let users: Int
        var firstUser: String?
    }

    @Test("No second look begins after the end of the run")
    func ended() async throws {
        try await record(.test(night(["r-ann": "ann"])[0], refusing: .test()))
        try await database.runs.end(run, as: .abandoned, at: .asOf)
        #expect(try await secondLook() == nil)
        #expect(try await database.reports.totals(of: run).batchesLeft == 0)
    }

    @Test("A group has up to 100 users", arguments: [[], [1], [100], [100, 1], [100, 100, 50]])
    func groups(sizes: [Int]) async throws {
        let users = sizes.reduce(0, +)
        let batch = try await night(["r-ann": "ann"])[0]
        let all = (0..<users).map { RefusedUser.test(UserID("u\($0)"), refused: "r1", "r\"2,") }
        try await record(BatchFlush(batch: batch, records: all.map { .refused($0) }, isDone: true))
        #expect(try await secondLook() == (users == 0 ? nil : [sizes.count, users]))
        var groups: [Int] = []
        var read: [[UserID]] = []
        while let group = try await lease(excluding: groups, isFirstPass: false) {
            groups.append(group.number)
            #expect(group.look == 2)
            #expect(group.users == nil)
            #expect(group.attempts == 0)
            let refused = try await database.secondLook.refusedUsers(of: group, in: run)
            read.append(refused.map(\.user))
            #expect(
                refused.allSatisfy {
                    $0.refusals == RefusedUser.test(refused: "r1", "r\"2,").refusals
                })
        }
        #expect(read.map(\.count) == sizes)
        #expect(Set(read.joined()).count == users)
    }

    private func secondLook() async throws -> [Int]? {
        try await database.secondLook.cut(of: run).map { [$0.groups, $0.users] }
    }

    @Test("Controls are drawn from a point on, of receipts that the server verified")
    func controls() async throws {
        // 30 receipts verified by production, 10 by the sandbox, and others not verified.
        var outcomes = (1...30).map { Outcome.verified(ReceiptID("p\($0)")) }
        outcomes += (1...10).map { .verified(ReceiptID("s\($0)"), by: .sandbox) }
        for rest in [Validation.rejected(.notAuthentic), .unverified(.timeout), .unusable(.empty)] {
            var outcome = Outcome.verified(ReceiptID("x\(outcomes.count)"))
            outcome.validation = rest
            outcomes.append(outcome)
        }
        try await test.store(receipts: outcomes.compactMap { ($0.receipt?.text ?? "", "ann") })
        try await record(.test(database.openedBatches()[0], .test(outcomes: outcomes)))
        let order = """
            from reconcile.outcome where outcome = 'verified' and server = 'production'
            order by hashtextextended(receipt_id, 0)
            """
        let ids = try await texts("select receipt_id " + order)
        let hashes = try await texts("select hashtextextended(receipt_id, 0)::text " + order)
            .compactMap { Int64($0 ?? "") }
        #expect(Set(ids) == Set((1...30).map { "p\($0)" }))
        // They wrap around at the end.
        for (start, count) in [(0, 12), (1, 12), (17, 12), (29, 12), (30, 5), (7, 99)] {
            let point = start < 30 ? hashes[start] : .max
            let drawn = try await controls(from: point, count: count).map(\.id.text)
            #expect(drawn == (0..<min(count, 30)).map { ids[(start + $0) % 30] })
        }
        let sandbox = try await controls(by: .sandbox).map(\.id.text)
        #expect(Set(sandbox) == Set((1...10).map { "s\($0)" }))
        #expect(try await controls(of: RunID(text: "other")).isEmpty)
        try await execute("update team.receipts set data = 'NEW', bundle = 'b' where id like 'p%'")
        for control in try await controls() {
            #expect(control.data.text == "NEW".bytes)
            #expect(control.bundle == "b")
            #expect(control.user == "ann")
        }
        // A receipt that is gone, changed its user, is invalid or too large is not a control.
        for (number, change) in [
            "delete from team.receipts", "update team.receipts set who = 'bob'",
            "update team.receipts set who = null", "update team.receipts set bundle = null",
            "update team.receipts set data = null",
            "update team.receipts set data = repeat('A', 4194305)",
        ].enumerated() {
            try await execute(change + " where id = 'p\(number + 1)'")
            let rest = try await controls().map(\.id.text)
            #expect(Set(rest) == Set((number + 2...30).map { "p\($0)" }))
        }
    }

    private func controls(
        of run: RunID = Run.test().id, by server: AppleServer = .production,
        from point: Int64 = .min, count: Int = 99
    ) async throws -> [StoredReceipt] {
        try await database.secondLook.controls(
            of: run, verifiedBy: server, from: point, count: count)
    }
}
