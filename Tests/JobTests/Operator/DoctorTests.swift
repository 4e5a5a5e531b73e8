import Foundation
import Testing

@testable import TestSupport

/// A set-up that is broken in one way, and the line of `doctor` about it.
struct BrokenSetUp: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let line: String
    var sql = ""
    var flags: [String] = []
    /// Replaces the server's default answer.
    var answer: String?
    var isProblem = true

    init(
        _ name: String, _ line: String, sql: String = "", flags: [String] = [],
        answer: String? = nil, isProblem: Bool = true
    ) {
        (testDescription, self.line, self.sql, self.flags) = (name, line, sql, flags)
        (self.answer, self.isProblem) = (answer, isProblem)
    }

    private static let dropReceipts = "drop view reconcile.stored_receipts; "

    private static func receipts(_ data: String = "data", at: String = "at") -> String {
        dropReceipts
            + """
            create view reconcile.stored_receipts as
            select id as receipt_id, who as user_id, bundle as bundle_id,
                \(data) as receipt_data, \(at) as stored_at from team.receipts
            """
    }

    static let all = [
        BrokenSetUp(
            "the schema is not migrated", "problem schema", sql: "delete from reconcile.migration"),
        BrokenSetUp(
            "a view is missing",
            "problem views The view reconcile.stored_receipts is missing. Create it",
            sql: dropReceipts),
        BrokenSetUp(
            "a column is bytea",
            "problem views reconcile.stored_receipts.receipt_data is bytea, not text",
            sql: receipts("data::bytea")),
        BrokenSetUp(
            "a column is jsonb", "write receipt_data ->> 'the member that holds it'",
            sql: receipts("to_jsonb(data)")),
        BrokenSetUp(
            "jsonb is read with its quotes", "They are in quotation marks: of a jsonb column",
            sql: receipts("to_jsonb(data)::text")),
        BrokenSetUp(
            "signed transactions are stored",
            "verifyReceipt does not accept signed transactions of StoreKit 2.",
            sql: "update team.receipts set data = 'eyJh.eyJi.c2ln'"),
        BrokenSetUp(
            "there is no receipt",
            "problem receipts the view reconcile.stored_receipts shows no row.",
            sql: "truncate team.receipts"),
        BrokenSetUp(
            "there is no row",
            "problem entitlements the view reconcile.stored_entitlements shows no row.",
            sql: "truncate team.entitlements"),
        BrokenSetUp(
            "dates are in seconds for milliseconds",
            "have a stored_at before the App Store existed",
            sql: receipts(at: "to_timestamp(extract(epoch from at) / 1000)")),
        BrokenSetUp(
            "source is not mapped", "problem sources no row has source 'app_store'",
            sql: "update team.entitlements set source = 'ios'"),
        BrokenSetUp(
            "the rows of the views are old",
            "problem guards A run would be held. The newest receipt or row is of 2026-10-01",
            sql: "update team.receipts set at = '2024-01-01'"),
        BrokenSetUp(
            "products are not in the catalogue",
            "have a product that is not in reconcile.catalog_products",
            sql: "update team.entitlements set product = 'old.monthly'"),
        BrokenSetUp(
            "users differ between the views", "Is user_id the same in both views?",
            sql: "update team.entitlements set who = 'x-' || who"),
        BrokenSetUp(
            "prices are in cents", "they look like cents",
            sql: "update team.products set price = 999", isProblem: false),
        BrokenSetUp(
            "the role may write the team's tables", "problem read-only role",
            sql: "grant update on team.entitlements to CURRENT"),
        BrokenSetUp(
            "the role may not write the job's tables",
            "problem rights The database refuses access: no privilege to insert into",
            sql: "revoke insert on reconcile.run from reconcile_job"),
        BrokenSetUp(
            "the file of secrets is missing", "problem files --shared-secrets",
            flags: ["--shared-secrets=/nowhere/secrets"]),
        BrokenSetUp(
            "an app has no secret", "problem shared secrets 1 receipts of \"acme\" have none",
            flags: ["--shared-secrets=OTHER"]),
        BrokenSetUp(
            "the reports cannot be written",
            "problem reports Cannot write reports at /proc/reports",
            flags: ["--reports=/proc/reports"]),
        BrokenSetUp(
            "a server is not there", "problem sandbox No connection was made",
            flags: ["--sandbox-url=http://127.0.0.1:1"]),
        BrokenSetUp(
            "a server's certificate is not trusted",
            "problem production The server's certificate is not trusted",
            flags: ["--production-url=TLS"]),
        BrokenSetUp(
            "the clocks are a day apart",
            "problem production clock 1994-11-06T08:49:37Z, but this machine's clock says",
            answer: "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
                + "Content-Length: 16\r\n\r\n{\"status\":21000}"),
        BrokenSetUp(
            "a secret is wrong",
            "problem secret Apple refuses the shared secret of \"acme\" (21004).",
            flags: ["--live"],
            answer: "HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n{\"status\":21004}"),
        BrokenSetUp(
            "the database is not there", "problem database Cannot reach",
            flags: ["--database=host=127.0.0.1 port=1"]),
    ]
}

@Suite("The command doctor", .timeLimit(.minutes(10)))
struct DoctorTests {
    @Test("doctor names everything that is broken", arguments: BrokenSetUp.all)
    func names(setUp: BrokenSetUp) async throws {
        try await Self.healthy(setUp.answer) { scene in
            let sql = setUp.sql.replacing("CURRENT", with: scene.test.name)
            if !sql.isEmpty {
                try await scene.test.execute(
                    sql + "; grant select on all tables in schema reconcile to reconcile_job")
            }
            let tls =
                try setUp.flags.contains { $0.hasSuffix("=TLS") }
                ? TLSLoopbackServer(try TLSCertificate()) : nil
            let flags = try setUp.flags.map { flag in
                flag.replacing("OTHER", with: try scene.folder.write("other = x", to: "other"))
                    .replacing("=TLS", with: "=https://localhost:\(tls?.port ?? 0)/")
            }
            let job = try await scene.doctor(flags)
                .ends(setUp.isProblem ? 1 : 0, never: [StrangerScene.secret])
            let lines = job.output.split(separator: "\n").map { line in
                line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
            }
            #expect(lines.contains { $0.contains(setUp.line) }, "\(job.output)")
        }
    }

    @Test("doctor --quiet prints nothing on success, and the last line otherwise")
    func quiet() async throws {
        try await Self.healthy { scene in
            // A catalogue without prices gives no estimates, and is valid.
            try await scene.test.execute("update team.products set price = null, currency = null")
            let good = try await scene.doctor(["--quiet"]).ends()
            #expect(good.output.isEmpty && good.error.isEmpty, "\(good.output)\(good.error)")
            let bad = try await scene.doctor(["--quiet", "--reports=/proc/reports"]).ends(1)
            #expect(bad.output.isEmpty)
            #expect(bad.error == bad.lastLine + "\n")
        }
    }

    @Test("doctor lists all problems of the views, and does not recommend doctor itself")
    func manyProblems() async throws {
        try await Self.healthy { scene in
            try await scene.test.execute(
                """
                drop view reconcile.stored_receipts, reconcile.stored_entitlements,
                    reconcile.catalog_products, reconcile.catalog_apps,
                    reconcile.stored_download_keys
                """)
            let job = try await scene.doctor([]).ends(1, never: ["doctor names them"])
            let missing = job.output.split(separator: "\n").filter { $0.contains("is missing") }
            #expect(missing.count == 3)
        }
    }

    @Test("doctor finds no problem in a working set-up, and writes nothing")
    func healthy() async throws {
        try await Self.healthy { scene in
            let job = try await scene.doctor(["--live"]).ends(ending: "A run can start.")
            #expect(!job.output.contains("problem"), "\(job.output)")
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
        _ answer: String? = nil, _ body: (StrangerScene) async throws -> Void
    ) async throws {
        let act = answer.map { .send($0) } ?? LoopbackServer.Act.reply(AppleAnswer.status(21002))
        try await StrangerScene.with(.init { _ in act }) { scene in
            try await scene.insert(
                [["pro.monthly", "auto_renewable", "G", "1", nil, "1 month", "9.99", "USD"]],
                into: "products")
            // The rows must be recent whenever the test runs.
            let yesterday = Date(timeIntervalSinceNow: -86_400).ISO8601Format()
            try await scene.test.store(receipt: "r1", of: "ann", at: yesterday)
            try await scene.test.store(entitlement: "e1", of: "ann", expires: "2036-12-10")
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
