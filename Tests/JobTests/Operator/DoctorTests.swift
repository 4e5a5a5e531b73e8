import Foundation
import Testing

@testable import TestSupport

/// A set-up that is broken in one way, and the line of `doctor` about it.
struct BrokenSetUp: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var sql = ""
    var flags: [String] = []
    /// Replaces the server's default answer.
    var answer: String?
    let line: String
    var isProblem = true
}

@Suite("The command doctor", .timeLimit(.minutes(10)))
struct DoctorTests {
    private static let dropReceipts = "drop view reconcile.stored_receipts; "

    private static func receipts(_ data: String = "data", at: String = "at") -> String {
        dropReceipts
            + """
            create view reconcile.stored_receipts as
            select id as receipt_id, who as user_id, bundle as bundle_id,
                \(data) as receipt_data, \(at) as stored_at from team.receipts
            """
    }

    static let broken: [BrokenSetUp] = [
        BrokenSetUp(
            testDescription: "the schema is not migrated",
            sql: "delete from reconcile.migration", line: "problem schema"),
        BrokenSetUp(
            testDescription: "a view is missing", sql: dropReceipts,
            line: "problem views The view reconcile.stored_receipts is missing. Create it"),
        BrokenSetUp(
            testDescription: "a column is bytea", sql: receipts("data::bytea"),
            line: "problem views reconcile.stored_receipts.receipt_data is bytea, not text"),
        BrokenSetUp(
            testDescription: "a column is jsonb", sql: receipts("to_jsonb(data)"),
            line: "write receipt_data ->> 'the member that holds it'"),
        BrokenSetUp(
            testDescription: "jsonb is read with its quotes", sql: receipts("to_jsonb(data)::text"),
            line: "They are in quotation marks: of a jsonb column"),
        BrokenSetUp(
            testDescription: "signed transactions are stored",
            sql: "update team.receipts set data = 'eyJh.eyJi.c2ln'",
            line: "verifyReceipt does not accept signed transactions of StoreKit 2."),
        BrokenSetUp(
            testDescription: "there is no receipt", sql: "truncate team.receipts",
            line: "problem receipts the view reconcile.stored_receipts shows no row."),
        BrokenSetUp(
            testDescription: "there is no row", sql: "truncate team.entitlements",
            line: "problem entitlements the view reconcile.stored_entitlements shows no row."),
        BrokenSetUp(
            testDescription: "dates are in seconds for milliseconds",
            sql: receipts(at: "to_timestamp(extract(epoch from at) / 1000)"),
            line: "have a stored_at before the App Store existed"),
        BrokenSetUp(
            testDescription: "source is not mapped",
            sql: "update team.entitlements set source = 'ios'",
            line: "problem sources no row has source 'app_store'"),
        BrokenSetUp(
            testDescription: "the rows of the views are old",
            sql: "update team.receipts set at = '2024-01-01'",
            line: "problem guards A run would be held. The newest receipt or row is of 2026-10-01"),
        BrokenSetUp(
            testDescription: "products are not in the catalogue",
            sql: "update team.entitlements set product = 'old.monthly'",
            line: "have a product that is not in reconcile.catalog_products"),
        BrokenSetUp(
            testDescription: "users differ between the views",
            sql: "update team.entitlements set who = 'x-' || who",
            line: "Is user_id the same in both views?"),
        BrokenSetUp(
            testDescription: "prices are in cents", sql: "update team.products set price = 999",
            line: "they look like cents", isProblem: false),
        BrokenSetUp(
            testDescription: "the role may write the team's tables",
            sql: "grant update on team.entitlements to CURRENT",
            line: "problem read-only role"),
        BrokenSetUp(
            testDescription: "the role may not write the job's tables",
            sql: "revoke insert on reconcile.run from reconcile_job",
            line: "problem rights The database refuses access: no privilege to insert into"),
        BrokenSetUp(
            testDescription: "the file of secrets is missing",
            flags: ["--shared-secrets=/nowhere/secrets"], line: "problem files --shared-secrets"),
        BrokenSetUp(
            testDescription: "an app has no secret", flags: ["--shared-secrets=OTHER"],
            line: "problem shared secrets 1 receipts of \"acme\" have none"),
        BrokenSetUp(
            testDescription: "the reports cannot be written", flags: ["--reports=/proc/reports"],
            line: "problem reports Cannot write reports at /proc/reports"),
        BrokenSetUp(
            testDescription: "a server is not there", flags: ["--sandbox-url=http://127.0.0.1:1"],
            line: "problem sandbox No connection was made"),
        BrokenSetUp(
            testDescription: "a server's certificate is not trusted",
            flags: ["--production-url=TLS"],
            line: "problem production The server's certificate is not trusted"),
        BrokenSetUp(
            testDescription: "the clocks are a day apart",
            answer: "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
                + "Content-Length: 16\r\n\r\n{\"status\":21000}",
            line: "problem production clock 1994-11-06T08:49:37Z, but this machine's clock says"),
        BrokenSetUp(
            testDescription: "a secret is wrong", flags: ["--live"],
            answer: "HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n{\"status\":21004}",
            line: "problem secret Apple refuses the shared secret of \"acme\" (21004)."),
        BrokenSetUp(
            testDescription: "the database is not there",
            flags: ["--database=host=127.0.0.1 port=1"], line: "problem database Cannot reach"),
    ]

    @Test("doctor names everything that is broken", arguments: broken)
    func names(setUp: BrokenSetUp) async throws {
        try await Self.healthy(setUp.answer) { scene in
            let sql = setUp.sql.replacing("CURRENT", with: scene.test.name)
            if !sql.isEmpty {
                try await scene.test.execute(
                    sql + "; grant select on all tables in schema reconcile"
                        + " to reconcile_job")
            }
            let tls =
                try setUp.flags.contains { $0.hasSuffix("=TLS") }
                ? TLSLoopbackServer(try TLSCertificate()) : nil
            let flags = try setUp.flags.map { flag in
                flag.replacing("OTHER", with: try scene.folder.write("other = x", to: "other"))
                    .replacing("=TLS", with: "=https://localhost:\(tls?.port ?? 0)/")
            }
            let job = try await scene.doctor(flags)
            #expect(job.status == (setUp.isProblem ? 1 : 0), "\(job.error)\(job.output)")
            let lines = job.output.split(separator: "\n").map { line in
                line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
            }
            #expect(lines.contains { $0.contains(setUp.line) }, "\(job.output)")
            #expect(!job.output.contains(StrangerScene.secret))
        }
    }

    @Test("doctor --quiet prints nothing on success, and the last line otherwise")
    func quiet() async throws {
        try await Self.healthy(nil) { scene in
            // A catalogue without prices gives no estimates, and is valid.
            try await scene.test.execute("update team.products set price = null, currency = null")
            let good = try await scene.doctor(["--quiet"])
            #expect(good.status == 0, "\(good.output)\(good.error)")
            #expect(good.output.isEmpty && good.error.isEmpty, "\(good.output)\(good.error)")
            let bad = try await scene.doctor(["--quiet", "--reports=/proc/reports"])
            #expect(bad.status == 1)
            #expect(bad.output.isEmpty)
            #expect(bad.error == bad.lastLine + "\n")
        }
    }

    @Test("doctor lists all problems of the views, and does not recommend doctor itself")
    func manyProblems() async throws {
        try await Self.healthy(nil) { scene in
            try await scene.test.execute(
                """
                drop view reconcile.stored_receipts, reconcile.stored_entitlements,
                    reconcile.catalog_products, reconcile.catalog_apps,
                    reconcile.stored_download_keys
                """)
            let job = try await scene.doctor([])
            #expect(job.status == 1)
            #expect(
                job.output.split(separator: "\n").filter { $0.contains("is missing") }.count == 3)
            #expect(!job.output.contains("doctor names them"), "\(job.output)")
        }
    }

    @Test("doctor finds no problem in a working set-up, and writes nothing")
    func healthy() async throws {
        try await Self.healthy(nil) { scene in
            let job = try await scene.doctor(["--live"])
            #expect(job.status == 0, "\(job.output)\(job.error)")
            #expect(!job.output.contains("problem"), "\(job.output)")
            #expect(job.lastLine.hasSuffix("A run can start."))
            let json = try await scene.doctor(["--output=json"])
            let lines = try #require(
                try JSONSerialization.jsonObject(with: Data(json.output.utf8))
                    as? [[String: String]])
            #expect(lines.contains { $0["check"] == "server" && $0["verdict"] == "ok" })
            #expect(lines.allSatisfy { $0.keys.sorted() == ["check", "detail", "verdict"] })
            #expect(try await scene.test.texts("select run_id from reconcile.run") == [])
            #expect(scene.published == [])
        }
    }

    private static func healthy(
        _ answer: String?, _ body: (StrangerScene) async throws -> Void
    ) async throws {
        let usual = AppleAnswer.status(21002)
        let answers = StrangerScene.Answers { _ in
            answer.map { .send(Array($0.utf8)) } ?? .reply(usual)
        }
        try await StrangerScene.with(answers) { scene in
            try await scene.insert(
                [["pro.monthly", "auto_renewable", "G", "1", nil, "1 month", "9.99", "USD"]],
                into: "products")
            // The rows must be recent whenever the test runs.
            let yesterday = Date(timeIntervalSinceNow: -86_400).ISO8601Format()
            try await scene.test.store(
                receipt: "r1", of: "ann", at: yesterday)
            try await scene.test.store(
                entitlement: "e1", of: "ann", expires: "2036-12-10T02:00:00Z")
            try await body(scene)
        }
    }
}

extension StrangerScene {
    fileprivate func doctor(_ flags: [String]) async throws -> JobProcess {
        let secrets = try folder.write("* = \(Self.secret)\n", to: "secrets")
        let defaults = [
            "--database=\(database)", "--reports=\(reports)", "--shared-secrets=\(secrets)",
            "--production-url=\(apple.url)", "--sandbox-url=\(apple.url)",
        ]
        let names = flags.map { $0.prefix { $0 != "=" } }
        let kept = defaults.filter { !names.contains($0.prefix { $0 != "=" }) }
        return try await RunningJob(
            ["doctor"] + kept + flags, environment: ["PGPASSWORD": Self.password]
        ).end()
    }
}
