import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Problems with the database", .timeLimit(.minutes(10)))
struct DatabaseTroubleTests {
    private static let verified = StrangerScene.Answers.always(AppleAnswer.verified())

    @Test("A missing password is reported with where it is looked for")
    func noPassword() async throws {
        try await StrangerScene.with(Self.verified) { scene in
            try await scene.test.execute(
                """
                do $$ begin create role needs_password nologin;
                exception when duplicate_object or unique_violation then null; end $$;
                grant needs_password to \(scene.test.name);
                """)
            let environment = ["PGPASSFILE": "/nowhere/pgpass"]
            try await RunningJob(scene.arguments([]), environment: environment).end().ends(
                77, "no password supplied",
                "$ password in ~/.pgpass or in the file that PGPASSFILE names.")
        }
    }

    @Test(
        "A view whose query fails is named with PostgreSQL's message and no value",
        arguments: textTriples(
            """
            case when 1 / (length(id) - 1) > 0 then who end | bundle | 22012: division by zero
            who | case when bundle::int > 0 then bundle end \
                | 22P02: invalid input syntax for type integer: ‹…›
            who | (select bundle from generate_series(1, 1 + length(id))) \
                | 21000: more than one row returned by a subquery
            """))
    func brokenView(user: String, bundle: String, says: String) async throws {
        try await StrangerScene.with(Self.verified) { scene in
            try await scene.test.store(receipt: "r", of: "ann", bundle: "hunter2")
            try await scene.test.execute(
                """
                create or replace view reconcile.stored_receipts as
                select id as receipt_id, \(user) as user_id, \(bundle) as bundle_id,
                    data as receipt_data, at as stored_at from team.receipts
                """)
            try await scene.run().ends(
                65, "reconcile.stored_receipts", "SQLSTATE " + says, "! hunter2",
                "$ Correct the views in schema reconcile, then run again.")
            #expect(scene.published == [])
        }
    }

    @Test("A command that must own its objects names the owner to ask for")
    func notTheOwner() async throws {
        try await TestDatabase.with(.nothing) { test in
            try await test.execute("create role \(test.name) login")
            let login = test.url(user: test.name)
            try await RunningJob(["migrate", "--database", login]).end()
                .ends(77, "$ Connect as the owner of the database.", "! --roles")
            try await RunningJob(["migrate", "--with-reference-app", "--database", test.url])
                .end().ends()
            try await test.execute(
                """
                grant usage on schema reconcile, app to \(test.name);
                grant select on all tables in schema app to \(test.name)
                """)
            try await RunningJob(["simulate", "--customers=1", "--load", login]).end()
                .ends(77, "=", "$ Connect as the owner of schema app.", "! --roles")
            try await test.execute("drop owned by \(test.name); drop role \(test.name)")
        }
    }

    @Test(
        "A database in another encoding is used as UTF-8 where PostgreSQL can convert it",
        arguments: [("LATIN1", #"E'Zo\u00EB'"#), ("SQL_ASCII", #"E'Zo\xC3\xAB'"#)])
    func converts(encoding: String, user: String) async throws {
        #expect(try await findings(on: encoding, user: user)?.contains("Zoë") == true)
    }

    @Test("Bytes that are not UTF-8 end the run with 65")
    func unsound() async throws {
        #expect(try await findings(on: "SQL_ASCII", user: #"E'Zo\xEB'"#) == nil)
    }

    @Test("A character that the database cannot store is replaced, and the anomaly is recorded")
    func unstorableAnswer() async throws {
        let period = AppleAnswer.period("1", of: "pro.\u{65E5}\u{672C}", from: -40, to: -10)
        let findings = try #require(try await findings(on: "LATIN1", period))
        for text in ["parse_anomaly", "unknown_product", "pro.??"] {
            #expect(findings.contains(text))
        }
        #expect(!findings.contains("still_granted"))
    }

    /// Runs the job on a team's database in `encoding`.
    /// - Returns: the reported findings; nil if the run ended with 65 for bytes that are not UTF-8.
    private func findings(
        on encoding: String, user: String = "'zoe'", _ transactions: String...
    ) async throws -> String? {
        let apple = try LoopbackServer { _ in [.reply(AppleAnswer.verified(transactions))] }
        let folder = try TemporaryFolder()
        return try await TestDatabase.with(.nothing) { test in
            try await TestDatabase.onServer("drop database \(test.name)")
            try await TestDatabase.onServer(
                "create database \(test.name) encoding '\(encoding)' lc_collate 'C' lc_ctype 'C' "
                    + "template template0")
            try await RunningJob(["migrate", "--database", test.url]).end().ends()
            // SQL_ASCII does not support ICU collations.
            let tables = TestDatabase.teamTables.replacing(#" collate "en-x-icu""#, with: "")
            let receipt = TestDatabase.receipt("r")
            try await test.execute(
                tables + TestDatabase.teamViews + """
                    insert into team.products values ('pro.monthly', 'auto_renewable');
                    insert into team.receipts
                    values ('r', \(user), 'acme', '\(receipt)', '2026-11-01');
                    insert into team.entitlements (id, who, product, active, source, at)
                    values ('e', \(user), 'pro.monthly', true, 'app_store', '2026-10-01');
                    """)
            let job = try await RunningJob([
                "run", "--allow-writable-role", "--guards=off", "--database=\(test.url)",
                "--reports=\(folder.path)", "--production-url=\(apple.url)",
                "--sandbox-url=\(apple.url)", "--as-of=\(AppleAnswer.asOf)", "--backoff=1ms",
            ]).end()
            guard job.status == 0 else {
                job.ends(
                    65, "invalid byte sequence for encoding \"UTF8\"", "$ createdb --encoding=UTF8."
                )
                return nil
            }
            let latest = folder.path + "/latest"
            try PublishedReports(latest).expectToTieOut()
            return try FindingFile.allCases.map {
                try publishedText("\(latest)/\($0.rawValue).csv")
            }
            .joined()
        }
    }
}
