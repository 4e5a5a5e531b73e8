internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Pruning")
struct PruningTests {
    @Test("Old runs are removed, but not the last night and not an open run")
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
                select run_id from reconcile.cleared_finding union all
                select run_id from reconcile.sighted_subscription union all
                select run_id from reconcile.sighted_product union all
                select run_id from reconcile.undecided_user
                """)
            #expect(left == Array(repeating: "2", count: 10))
            #expect(try await database.pruning.prune(before: Instant(milliseconds: 31)).runs == 0)
            let error = try await databaseError {
                try await database.runs.replayable(RunID(text: "1"))
            }
            #expect(error.description.contains("have been pruned"))
        }
    }

    @Test("The last change of a finding before each remaining run is kept")
    func history() async throws {
        try await TestDatabase.connected { test, database in
            // History is read with what is stored.
            try await test.store(receipts: [("r1", "ann")])
            for (id, end) in [("1", 10), ("2", 20), ("3", 30), ("4", 40), ("5", 50), ("6", 60)] {
                try await Self.spend(id, at: Int64(end), database)
            }
            try await test.execute("update reconcile.run set state = 'failed' where run_id = '3'")
            try await Self.change(
                [
                    ("1", "old", "reported"), ("2", "old", "cleared"), ("3", "old", "reported"),
                    ("1", "new", "reported"), ("4", "new", "cleared"), ("5", "new", "reported"),
                    ("6", "new", "cleared"), ("1", "told", "told"),
                    ("1", "shared", "reported"), ("2", "shared", "cleared"),
                ], test)
            // Runs 4 to 6 are whole. Run 3 came to nothing.
            let before = try await histories(of: "456", database)
            let pruned = try await database.pruning.prune(before: Instant(milliseconds: 31))
            #expect(pruned.runs == 3 && pruned.changes == 2)
            #expect(try await histories(of: "456", database) == before)
            #expect(Set(before.map { Set($0.values.map(\.change)) }).count == 2)
            let left = try await test.texts(
                "select concat_ws(' ', run_no, change) from reconcile.finding_change order by 1")
            #expect(
                left == [
                    "1 reported", "1 told", "2 cleared", "2 cleared", "3 reported", "4 cleared",
                    "5 reported", "6 cleared",
                ])
            #expect(try await database.pruning.prune(before: Instant(milliseconds: 31)) == Pruned())
        }
    }

    /// Run 1 stays: what it reported last could not be judged since. Run 2 goes, once it is
    /// forgotten that it was the last to report what run 3 judged.
    @Test("The history is pruned around a run that stays, and runs in spite of the history")
    func held() async throws {
        try await TestDatabase.connected { test, database in
            try await test.store(receipts: [("r1", "ann")])
            for (id, end) in [("1", 10), ("2", 20), ("3", 30), ("4", 40), ("5", 50)] {
                try await Self.spend(id, at: Int64(end), database)
            }
            try await Self.change(
                [
                    ("1", "stuck", "reported"), ("2", "stuck", "held 1"),
                    ("2", "mended", "reported"), ("3", "mended", "held 2"),
                    ("4", "mended", "cleared"), ("5", "mended", "reported"),
                ], test)
            _ = try await database.runs.open(.test("6"), codeVersion: "1", settings: "{}")
            let before = try await histories(of: "156", database)
            let pruned = try await database.pruning.prune(before: Instant(milliseconds: 55))
            #expect(pruned.runs == 3 && pruned.changes == 3)
            let runs = "select run_id || (pruned_at is not null) from reconcile.run order by run_id"
            #expect(
                try await test.texts(runs)
                    == ["1false", "2true", "3true", "4true", "5false", "6false"])
            #expect(try await histories(of: "156", database) == before)
        }
    }

    /// Changes of findings of ann's, each by its run and the finding's name.
    private static func change(
        _ changes: [(run: String, name: String, change: String)], _ test: TestDatabase
    ) async throws {
        let rows = changes.map { "('\($0.run)', '\($0.name)', '\($0.change)')" }
        try await test.execute(
            """
            update reconcile.run set makes_history = true;
            insert into reconcile.finding_change
            select
                r.run_no, reconcile.name_key('ann'), case when f.change <> 'told' then now() end,
                nullif(split_part(f.change, ' ', 2), '')::bigint, md5(f.name)::uuid,
                split_part(f.change, ' ', 1), f.name = 'shared'
            from (values \(rows.joined(separator: ", "))) as f (run, name, change)
            inner join reconcile.run as r on r.run_id = f.run
            """)
    }

    private func histories(
        of runs: String, _ database: Database
    ) async throws -> [[String: PastFinding]] {
        var histories: [[String: PastFinding]] = []
        for run in runs {
            let batch = Batch(number: 1, users: nil, look: 2)
            let (portion, _) = try await database.batches.group(
                [.test("ann")], of: batch, before: RunID(text: String(run)))
            histories.append(portion.history.findings)
        }
        return histories
    }

    @Test("Everything about a user is removed, and nothing about others")
    func user() async throws {
        try await TestDatabase.connected { test, database in
            try await Self.spend("1", at: 10, database)
            #expect(try await database.pruning.prune(user: "bob") == Pruned())
            let pruned = try await database.pruning.prune(user: "ann")
            #expect(pruned == Pruned(answers: 1, outcomes: 1, findings: 1))
            for table in [
                "evidence", "outcome", "finding", "user_result", "second_look", "cleared_finding",
                "sighted_subscription", "undecided_user", "finding_change", "cancellation",
            ] {
                let rows = try await test.texts("select '\(table)' from reconcile.\(table)")
                #expect(rows == [])
            }
            // Of nobody: it names none.
            #expect(try await test.texts("select users from reconcile.sighted_product") == ["1"])
        }
    }

    @Test("What an open run knows of a user is not removed")
    func openRun() async throws {
        try await TestDatabase.connected { test, database in
            try await Self.spend("1", at: nil, database)
            #expect(try await database.pruning.prune(user: "ann") == Pruned())
            #expect(try await database.pruning.prune(before: .distantFuture) == Pruned())
            #expect(try await test.texts("select user_id from reconcile.evidence") == ["ann"])
            #expect(try await test.texts("select user_id from reconcile.user_result") == ["ann"])
        }
    }

    /// A published run of one user with something in every table; without an end it is open.
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
        user.cleared = [.test("b")]
        user.subscriptions = [SubscriptionSighting(user: "ann", chain: "100")]
        user.unknownProducts = [UnknownProduct(product: "gold", users: 1, rows: 2)]
        user.undecided = UndecidedUser(user: "ann", lacksEvidence: true, mayBeGranted: false)
        let putOff = BatchFlush.test(batch, puttingOff: .test(refused: "r1"), isDone: false)
        _ = try await database.results.record([putOff], of: run.id)
        _ = try await database.results.record([.test(batch, user)], of: run.id)
        guard let end else { return }
        try await database.runs.finish(run.id, as: .published, at: Instant(milliseconds: end))
    }
}
