internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Pruning")
struct PruningTests {
    @Test("removes what old runs knew, and neither the last night nor what is open")
    func before() async throws {
        try await TestDatabase.connected { test, database in
            try await Self.spend("1", at: 10, database)
            try await Self.spend("2", at: 20, database)
            try await Self.spend("3", at: 30, database, scope: .limited(users: 1))
            _ = try await database.open(.test("4"), codeVersion: "1", settings: "{}")
            let pruned = try await database.prune(before: Instant(milliseconds: 31))
            #expect(pruned == Pruned(runs: 2, answers: 2, outcomes: 2, findings: 2))
            let runs = "select run_id || (pruned_at is not null) from reconcile.run order by run_id"
            #expect(try await test.texts(runs) == ["1true", "2false", "3true", "4false"])
            let left = try await test.texts(
                """
                select run_id from reconcile.outcome union all select run_id from reconcile.finding
                union all select run_id from reconcile.answer union all
                select run_id from reconcile.batch
                """)
            #expect(left == ["2", "2", "2", "2"])
            #expect(try await database.prune(before: Instant(milliseconds: 31)).runs == 0)
            let error = try await databaseError {
                try await database.replayable(RunID(text: "1"))
            }
            #expect(error.description.contains("have been pruned"))
        }
    }

    @Test("keeps the last change of a finding before each run that is whole")
    func history() async throws {
        try await TestDatabase.connected { test, database in
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
            let pruned = try await database.prune(before: Instant(milliseconds: 31))
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
            #expect(try await database.prune(before: Instant(milliseconds: 31)) == Pruned())
        }
    }

    /// Run 1 stays: what it reported last could not be judged since. Run 2 goes, once it is
    /// forgotten that it was the last to report what run 3 judged.
    @Test("is not kept from the history by a run that stays, nor from a run by the history")
    func held() async throws {
        try await TestDatabase.connected { test, database in
            for (id, end) in [("1", 10), ("2", 20), ("3", 30), ("4", 40), ("5", 50)] {
                try await Self.spend(id, at: Int64(end), database)
            }
            try await Self.change(
                [
                    ("1", "stuck", "reported"), ("2", "stuck", "held 1"),
                    ("2", "mended", "reported"), ("3", "mended", "held 2"),
                    ("4", "mended", "cleared"), ("5", "mended", "reported"),
                ], test)
            _ = try await database.open(.test("6"), codeVersion: "1", settings: "{}")
            let before = try await histories(of: "156", database)
            let pruned = try await database.prune(before: Instant(milliseconds: 55))
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
            let history = try await database.history(
                of: ["ann"], transactions: [], before: RunID(text: String(run)))
            histories.append(history.findings)
        }
        return histories
    }

    @Test("forgets a user, and nobody else")
    func user() async throws {
        try await TestDatabase.connected { test, database in
            try await Self.spend("1", at: 10, database)
            #expect(try await database.prune(user: "bob") == Pruned())
            let pruned = try await database.prune(user: "ann")
            #expect(pruned == Pruned(answers: 1, outcomes: 1, findings: 1))
            #expect(try await test.texts("select count(*) from reconcile.answer") == ["0"])
        }
    }

    @Test("forgets answers about a user's receipts that no outcome names")
    func unjudged() async throws {
        try await TestDatabase.connected { test, database in
            for (id, end) in [("1", 10), ("2", 20), ("3", 30)] {
                try await Self.spend(id, at: Int64(end), database)
            }
            try await test.execute(
                """
                delete from reconcile.outcome where run_id = '2';
                update reconcile.outcome set user_id = 'bob' where run_id = '3'
                """)
            #expect(try await database.prune(user: "ann").answers == 2)
            #expect(try await test.texts("select run_id from reconcile.answer") == ["3"])
        }
    }

    @Test("forgets of a user what a run left whose outcomes do not say what was asked")
    func olderRun() async throws {
        try await TestDatabase.connected { test, database in
            try await Self.spend("1", at: 10, database)
            try await test.execute(
                """
                update reconcile.answer set body_sha256 = sha256(body);
                update reconcile.outcome
                set question = null, evidence_sha256 = (select sha256(body) from reconcile.answer)
                """)
            let pruned = try await database.prune(user: "ann")
            #expect(pruned == Pruned(answers: 1, outcomes: 1, findings: 1))
        }
    }

    /// A published run of one receipt, whose answer a finding names.
    private static func spend(
        _ id: String, at end: Int64, _ database: Database, scope: RunScope = .everything
    ) async throws {
        let run = Run.test(id, scope: scope)
        _ = try await database.open(run, codeVersion: "1", settings: "{}")
        try await database.pool.withConnection { connection async throws(PostgresError) in
            try await connection.execute(
                PostgresStatement(
                    name: "test",
                    text: "insert into reconcile.batch values ('\(id)', 1, 'a', 'z', 1)"
                ))
        }
        let found = try await database.batch(1, of: run.id)
        let batch = try #require(found)
        let answer = RecordedAnswer.test(1, .rejected(.accountGone), body: "body \(id)")
        var outcome = Outcome.test("r1", .rejected(.accountGone))
        outcome.question = answer.question
        try await database.record(
            .test(batch, outcomes: [outcome], findings: [.test("a")]), answers: [answer],
            of: run.id)
        try await database.finish(
            run.id, as: .published, at: Instant(milliseconds: end), keeping: .all)
    }
}
