import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The recorder", .database, .hangLimit)
struct RecorderTests: DatabaseSuite {
    private static let users = "select count(*) from reconcile.user_result"
    private let events = Shared<[RunEvent]>([])
    private let hasEvent = Semaphore(permits: 0)

    private func recorder(of users: Int) async throws -> (Recorder, Batch) {
        let batch = try await night(["r1": "ann"])[0]
        let register: @Sendable () async throws -> CommitChain = { [database] in
            try await database.workers.register(in: Run.test().id, as: "here/1")
        }
        let chain = try await register()
        try await execute("update reconcile.batch set worker_no = \(chain.worker)")
        let recorder = Recorder(
            database: database, run: .test(), chain: chain, restart: register
        ) { event in
            events.update { $0.append(event) }
            hasEvent.signal()
        }
        recorder.hold(batch)
        recorder.expect(users, of: batch, isLast: true)
        return (recorder, batch)
    }

    @Test("At most 200 handed-over users are uncommitted, and the next one waits")
    func bounded() async throws {
        let (recorder, batch) = try await recorder(of: 201)
        await recorder.add(1..<201, of: batch)
        let next = Task.waiting { await recorder.add(201..<202, of: batch) }
        #expect(try await texts(Self.users) == ["0"])
        try await recorder.flush()
        try await next.value
        #expect(try await texts(Self.users) == ["200"])
        try await recorder.flush()
        #expect(try await texts(Self.users) == ["201"])
    }

    @Test("Users are committed in time, and earlier when they are many", arguments: [1, 199])
    func commits(count: Int) async throws {
        let (recorder, batch) = try await recorder(of: count + 1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await recorder.commitInTime() }
            if count == 1 { group.addTask { try await recorder.watchClock() } }
            // Once it is committed, there is an event of a receipt that was repeated.
            let repeated = JudgedUser.test("user1", outcomes: [.test("r1"), .test("r1")])
            await recorder.add(.judged(Reference(repeated)), of: batch)
            await recorder.add(2..<count + 1, of: batch)
            try await hasEvent.wait()
            #expect(try await texts(Self.users) != ["0"])
            group.cancelAll()
        }
        #expect(recorder.isHeld(batch))
    }

    @Test(
        "Users of a batch whose lease is lost, or of a published run, are dropped, with a warning",
        arguments: [false, true])
    func lost(isPublished: Bool) async throws {
        let (recorder, batch) = try await recorder(of: 1_000)
        await recorder.add(1..<2, of: batch)
        if isPublished {
            try await execute("update reconcile.run set state = 'published', finished_at = now()")
        } else {
            try await execute("update reconcile.batch set leased_until = now() - interval '1 s'")
            let taken = try await lease(8)
            #expect(taken?.number == batch.number)
            #expect(taken?.lease != batch.lease)
        }
        try await recorder.flush()
        #expect(!recorder.isHeld(batch))
        // The users are dropped at once: no caller waits for a commit that never comes.
        await recorder.add(2..<501, of: batch)
        try await recorder.flush()
        #expect(try await texts(Self.users) == ["0"])
        #expect(events.current.count == 1)
        let warning = events.current.warnings.first
        #expect(warning?.hasPrefix("The lease of batch 1 expired") == true)
    }

    @Test("A recorder whose last commit the database lost drops all it holds and begins again")
    func commitLost() async throws {
        let (recorder, batch) = try await recorder(of: 1_000)
        let commits = try await LostCommits.after(test)
        await recorder.add(1..<101, of: batch)
        try await recorder.flush()
        try await commits.lose()
        await recorder.add(101..<151, of: batch)
        try await recorder.flush()
        #expect(try await texts(Self.users) == ["0"])
        #expect(!recorder.isHeld(batch))
        #expect(events.current.count == 1)
        let warning = events.current.warnings.first
        #expect(warning?.contains("lost the last commits of this run") == true)
        // The batch is free, and what is recorded from now on stays.
        let again = try #require(try await lease(recorder.worker))
        #expect(again.number == batch.number)
        #expect(again.lease != batch.lease)
        recorder.hold(again)
        recorder.expect(150, of: again, isLast: true)
        // A user that was still in flight belongs to the lost lease.
        await recorder.add(1..<2, of: batch)
        await recorder.add(1..<151, of: again)
        try await recorder.flush()
        #expect(try await texts(Self.users) == ["150"])
        #expect(try await texts("select done_at is not null from reconcile.batch") == ["t"])
    }

    @Test("A worker whose registration the database lost registers again")
    func registrationLost() async throws {
        let commits = try await LostCommits.after(test)
        let (recorder, batch) = try await recorder(of: 10)
        try await commits.lose()
        #expect(try await texts("select count(*) from reconcile.run") == ["0"])
        await database.workers.keepLock(ofRunOverEverything: false)
        let live = "select worker_no from reconcile.worker natural join reconcile.live_worker"
        #expect(try await texts(live) == ["\(recorder.worker)"])
        await recorder.add(1..<11, of: batch)
        try await recorder.flush()
        #expect(!recorder.isHeld(batch))
        #expect(try await texts(Self.users) == ["0"])
    }

    @Test("A cancelled worker commits the users who were handed over during the last commit")
    func stopped() async throws {
        let (recorder, batch) = try await recorder(of: 300)
        await recorder.add(1..<151, of: batch)
        let other = try await session()
        try await other.script("begin; select * from reconcile.batch for update")
        let flush = Task.waiting { try await recorder.flush() }
        flush.cancel()
        // 50 more are buffered. In a cancelled task the rest does not wait.
        let adding = Task { await recorder.add(151..<251, of: batch) }
        adding.cancel()
        await adding.value
        try await other.script("rollback")
        try await flush.value
        try await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await recorder.handOver(isStopped: true)
        }.value
        #expect(try await texts(Self.users) == ["250"])
        let free = "select worker_no is null and done_at is null from reconcile.batch"
        #expect(try await texts(free) == ["t"])
    }
}

extension Recorder {
    fileprivate func add(_ numbers: Range<Int>, of batch: Batch) async {
        for number in numbers {
            await add(.judged(Reference(JudgedUser(user: UserID("user\(number)")))), of: batch)
        }
    }
}

/// `--max-runtime` and `--in-flight`.
/// To add a case: a row with --in-flight and the users who share fifty receipts.
@Suite("Limits of a run", .database, .hangLimit)
struct LimitTests: DatabaseSuite {
    @Test("After --max-runtime no request starts and no receipt is rejected", arguments: [1, 2])
    func deadline(look: Int) async throws {
        try await fill(users: 60)
        let refused = Set.receipts((1...30).map { $0 * 2 })
        let clock = ManualClock()
        let apple = try ScriptedApple { ask in
            // The first answers of the look come too late for more requests.
            if ask.attempt == look { clock.advance(by: .seconds(60)) }
            return [refused.contains(ask.receipt) ? .status(21003) : .valid(ask)]
        }
        // The patience is longer than the run: the third look comes early.
        let pass = try await Pass(
            database, apple, inFlight: 4, deadline: Deadline(after: .seconds(60), by: clock),
            patience: .seconds(600))
        let receipts = try await pass.finish().receipts
        #expect((look == 1 ? 1...4 : 30...30).contains(receipts[.verified]))
        #expect(receipts[.verified] + receipts[.unverified] == 60)
        #expect(try await tally()[.unverified(.deadline)] ?? 0 == receipts[.unverified])
        let unrequested = try await outcomes().count { row in
            row.outcome == .unverified(.deadline) && row.attempts == 0
        }
        #expect(unrequested >= (look == 1 ? 56 : 0))
        let late = apple.asks.count - 60 * (look - 1)
        #expect((1...4).contains(late))
        #expect(try await findings() == [])
        #expect(try await database.reports.wentPastMaxRuntime(pass.run.id))
    }

    @Test(
        "Exactly --in-flight requests are in flight, and a slow one delays no other user",
        arguments: [(inFlight: 1, users: 6), (3, 6), (8, 1)])
    func bound(inFlight: Int, users: Int) async throws {
        try await storeReceipts((1...50).map { (id: "r\($0)", user: "u\($0 % users)") })
        let refused = Set.receipts(1...20)
        let now = Shared(0)
        let most = Shared(0)
        let asked = Shared(0)
        let full = Gate()
        let overtaken = Gate()
        let apple = try ScriptedApple { ask in
            let count = now.update { $0 += 1 }
            most.update { $0 = max($0, count) }
            if count == inFlight { full.open() }
            full.wait()
            if asked.update({ $0 += 1 }) == 1, inFlight > 1 { overtaken.wait() }
            now.update { $0 -= 1 }
            return [refused.contains(ask.receipt) ? .status(21003) : .verified()]
        }
        let pass = try await Pass(database, apple, usersPerBatch: 2, inFlight: inFlight)
        async let finishing = pass.finish()
        await apple.production.arrival(of: 50)
        overtaken.open()
        let receipts = try await finishing.receipts
        #expect(most.current == inFlight)
        #expect(receipts[.verified] == 30)
        // No other receipt is verified, and the receipts of a put-off user are no controls.
        #expect(receipts[.unverified] == 20)
        #expect(apple.asks.count == 100)
    }
}
