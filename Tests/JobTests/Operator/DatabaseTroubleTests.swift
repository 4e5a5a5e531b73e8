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
            try await RunningJob(
                scene.arguments([]), environment: ["PGPASSFILE": "/nowhere/pgpass"]
            ).end().ends(
                77, last: ["no password supplied"],
                ending: "Check the role, and its password in ~/.pgpass or in the file that"
                    + " PGPASSFILE names.")
        }
    }

    @Test(
        "A view whose query fails is named with PostgreSQL's message and no value",
        arguments: [
            (
                "case when 1 / (length(id) - 1) > 0 then who end", "bundle",
                "SQLSTATE 22012: division by zero"
            ),
            (
                "who", "case when bundle::int > 0 then bundle end",
                "SQLSTATE 22P02: invalid input syntax for type integer: ‹…›"
            ),
            (
                "who", "(select bundle from generate_series(1, 1 + length(id)))",
                "SQLSTATE 21000: more than one row returned by a subquery"
            ),
        ])
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
                65, last: ["reconcile.stored_receipts", says],
                ending: "Correct the views in schema reconcile, then run again.",
                never: ["hunter2"])
            #expect(scene.published == [])
        }
    }

    @Test("A role that is set to read only is named as the cause, and not the server")
    func readOnly() async throws {
        try await StrangerScene.with(Self.verified) { scene in
            try await scene.test.store(receipt: "r", of: "ann")
            try await scene.test.execute(
                "alter role \(scene.test.name) set default_transaction_read_only = on")
            try await scene.run().ends(
                69, last: ["The session is read only"],
                ending: "set default_transaction_read_only = off.")
        }
    }

    @Test("A command that must own its objects names the owner to ask for")
    func notTheOwner() async throws {
        try await TestDatabase.with(.nothing) { test in
            try await test.execute("create role \(test.name) login")
            let login = test.url(user: test.name)
            try await RunningJob(["migrate", "--database", login]).end()
                .ends(77, ending: "Connect as the owner of the database.", never: ["--roles"])
            try await RunningJob(["migrate", "--with-reference-app", "--database", test.url])
                .end().ends()
            try await test.execute(
                """
                grant usage on schema reconcile, app to \(test.name);
                grant select on all tables in schema app to \(test.name)
                """)
            let load = try await RunningJob(["simulate", "--customers=1", "--load", login]).end()
                .ends(77, ending: "Connect as the owner of schema app.", never: ["--roles"])
            #expect(load.output.isEmpty)
            try await test.execute("drop owned by \(test.name); drop role \(test.name)")
        }
    }
}

@Suite("A database that is not in UTF-8", .timeLimit(.minutes(10)))
struct EncodingTests {
    @Test(
        "A database in another encoding is used as UTF-8 where PostgreSQL can convert it",
        arguments: [("LATIN1", #"E'Zo\u00EB'"#), ("SQL_ASCII", #"E'Zo\xC3\xAB'"#)])
    func converts(encoding: String, user: String) async throws {
        try await run(on: encoding, user: user) { job, reports in
            job.ends()
            #expect(try Self.findings(reports).contains("Zoë"))
            try PublishedReports(reports).expectToTieOut()
        }
    }

    @Test("Bytes that are not UTF-8 end the run with 65")
    func unsound() async throws {
        try await run(on: "SQL_ASCII", user: #"E'Zo\xEB'"#) { job, _ in
            job.ends(
                65, last: ["invalid byte sequence for encoding \"UTF8\""],
                ending: "createdb --encoding=UTF8.")
        }
    }

    @Test("A character that the database cannot store is replaced, and the anomaly is recorded")
    func unstorableAnswer() async throws {
        let period = AppleAnswer.period("1", of: "pro.\u{65E5}\u{672C}", from: -40, to: -10)
        try await run(on: "LATIN1", answer: AppleAnswer.verified([period])) { job, reports in
            job.ends()
            let findings = try Self.findings(reports)
            for text in ["parse_anomaly", "unknown_product", "pro.??"] {
                #expect(findings.contains(text))
            }
            #expect(!findings.contains("still_granted"))
            try PublishedReports(reports).expectToTieOut()
        }
    }

    private static func findings(_ folder: String) throws -> String {
        try FindingFile.allCases.map { try publishedText("\(folder)/\($0.rawValue).csv") }.joined()
    }

    /// Runs the job on a team's database in `encoding`.
    private func run(
        on encoding: String, user: String = "'zoe'", answer: String = AppleAnswer.verified(),
        _ body: (_ job: JobProcess, _ reports: String) throws -> Void
    ) async throws {
        let name = "test_\(UInt64.random(in: .min ... .max))"
        try await TestDatabase.onServer(
            "create database \(name) encoding '\(encoding)' lc_collate 'C' lc_ctype 'C' "
                + "template template0")
        let server = try TestDatabase.serverURL()
        let place = server.prefix(through: server.lastIndex(of: "/") ?? server.startIndex)
        let folder = try TemporaryFolder()
        let outcome: Result<Void, any Error>
        do {
            let test = TestDatabase(name: name, url: place + name)
            let job = try await run(on: test, user: user, answer: answer, in: folder)
            outcome = .success(try body(job, folder.path + "/reports/latest"))
        } catch {
            outcome = .failure(error)
        }
        try await TestDatabase.onServer("drop database \(name) with (force)")
        try outcome.get()
    }

    private func run(
        on test: TestDatabase, user: String, answer: String, in folder: TemporaryFolder
    ) async throws -> JobProcess {
        let apple = try LoopbackServer { _ in [.reply(answer)] }
        try await RunningJob(["migrate", "--database", test.url]).end().ends()
        // SQL_ASCII does not support ICU collations.
        let tables = TestDatabase.teamTables.replacing(#" collate "en-x-icu""#, with: "")
        let receipt = TestDatabase.receipt("r")
        try await test.execute(
            tables + TestDatabase.teamViews + """
                insert into team.products values ('pro.monthly', 'auto_renewable');
                insert into team.receipts values ('r', \(user), 'acme', '\(receipt)', '2026-11-01');
                insert into team.entitlements (id, who, product, active, source, at) values
                    ('e', \(user), 'pro.monthly', true, 'app_store', '2026-10-01');
                """)
        return try await RunningJob([
            "run", "--allow-writable-role", "--guards=off", "--database=\(test.url)",
            "--reports=\(folder.path)/reports", "--production-url=\(apple.url)",
            "--sandbox-url=\(apple.url)", "--as-of=\(AppleAnswer.asOf)", "--backoff=1ms",
        ]).end()
    }
}
