import Foundation
import Testing

@testable import AppStoreSimulator
@testable import TestSupport

/// A change to the team's tables, and what the next run makes of it.
struct Calamity: CustomTestStringConvertible, Sendable {
    let sql: String
    /// Of the next run.
    var flag = "--guards=on"
    /// The guards that hold the run, in alphabetical order.
    let held: [String]

    var testDescription: String { sql }
}

/// Each test begins after three runs over seventy customers, of whom every second one has expired
/// and is still granted. To add a case of a guard: a `Calamity`; another case: copy a test.
@Suite("A held run", .hangLimit)
struct GuardTests {
    @Test(
        "A held run changes neither latest nor the ledger until it is released, if a guard is on",
        arguments: [
            Calamity(sql: "truncate team.receipts, team.entitlements", held: ["empty"]),
            Calamity(sql: "truncate team.receipts", held: ["empty", "leap", "stale"]),
            Calamity(
                sql: "update team.receipts set data = to_jsonb(data)::text",
                held: ["leap", "unusable"]),
            Calamity(
                sql: "update team.entitlements set source = 'ios'",
                held: ["no_app_store_rows", "not_judged"]),
            Calamity(sql: "update team.products set price = price * 100", held: ["leap"]),
            Calamity(sql: "delete from team.receipts where id > 'u130'", held: ["leap", "shrunk"]),
            // The date in 2099 is in an outdated copy.
            Calamity(
                sql: "update team.receipts set at = '2099-1-1' where id ~ '100'",
                flag: "--as-of=2026-12-01T02:00:00Z", held: ["stale"]),
            Calamity(
                sql: "update team.receipts set id = id", flag: "--shared-secrets=other",
                held: ["no_secret"]),
        ])
    func held(calamity: Calamity) async throws {
        try await Self.afterThreeRuns { session in
            try session.write("other = x\n", to: "other")
            let latest = session.latestRun()
            let ledger = try await session.ledger()
            try await session.sql(calamity.sql)
            let job = try await session.run("--guards=on", calamity.flag).exits(4)
                .prints("HELD:")
            let run = try await session.runs()[3]
            job.says(
                "Run \(run) is held; later runs ignore it:",
                "reconcile-job release \(run) --by WHO --why TEXT")
            let folder = "reports/\(run)"
            #expect(session.read("\(folder)/index.html").contains("This run is held"))
            #expect(session.latestRun() == latest)
            let ledgerAfterRun = try await session.ledger()
            #expect(ledgerAfterRun == ledger)
            try await session.program("verify", folder).exits()
            let summary = session.report("summary", in: folder)
            #expect(summary["status"] == "held")
            let trips = summary["implausible"]
            #expect(Set(trips.texts("guard")) == Set(calamity.held))
            for flag in trips.texts("flag") {
                #expect(flag?.hasPrefix("--guard-") == true, "\(flag ?? "none")")
            }
            #expect(session.reported("cleared", in: folder) == [])
        }
    }

    @Test("A dry run says that the run would be held, checks all flags, and writes nothing")
    func dryRun() async throws {
        try await Self.afterThreeRuns { session in
            try await session.run("--guards=on", "--dry-run").exits(0)
            try await session.sql("delete from team.receipts where id > 'u130'")
            try await session.run("--guards=on", "--dry-run").exits(4)
                .says("Dry run: a run would be held. There are 31 receipts")
            try await session.sql("update team.entitlements set source = 'ios'")
            try await session.run("--guards=on", "--dry-run").exits(4)
            try await session.run("--guards=on", "--dry-run", "--reports=/proc/x").exits(73)
            try await session.run("--dry-run", "--metrics-file=/nowhere/a.prom").exits(78)
                .says("--metrics-file: cannot write in /nowhere")
            try await session.run("--dry-run", "--ping-url=nothing").exits(78)
            let runs = try await session.runs()
            #expect(runs.count == 3)
        }
    }

    @Test("A run is not held when its guard or all guards are turned off, nor when it is a trial")
    func turnedOff() async throws {
        try await Self.afterThreeRuns { session in
            try await session.sql("update team.entitlements set source = 'ios'")
            try await session.run("--guards=on", "--trial").exits(0).prints("IMPLAUSIBLE:")
            try await session.run(
                "--guards=on", "--guard-app-store-rows=off", "--guard-not-judged=100%"
            ).exits(0)
            try await session.run("--guards=off").exits(0)
        }
    }

    @Test("A run is compared with runs of its --source only")
    func otherSource() async throws {
        try await Self.afterThreeRuns { session in
            let keys = "--api-keys=\(try session.apiKeys())"
            try await session.sql("update team.products set price = price * 100")
            try await session.sql("delete from team.receipts where id > 'u130'")
            try await session.run("--guards=on", keys, "--source=both", "--dry-run").exits(0)
            try await session.run("--guards=on", keys, "--source=both").exits(0)
            // With keys, verifyReceipt alone is asked about receipts as before.
            try await session.run("--guards=on", keys).exits(4)
            let held = try await session.runs()[4]
            let summary = session.report("summary", in: "reports/\(held)")
            #expect(Set(summary["implausible"].texts("guard")) == ["leap", "shrunk"])
        }
    }

    @Test("A secret is missed only where verifyReceipt is asked about the app's receipts")
    func needsNoSecret() async throws {
        try await Self.afterThreeRuns { session in
            try session.write("other = x\n", to: "other")
            let flags = ["--guards=on", "--shared-secrets=other"]
            let keys = "--api-keys=\(try session.apiKeys())"
            try await session.run(flags + [keys, "--source=server-api"]).exits(0)
            try await session.run(flags + [keys, "--source=both"]).exits(4)
            let ofAnother = "--api-keys=\(try session.apiKeys(of: "another"))"
            try await session.run(flags + [ofAnother, "--source=server-api"]).exits(4)
        }
    }

    private func release(_ run: String, in session: Session) async throws -> JobProcess {
        try await session.job(
            "release", run, "--reports=reports", "--by=ada", "--why=a price list in cents")
    }

    @Test("A released run counts, and RELEASED.json in its folder says so")
    func released() async throws {
        try await Self.afterThreeRuns { session in
            try await session.sql("update team.products set price = price * 100")
            try await session.run("--guards=on").exits(4)
            let (third, run) = try await (session.runs()[2], session.runs()[3])
            let manifest = session.read("reports/\(run)/manifest.json")
            for _ in 0..<2 {
                try await release(run, in: session).exits()
                    .says("Run \(run) is released: a price list in cents.")
            }
            #expect(session.read("reports/\(run)/manifest.json") == manifest)
            #expect(session.latestRun() == run)
            let mark = session.report("RELEASED", in: "reports/\(run)")
            #expect(mark["released_by"] == "ada")
            #expect(mark["why"] == "a price list in cents")
            try await session.run("--guards=on", "--guard-leap=off").exits(0)
            #expect(session.report("summary")["previous_run"].text == run)
            try await release(run, in: session).exits(64)
            try await release(third, in: session).exits(64)
        }
    }

    @Test("prune keeps a held run, and the next run replaces it, so that it cannot be released")
    func replaced() async throws {
        try await Self.afterThreeRuns { session in
            let third = session.latestRun()
            let spoil = "update team.entitlements set source = 'ios'"
            try await session.sql(spoil)
            try await session.run("--guards=on").exits(4)
            let held = try await session.runs()[3]
            try await session.sql("update team.entitlements set source = 'app_store'")
            try await session.run("--guards=on").exits(0)
            #expect(session.report("summary")["previous_run"].text == third)
            try await release(held, in: session).exits(64).says("replaced by a later run")
            try await session.sql(spoil)
            try await session.run("--guards=on").exits(4)
            try await session.job("prune", "--before=2099-01-01T00:00:00Z").exits()
            try await release(session.runs()[5], in: session).exits()
        }
    }

    private static func afterThreeRuns(
        _ body: (Session) async throws -> Void
    ) async throws {
        let users = (100..<170).map { "u\($0)" }
        let acts = users.enumerated().reduce(into: [String: LoopbackServer.Act]()) { acts, user in
            let end = user.offset % 2 == 0 ? -20.0 : 20
            let period = AppleAnswer.period("9\(user.offset)", from: end - 30, to: end)
            acts[user.element] = .reply(AppleAnswer.verified([period]))
        }
        try await Session.empty(acts: acts) { session in
            let rows = users.map { user in
                [
                    "id": user, "who": user, "bundle": "acme", "data": TestDatabase.receipt(user),
                    "at": "2026-11-18Z",
                ]
            }
            try await session.test.insert(rows, into: "receipts")
            try await session.sql(
                """
                insert into team.products (id, kind, grp, level, billing, price, currency)
                values ('pro.monthly', 'auto_renewable', 'G', 1, '1 month', 9.99, 'USD');
                insert into team.entitlements (id, who, product, active, expires, source, at)
                select concat('e-', id), who, 'pro.monthly', true, '2026-12-10T02:00Z', 'app_store',
                    '2026-10-01Z' from team.receipts
                """)
            for _ in 0..<3 { try await session.run("--guards=on").exits() }
            try await body(session)
        }
    }
}
