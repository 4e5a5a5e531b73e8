internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Recording under faults", .database, .timeLimit(.minutes(10)))
struct RecordingFaultTests: DatabaseSuite {
    private static let written =
        (JudgedUser.tables + ["second_look"]).rows { "'\($0)'" } + " order by 1"

    @Test("A flush writes to every table, and nothing of it when one row is refused")
    func allOrNothing() async throws {
        let batches = try await night()
        let bob = JudgedUser.test("bob", findings: [.test("a"), .test("a")])
        let error = try await databaseError {
            try await record(.test(batches[0], .full()), .test(batches[1], bob))
        }
        guard case .rejected("23505", _) = error.reason else { throw error }
        #expect(try await texts(Self.written) == [])
        #expect(try await database.reports.totals(of: run).batchesLeft == 2)
        let result = try await record(
            .test(batches[0], .full()),
            .test(batches[1], postponing: .test("bob", refused: "r9")))
        #expect(result == FlushResult(held: [1, 2]))
        #expect(try await texts(Self.written) == (JudgedUser.tables + ["second_look"]).sorted())
    }

    @Test("The batches that another worker holds are not written, and all others are")
    func lostLease() async throws {
        let batches = try await night()
        try await execute("update reconcile.batch set leased_until = now() - interval '1 s'")
        let taken = try #require(try await lease(2))
        #expect(taken.number == 1 && taken.lease == batches[0].lease + 1)
        let result = try await record(.test(batches[0], .full()), .test(batches[1], .test("bob")))
        #expect(result == FlushResult(held: [2]))
        #expect(try await texts(Self.written) == ["user_result"])
        #expect(try await database.batches.recordedUsers(of: taken, in: run) == [])
        let standing = try await database.leases.standing(of: run, for: 1)
        #expect(standing.batchesElsewhere == 1)
        // The lease of the new holder is unchanged.
        #expect(try await record(.test(taken, .test())) == FlushResult(held: [1]))
    }

    @Test("Nothing is written for a run that has ended")
    func ended() async throws {
        let batches = try await night()
        try await database.runs.end(run, as: .abandoned, at: Run.test().asOf)
        #expect(try await record(.test(batches[0], .full())) == FlushResult(held: []))
        #expect(try await texts(Self.written) == [])
    }

    @Test("An expired lease is renewed if no other worker took the batch")
    func renewal() async throws {
        let batches = try await night()
        try await execute("update reconcile.batch set leased_until = '2020-01-01Z'")
        #expect(try await record(BatchFlush(batch: batches[0])) == FlushResult(held: [1]))
        #expect(try await lease(2)?.number == 2)
        #expect(try await record() == FlushResult(held: []))
    }

    enum LastRecord: CaseIterable {
        case judged, postponed, withoutUser
        /// The requests for controls that a group of the second look records.
        case controls

        /// The last flush of bob, or of nobody.
        func flush(of batch: Batch, isDone: Bool) -> BatchFlush {
            let outcomes = self == .controls ? [] : [Outcome.test("r9", user: "bob")]
            var user = JudgedUser.test(self == .judged ? "bob" : nil, outcomes: outcomes)
            user.requests.production = 7
            return switch self {
            case .judged, .withoutUser: .test(batch, user, isDone: isDone)
            case .postponed: .test(batch, postponing: .test("bob"), isDone: isDone)
            case .controls:
                .test(
                    Batch(number: 2, users: nil, look: 2, lease: batch.lease), user, isDone: isDone)
            }
        }
    }

    @Test(
        "A user is written once when the answer to the COMMIT is lost",
        arguments: LastRecord.allCases, [true, false])
    func lostCommit(last: LastRecord, isDone: Bool) async throws {
        let batches = try await night()
        let proxy = try FaultProxy(before: test.url)
        let events = Shared(0)
        let lossy = try await connect(through: proxy).retrying(
            DatabaseRetry(giveUpAfter: .seconds(60)) { _ in events.update { $0 += 1 } })
        proxy.cutAfterCommits(1)
        let result = try await record(
            .test(batches[0], .full(), isDone: isDone), last.flush(of: batches[1], isDone: isDone),
            by: lossy)
        #expect(result == FlushResult(held: [1, 2]))
        #expect(proxy.commitsCut == 1)
        #expect(events.current == 2)
        let users = try await texts(
            "select coalesce(user_id, 'nobody') from reconcile.user_result order by 1")
        let second = last == .postponed ? [] : last == .judged ? ["bob"] : ["nobody"]
        #expect(users == ["ann"] + second)
        let postponed = try await texts("select user_id from reconcile.second_look")
        #expect(postponed == (last == .postponed ? ["bob"] : []))
        let totals = try await database.reports.totals(of: run)
        #expect(totals.receipts == (try await database.reports.countedOutcomes(of: run)))
        #expect(totals.requests.production == (last == .postponed ? 0 : 7))
        #expect(totals.batchesLeft == (isDone ? 0 : 2))
    }

    @Test(
        "A retry waits for the COMMIT that the server is still executing", arguments: [true, false])
    func slowCommit(isDone: Bool) async throws {
        let batches = try await night()
        let proxy = try FaultProxy(before: test.url)
        let lossy = try await connect(through: proxy).retrying(
            DatabaseRetry(giveUpAfter: .seconds(240)) { _ in })
        // Blocks a COMMIT while another session has the lock.
        try await execute(
            """
            create function public.wait() returns trigger language plpgsql as $$
            begin perform pg_advisory_xact_lock_shared(1); return null; end $$;
            create constraint trigger wait after insert on reconcile.user_result
            deferrable initially deferred for each row execute function public.wait()
            """)
        let other = try await session()
        try await other.script("select pg_advisory_lock(1)")
        proxy.cutAfterCommits(1)
        let recording = Task {
            try await record(.test(batches[0], .full(), isDone: isDone), by: lossy)
        }
        // The next attempt waits for the rows that the first one has changed.
        try await wait(
            until: """
                select count(*) from pg_locks inner join pg_stat_activity using (pid)
                where locktype = 'transactionid' and not granted and datname = current_database()
                """)
        await other.close()
        #expect(try await recording.value == FlushResult(held: [1]))
        #expect(proxy.commitsCut == 1)
        #expect(try await texts("select user_id from reconcile.user_result") == ["ann"])
        #expect(try await database.reports.totals(of: run).receipts.inScope == 1)
    }

    @Test("If the connection breaks before the COMMIT the flush is written on the next one")
    func cutBefore() async throws {
        let batches = try await night()
        let proxy = try FaultProxy(before: test.url)
        let lossy = try await connect(through: proxy).retrying(
            DatabaseRetry(giveUpAfter: .seconds(60)) { _ in })
        proxy.cut()
        let result = try await record(.test(batches[0], .full()), by: lossy)
        #expect(result == FlushResult(held: [1]))
        #expect(try await texts(Self.written) == JudgedUser.tables.sorted())
    }
}
