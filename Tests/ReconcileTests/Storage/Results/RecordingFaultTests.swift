internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Recording under faults", .timeLimit(.minutes(10)))
struct RecordingFaultTests {
    private static let run = Run.test().id

    private static let written = """
        select 'user_result' from reconcile.user_result union all
        select 'second_look' from reconcile.second_look union all
        select 'outcome' from reconcile.outcome union all
        select 'finding' from reconcile.finding union all
        select 'evidence' from reconcile.evidence union all
        select 'not_reported' from reconcile.not_reported union all
        select 'unjudged_finding' from reconcile.unjudged_finding union all
        select 'remembered_event' from reconcile.remembered_event union all
        select 'sighted_purchase' from reconcile.sighted_purchase union all
        select 'sighted_receipt' from reconcile.sighted_receipt union all
        select 'sighted_product' from reconcile.sighted_product union all
        select 'undecided_user' from reconcile.undecided_user
        order by 1
        """

    @Test("A flush writes to every table")
    func whole() async throws {
        try await night { test, database, batches in
            let flush = [
                BatchFlush.test(batches[0], Self.full),
                .test(batches[1], postponing: .test("bob", refused: "r9")),
            ]
            let result = try await database.results.record(flush, of: .test())
            #expect(result == FlushResult(held: [1, 2]))
            #expect(
                try await test.texts(Self.written) == [
                    "evidence", "finding", "not_reported", "outcome",
                    "remembered_event", "second_look", "sighted_product", "sighted_purchase",
                    "sighted_receipt", "undecided_user", "unjudged_finding", "user_result",
                ])
        }
    }

    @Test("When one row of a flush is refused, nothing of the flush is written")
    func allOrNothing() async throws {
        try await night { test, database, batches in
            let bob = JudgedUser.test("bob", findings: [.test("a"), .test("a")])
            let error = try await databaseError {
                try await database.results.record(
                    [.test(batches[0], Self.full), .test(batches[1], bob)], of: .test())
            }
            guard case .rejected("23505", _) = error.reason else {
                Issue.record("unexpected \(error)")
                return
            }
            #expect(try await test.texts(Self.written) == [])
            #expect(try await database.reports.totals(of: Self.run).batchesLeft == 2)
        }
    }

    @Test("The batches that another worker holds are not written, and all others are")
    func lostLease() async throws {
        try await night { test, database, batches in
            try await test.execute(
                "update reconcile.batch set leased_until = now() - interval '1 s'")
            let taken = try #require(
                try await database.leases.lease(batchOf: Self.run, for: 2, besides: []))
            #expect(taken.number == 1 && taken.lease == batches[0].lease + 1)
            let result = try await database.results.record(
                [.test(batches[0], Self.full), .test(batches[1], .test("bob"))], of: .test())
            #expect(result == FlushResult(held: [2]))
            #expect(try await test.texts(Self.written) == ["user_result"])
            #expect(try await database.batches.recordedUsers(of: taken, in: Self.run) == [])
            let standing = try await database.leases.standing(of: Self.run, for: 1)
            #expect(standing.batchesElsewhere == 1)
            // The lease of the new holder is unchanged.
            let ours = try await database.results.record([.test(taken, .test())], of: .test())
            #expect(ours == FlushResult(held: [1]))
        }
    }

    @Test("Nothing is written for a run that has ended")
    func ended() async throws {
        try await night { test, database, batches in
            try await database.runs.end(Self.run, as: .abandoned, at: Run.test().asOf)
            let result = try await database.results.record(
                [.test(batches[0], Self.full)], of: .test())
            #expect(result == FlushResult(held: []))
            #expect(try await test.texts(Self.written) == [])
        }
    }

    @Test("An expired lease is renewed if no other worker took the batch")
    func renewal() async throws {
        try await night { test, database, batches in
            try await test.execute("update reconcile.batch set leased_until = '2020-01-01Z'")
            let result = try await database.results.record(
                [BatchFlush(batch: batches[0])], of: .test())
            #expect(result == FlushResult(held: [1]))
            let next = try await database.leases.lease(batchOf: Self.run, for: 2, besides: [])
            #expect(next?.number == 2)
            #expect(try await database.results.record([], of: .test()) == FlushResult(held: []))
        }
    }

    enum LastRecord: CaseIterable {
        case judged, postponed, withoutUser, controls
    }

    @Test(
        "A user is written once when the answer to the COMMIT is lost",
        arguments: LastRecord.allCases,
        [true, false])
    func lostCommit(last: LastRecord, isDone: Bool) async throws {
        try await night { test, database, batches in
            let proxy = try FaultProxy(before: test.url)
            let events = Shared<[RunEvent]>([])
            let lossy = try await Database.connect(proxy.url(test.url), connections: 1)
                .retrying(
                    DatabaseRetry(giveUpAfter: .seconds(60)) { event in
                        events.update { $0.append(event) }
                    })
            var batch = batches[1]
            var users = JudgedUser.test("bob", outcomes: [.test("r9", user: "bob")])
            users.requests.production = 7
            var part = BatchFlush.test(batch, users, isDone: isDone)
            switch last {
            case .judged: break
            case .postponed: part = .test(batch, postponing: .test("bob"), isDone: isDone)
            case .withoutUser:
                users.user = nil
                part = .test(batch, users, isDone: isDone)
            case .controls:
                // The requests for controls that a group of the second look records.
                batch = Batch(number: 2, users: nil, look: 2, lease: batch.lease)
                users = .test(nil)
                users.requests.production = 7
                part = .test(batch, users, isDone: isDone)
            }
            proxy.cutAfterCommits(1)
            let flush = [BatchFlush.test(batches[0], Self.full, isDone: isDone), part]
            let result = try await lossy.results.record(flush, of: .test())
            #expect(result == FlushResult(held: [1, 2]))
            #expect(proxy.commitsCut == 1)
            #expect(events.current.count == 2)
            let rows = try await test.texts(
                "select coalesce(user_id, 'nobody') from reconcile.user_result order by 1")
            #expect(
                rows
                    == (last == .postponed
                        ? ["ann"]
                        : last == .judged
                            ? ["ann", "bob"]
                            : ["ann", "nobody"]))
            let postponed = try await test.texts("select user_id from reconcile.second_look")
            #expect(postponed == (last == .postponed ? ["bob"] : []))
            let totals = try await database.reports.totals(of: Self.run)
            #expect(totals.receipts == (try await database.reports.countedOutcomes(of: Self.run)))
            #expect(totals.requests.production == (last == .postponed ? 0 : 7))
            #expect(totals.batchesLeft == (isDone ? 0 : 2))
            await lossy.close()
        }
    }

    @Test(
        "A retry waits for the COMMIT that the server is still executing",
        arguments: [true, false])
    func slowCommit(isDone: Bool) async throws {
        try await night { test, database, batches in
            let proxy = try FaultProxy(before: test.url)
            let lossy = try await Database.connect(proxy.url(test.url), connections: 1)
                .retrying(DatabaseRetry(giveUpAfter: .seconds(240)) { _ in })
            try await test.execute(Self.waitAtCommit)
            let other = PostgresConnection()
            try await other.open(test.url)
            try await other.executeScript(.init(name: "test", text: "select pg_advisory_lock(1)"))
            proxy.cutAfterCommits(1)
            let flush = [BatchFlush.test(batches[0], Self.full, isDone: isDone)]
            let recording = Task { try await lossy.results.record(flush, of: .test()) }
            // The next attempt waits for the rows that the first one has changed.
            let isWaiting = """
                select count(*)
                from pg_locks inner join pg_stat_activity using (pid)
                where locktype = 'transactionid' and not granted and datname = current_database()
                """
            while try await test.texts(isWaiting) != ["1"] {}
            await other.close()
            #expect(try await recording.value == FlushResult(held: [1]))
            #expect(proxy.commitsCut == 1)
            #expect(try await test.texts("select user_id from reconcile.user_result") == ["ann"])
            #expect(try await database.reports.totals(of: Self.run).receipts.inScope == 1)
            await lossy.close()
        }
    }

    /// Blocks a COMMIT while another session has the lock.
    private static let waitAtCommit = """
        create function public.wait() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock_shared(1); return null; end $$;
        create constraint trigger wait after insert on reconcile.user_result
        deferrable initially deferred for each row execute function public.wait()
        """

    @Test("If the connection breaks before the COMMIT the flush is written on the next one")
    func cutBefore() async throws {
        try await night { test, database, batches in
            let proxy = try FaultProxy(before: test.url)
            let lossy = try await Database.connect(proxy.url(test.url), connections: 1)
                .retrying(DatabaseRetry(giveUpAfter: .seconds(60)) { _ in })
            proxy.cut()
            let result = try await lossy.results.record(
                [.test(batches[0], Self.full)], of: .test())
            #expect(result == FlushResult(held: [1]))
            #expect(try await test.texts(Self.written).filter { $0 == "user_result" }.count == 1)
            await lossy.close()
        }
    }

    /// A user with a row for every table.
    private static let full: JudgedUser = {
        var user = JudgedUser.test(
            outcomes: [.test("r1")], findings: [.test("a")], evidence: [.test(1)])
        user.notReported = [NotReported(entitlement: "e1", bucket: .settling, cause: .recent)]
        user.remembered = [ReportedFinding.test("c", .refundRecorded).finding]
        user.unjudged = [String(repeating: "b", count: 32)]
        user.purchases = [PurchaseSighting(user: "ann", originalID: "100")]
        user.receiptSightings = [
            ReceiptSighting(user: "ann", receipt: "r1", bundle: "app", digest: [1])
        ]
        user.unknownProducts = [UnknownProduct(product: "gold", users: 1, rows: 2)]
        user.undecided = UndecidedUser(user: "ann", lacksEvidence: true, mayBeGranted: false)
        return user
    }()

    private func night(
        _ body: (TestDatabase, Database, [Batch]) async throws -> Void
    ) async throws {
        try await TestDatabase.connected { test, database in
            try await test.store(receipts: [("r1", "ann"), ("r9", "bob")])
            try await body(test, database, try await database.openedBatches())
        }
    }
}
