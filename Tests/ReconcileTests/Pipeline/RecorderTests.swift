import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The recorder", .database, .timeLimit(.minutes(10)))
struct RecorderTests: DatabaseSuite {
    private static let users = "select count(*) from reconcile.user_result"
    private let events = Shared<[RunEvent]>([])

    /// A recorder that holds a leased batch.
    private func recorder() async throws -> (Recorder, Batch) {
        let batch = try await night(["r1": "ann"])[0]
        let recorder = Recorder(
            database: database, run: .test(), worker: 1,
            observe: { [events] event in events.update { $0.append(event) } })
        recorder.hold(batch)
        return (recorder, batch)
    }

    @Test("At most 200 handed-over users are uncommitted, and the next one waits")
    func bounded() async throws {
        let (recorder, batch) = try await recorder()
        recorder.expect(201, of: batch, isLast: true)
        await recorder.add(1...200, of: batch)
        let next = Task<Void, any Error> { await recorder.add(201...201, of: batch) }
        await expectWaiting(next)
        #expect(try await texts(Self.users) == ["0"])
        try await recorder.flush()
        try await next.value
        #expect(try await texts(Self.users) == ["200"])
        try await recorder.flush()
        #expect(try await texts(Self.users) == ["201"])
    }

    @Test(
        "Users are committed when the time is up, and earlier when they are many",
        arguments: [1, 199])
    func commits(count: Int) async throws {
        let (recorder, batch) = try await recorder()
        recorder.expect(count + 1, of: batch, isLast: true)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await recorder.commitInTime() }
            if count == 1 { group.addTask { try await recorder.watchClock() } }
            await recorder.add(1...count, of: batch)
            try await wait(until: "select count(*) > 0 from reconcile.user_result", is: ["t"])
            group.cancelAll()
        }
        #expect(recorder.isHeld(batch))
    }

    @Test("The users of a batch whose lease is lost are dropped, and the loss is logged once")
    func lostLease() async throws {
        let (recorder, batch) = try await recorder()
        recorder.expect(1_000, of: batch, isLast: true)
        await recorder.add(1...1, of: batch)
        try await execute("update reconcile.batch set leased_until = now() - interval '1 second'")
        let taken = try await lease(8, by: try await connect())
        #expect(taken?.number == batch.number && taken?.lease == batch.lease + 1)
        try await recorder.flush()
        #expect(!recorder.isHeld(batch))
        // The users are dropped at once: no caller waits for a commit that never comes.
        await recorder.add(2...500, of: batch)
        try await recorder.flush()
        #expect(try await texts(Self.users) == ["0"])
        #expect(events.current.count == 1)
        guard case .warning(let text) = events.current.first else {
            Issue.record("unexpected \(events.current)")
            return
        }
        #expect(text.hasPrefix("The lease of batch 1 expired"))
    }

    @Test("A commit to a run that another worker published writes nothing and is no error")
    func published() async throws {
        let (recorder, batch) = try await recorder()
        recorder.expect(2, of: batch, isLast: true)
        await recorder.add(1...1, of: batch)
        try await execute("update reconcile.run set state = 'published', finished_at = now()")
        try await recorder.flush()
        #expect(!recorder.isHeld(batch))
        #expect(try await texts(Self.users) == ["0"])
        #expect(events.current.count == 1)
    }

    @Test("A cancelled worker commits the users who were handed over during the last commit")
    func stopped() async throws {
        let (recorder, batch) = try await recorder()
        recorder.expect(300, of: batch, isLast: true)
        await recorder.add(1...150, of: batch)
        let other = try await session()
        try await other.script("begin; select * from reconcile.batch for update")
        let flush = Task { try await recorder.flush() }
        try await wait(
            until: """
                select count(*) from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock'
                """)
        flush.cancel()
        // 50 more are buffered. In a cancelled task the rest does not wait.
        let adding = Task { await recorder.add(151...250, of: batch) }
        adding.cancel()
        await adding.value
        try await other.script("rollback")
        try await flush.value
        let saving = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await recorder.handOver(isStopped: true)
        }
        try await saving.value
        #expect(try await texts(Self.users) == ["250"])
        let free = "select worker_no is null and done_at is null from reconcile.batch"
        #expect(try await texts(free) == ["t"])
    }
}

extension Recorder {
    fileprivate func add(_ numbers: ClosedRange<Int>, of batch: Batch) async {
        for number in numbers {
            await add(.judged(Reference(JudgedUser(user: UserID("user\(number)")))), of: batch)
        }
    }
}
