import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A database that is not in UTF-8", .timeLimit(.minutes(10)))
struct EncodingTests {
    @Test("A database in another encoding is used as UTF-8 where PostgreSQL can convert it")
    func latin1() async throws {
        try await with("LATIN1") { test, run in
            try await store(test, user: #"E'Zo\u00EB'"#)
            let job = try await run()
            #expect(job.status == 0, "\(job.error)")
            let reports = try PublishedReports(job.folder)
            try reports.expectToTieOut()
            let findings = try job.findings
            #expect(findings.contains("Zoë"))
        }
    }

    @Test("A SQL_ASCII database is accepted while its bytes are UTF-8")
    func sound() async throws {
        try await with("SQL_ASCII") { test, run in
            try await store(test, user: #"E'Zo\xC3\xAB'"#)
            let job = try await run()
            #expect(job.status == 0, "\(job.error)")
            let findings = try job.findings
            #expect(findings.contains("Zoë"))
        }
    }

    @Test("Bytes that are not UTF-8 end the run with 65")
    func unsound() async throws {
        try await with("SQL_ASCII") { test, run in
            try await store(test, user: "E'Zo\\xEB'")
            let job = try await run()
            #expect(job.status == 65, "\(job.error)")
            #expect(
                job.lastLine.contains("invalid byte sequence for encoding \"UTF8\""),
                "\(job.lastLine)")
            #expect(job.lastLine.hasSuffix("createdb --encoding=UTF8."), "\(job.lastLine)")
        }
    }

    @Test("A character that the database cannot store is replaced, and the anomaly is recorded")
    func unstorableAnswer() async throws {
        let product = "pro.\u{65E5}\u{672C}"
        let answer = AppleAnswer.verified([
            AppleAnswer.period("1", of: product, from: -40, to: -10)
        ])
        try await with("LATIN1", answer: answer) { test, run in
            try await store(test, user: "'zoe'")
            let job = try await run()
            #expect(job.status == 0, "\(job.error)")
            let findings = try job.findings
            #expect(findings.contains("parse_anomaly"))
            #expect(findings.contains("unknown_product") && findings.contains("pro.??"))
            #expect(!findings.contains("still_granted"))
            try PublishedReports(job.folder).expectToTieOut()
        }
    }

    private struct Ended {
        let status: Int32
        let error: String
        let lastLine: String
        let folder: String

        var findings: String {
            get throws {
                try FindingFile.allCases.map {
                    try String(contentsOfFile: "\(folder)/\($0.rawValue).csv", encoding: .utf8)
                }.joined()
            }
        }
    }

    private func store(_ test: TestDatabase, user: String) async throws {
        let receipt = TestDatabase.receipt("r")
        try await test.execute(
            """
            insert into team.products values ('pro.monthly', 'auto_renewable');
            insert into team.receipts values ('r', \(user), 'acme', '\(receipt)', '2026-11-01');
            insert into team.entitlements (id, who, product, active, source, at) values
                ('e', \(user), 'pro.monthly', true, 'app_store', '2026-10-01');
            """)
    }

    /// Runs `body` with a team's database in `encoding` and a run on it.
    private func with(
        _ encoding: String, answer: String = AppleAnswer.verified(),
        _ body: (TestDatabase, () async throws -> Ended) async throws -> Void
    ) async throws {
        let name = "test_\(UInt64.random(in: .min ... .max))"
        try await TestDatabase.onServer(
            "create database \(name) encoding '\(encoding)' lc_collate 'C' lc_ctype 'C' "
                + "template template0")
        let server = try TestDatabase.serverURL()
        let place = server.prefix(through: server.lastIndex(of: "/") ?? server.startIndex)
        let test = TestDatabase(name: name, url: place + name)
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await lend(test, answer, to: body))
        } catch {
            outcome = .failure(error)
        }
        try await TestDatabase.onServer("drop database \(name) with (force)")
        try outcome.get()
    }

    private func lend(
        _ test: TestDatabase, _ answer: String,
        to body: (TestDatabase, () async throws -> Ended) async throws -> Void
    ) async throws {
        let apple = try LoopbackServer { _ in [.reply(answer)] }
        let folder = try TemporaryFolder()
        let migrate = try await RunningJob(["migrate", "--database", test.url]).end()
        #expect(migrate.status == 0, "\(migrate.error)")
        // SQL_ASCII does not support ICU collations.
        let tables = TestDatabase.teamTables.replacing(#" collate "en-x-icu""#, with: "")
        try await test.execute(tables + TestDatabase.teamViews)
        let flags = [
            "run", "--allow-writable-role", "--guards=off", "--database=\(test.url)",
            "--reports=\(folder.path)/reports", "--production-url=\(apple.url)",
            "--sandbox-url=\(apple.url)", "--as-of=\(AppleAnswer.asOf)", "--backoff=1ms",
        ]
        try await body(test) {
            let job = try await RunningJob(flags).end()
            return Ended(
                status: job.status, error: job.error, lastLine: job.lastLine,
                folder: folder.path + "/reports/latest")
        }
    }
}
