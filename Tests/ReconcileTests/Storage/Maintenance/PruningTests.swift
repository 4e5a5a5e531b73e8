internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Pruning")
struct PruningTests {
    @Test("Old runs are removed, but not the last run and not an open run")
    func before() async throws {
        try await TestDatabase.connected { test, database in
            try await Self.spend("1", at: 10, database)
            try await Self.spend("2", at: 20, database)
            try await Self.spend("3", at: 30, database, scope: .limited(users: 1))
            _ = try await database.runs.open(.test("4"), codeVersion: "1", settings: "{}")
            let pruned = try await database.pruning.prune(before: Instant(milliseconds: 31))
            #expect(pruned == Pruned(runs: 2, answers: 2, outcomes: 2, findings: 2))
            let runs = "select run_id || (pruned_at is not null) from reconcile.run order by run_id"
            #expect(try await test.texts(runs) == ["1true", "2false", "3true", "4false"])
            let left = try await test.texts(
                """
                select run_id from reconcile.outcome union all select run_id from reconcile.finding
                union all select run_id from reconcile.evidence union all
                select run_id from reconcile.batch union all
                select run_id from reconcile.user_result union all
                select run_id from reconcile.second_look union all
                select run_id from reconcile.not_reported union all
                select run_id from reconcile.unjudged_finding union all
                select run_id from reconcile.remembered_event union all
                select run_id from reconcile.sighted_purchase union all
                select run_id from reconcile.sighted_receipt union all
                select run_id from reconcile.sighted_product union all
                select run_id from reconcile.undecided_user
                """)
            #expect(left == Array(repeating: "2", count: 13))
            #expect(try await database.pruning.prune(before: Instant(milliseconds: 31)).runs == 0)
            let error = try await databaseError {
                try await database.runs.replayable(RunID(text: "1"))
            }
            #expect(error.description.contains("were pruned"))
        }
    }

    @Test(
        "The run that was published last stays, even if its id is smaller")
    func smallerID() async throws {
        try await TestDatabase.connected { test, database in
            try await Self.spend("2", at: 10, database)
            try await Self.spend("1", at: 20, database)
            #expect(try await database.pruning.prune(before: Instant(milliseconds: 31)).runs == 1)
            let whole = "select run_id from reconcile.run where pruned_at is null"
            #expect(try await test.texts(whole) == ["1"])
        }
    }

    @Test("Everything about a user is removed, and nothing about others")
    func user() async throws {
        try await TestDatabase.connected { test, database in
            try await Self.spend("1", at: 10, database)
            try await test.execute(
                """
                insert into reconcile.acceptance (finding_id, user_id, accepted_by, reason)
                values (md5('a')::uuid, 'ann', 'eve', 'known')
                """)
            #expect(try await database.pruning.prune(user: "bob") == Pruned())
            let pruned = try await database.pruning.prune(user: "ann")
            #expect(pruned == Pruned(answers: 1, outcomes: 1, findings: 1))
            for table in [
                "evidence", "outcome", "finding", "user_result", "second_look", "not_reported",
                "unjudged_finding", "remembered_event", "sighted_purchase", "sighted_receipt",
                "undecided_user", "ledger", "acceptance",
            ] {
                let rows = try await test.texts("select '\(table)' from reconcile.\(table)")
                #expect(rows == [])
            }
            // The sighting names no user.
            #expect(try await test.texts("select users from reconcile.sighted_product") == ["1"])
        }
    }

    @Test("The state of an open run about a user is not removed")
    func openRun() async throws {
        try await TestDatabase.connected { test, database in
            try await Self.spend("1", at: nil, database)
            #expect(try await database.pruning.prune(user: "ann") == Pruned())
            #expect(try await database.pruning.prune(before: .distantFuture) == Pruned())
            #expect(try await test.texts("select user_id from reconcile.evidence") == ["ann"])
            #expect(try await test.texts("select user_id from reconcile.user_result") == ["ann"])
        }
    }

    /// A published run of one user with a row in every table; without an end it is open.
    private static func spend(
        _ id: String, at end: Int64?, _ database: Database, scope: RunScope = .everything
    ) async throws {
        let run = Run.test(id, scope: scope)
        _ = try await database.runs.open(run, codeVersion: "1", settings: "{}", keeping: .all)
        try await database.session.pool.withConnection { connection async throws(PostgresError) in
            try await connection.executeScript(
                PostgresStatement(
                    name: "test",
                    text: """
                        insert into reconcile.batch (run_id, batch_no, first_user, last_user, users)
                        values ('\(id)', 1, 'a', 'z', 1)
                        """))
        }
        let batch = try #require(try await database.leasedBatches(of: run).first)
        var user = JudgedUser.test(
            outcomes: [.test("r1", .rejected(.accountGone))], findings: [.test("a")],
            evidence: [.test(1, .rejected(.accountGone), body: "body \(id)")])
        user.notReported = [NotReported(entitlement: "e1", bucket: .settling, cause: .recent)]
        user.remembered = [ReportedFinding.test("c", .refundRecorded).finding]
        user.unjudged = [String(repeating: "a", count: 32)]
        user.purchases = [PurchaseSighting(user: "ann", originalID: "100")]
        user.receiptSightings = [
            ReceiptSighting(user: "ann", receipt: "r1", bundle: "app", digest: [1])
        ]
        user.unknownProducts = [UnknownProduct(product: "gold", users: 1, rows: 2)]
        user.undecided = UndecidedUser(user: "ann", lacksEvidence: true, mayBeGranted: false)
        let postponed = BatchFlush.test(batch, postponing: .test(refused: "r1"), isDone: false)
        _ = try await database.results.record([postponed], of: run)
        _ = try await database.results.record([.test(batch, user)], of: run)
        guard let end else { return }
        try await database.ledger.publish(run.id, at: Instant(milliseconds: end), under: nil)
    }
}
