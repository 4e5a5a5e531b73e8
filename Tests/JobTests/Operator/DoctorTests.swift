import Foundation
import Testing

@testable import TestSupport

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

    /// What is done to a working set-up, in SQL or by a flag, and the line of `doctor` about it.
    static let broken: KeyValuePairs = [
        "delete from reconcile.migration": "problem schema",
        dropReceipts:
            "problem views The view reconcile.stored_receipts is missing. Create it",
        receipts("data::bytea"):
            "problem views reconcile.stored_receipts.receipt_data is bytea, not text",
        receipts("to_jsonb(data)"): "write receipt_data ->> 'the member that holds it'",
        receipts("to_jsonb(data)::text"): "They are in quotation marks: of a jsonb column",
        receipts(at: "to_timestamp(extract(epoch from at) / 1000)"):
            "have a stored_at before the App Store existed",
        "update team.receipts set data = 'eyJh.eyJi.c2ln'":
            "verifyReceipt does not accept signed transactions of StoreKit 2.",
        "truncate team.receipts":
            "problem receipts the view reconcile.stored_receipts shows no row.",
        "truncate team.entitlements":
            "problem entitlements the view reconcile.stored_entitlements shows no row.",
        "update team.entitlements set source = 'ios'":
            "problem sources no row has source 'app_store'",
        "update team.receipts set at = '2024-01-01'":
            "problem guards A run would be held. The newest receipt or row is of 2026-10-01",
        "update team.entitlements set product = 'old.monthly'":
            "have a product that is not in reconcile.catalog_products",
        "update team.entitlements set who = 'x-' || who": "Is user_id the same in both views?",
        "grant update on team.entitlements to CURRENT": "problem read-only role",
        "revoke insert on reconcile.run from reconcile_job":
            "problem rights The database refuses access: no privilege to insert into",
        "--shared-secrets=/nowhere/secrets": "problem files --shared-secrets",
        "--shared-secrets=OTHER": "problem shared secrets 1 receipts of \"acme\" have none",
        "--reports=/proc/reports": "problem reports Cannot write reports at /proc/reports",
        "--sandbox-url=http://127.0.0.1:1": "problem sandbox No connection was made",
        "--production-url=TLS": "problem production The server's certificate is not trusted",
        "--database=host=127.0.0.1 port=1": "problem database Cannot reach",
    ]

    @Test(
        "doctor names everything that is broken",
        arguments: broken.map { ($0.key, $0.value) })
    func names(change: String, line: String) async throws {
        try await Self.healthy { scene in
            let tls =
                change.hasSuffix("=TLS") ? try TLSLoopbackServer(try TLSCertificate()) : nil
            let change = change.replacing("CURRENT", with: scene.test.name)
                .replacing("OTHER", with: try scene.folder.write("other = x", to: "other"))
                .replacing("=TLS", with: "=https://localhost:\(tls?.port ?? 0)/")
            let isFlag = change.hasPrefix("--")
            if !isFlag {
                try await scene.test.execute(
                    change + "; grant select on all tables in schema reconcile to reconcile_job")
            }
            try await scene.doctor(isFlag ? [change] : []).names(line)
        }
    }

    @Test(
        "doctor names a clock that is a day off, and a secret that Apple refuses",
        arguments: [
            (
                21000, "Date: Sun, 06 Nov 1994 08:49:37 GMT",
                "problem production clock 1994-11-06T08:49:37Z, but this machine's clock says"
            ),
            (
                21004, "X: y",
                "problem secret Apple refuses the shared secret of \"acme\" (21004)."
            ),
        ])
    func answers(status: Int, header: String, line: String) async throws {
        let answer = LoopbackServer.Act.reply(headers: [header], AppleAnswer.status(status))
        try await Self.healthy(answer) { scene in
            try await scene.doctor(status == 21004 ? ["--live"] : []).names(line)
        }
    }

    @Test("doctor warns of prices that look like cents, without calling it a problem")
    func cents() async throws {
        try await Self.healthy { scene in
            try await scene.test.execute("update team.products set price = 999")
            try await scene.doctor([]).names("they look like cents", status: 0)
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
        _ answer: LoopbackServer.Act = .reply(AppleAnswer.status(21002)),
        _ body: (StrangerScene) async throws -> Void
    ) async throws {
        try await StrangerScene.with(.init { _ in answer }) { scene in
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

extension JobProcess {
    /// Expects a line with this text, apart from the columns of the output.
    fileprivate func names(_ line: String, status: Int32 = 1) {
        ends(status, never: [StrangerScene.secret])
        let lines = output.split(separator: "\n").map { line in
            line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        }
        #expect(lines.contains { $0.contains(line) }, "\(output)")
    }
}
