import Foundation
import Testing

@testable import TestSupport

struct Calamity: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Applied to the team's tables after three plausible runs.
    let sql: String
    /// The guards that hold the run.
    let guards: [String]
    var flags: [String] = []
}

@Suite("A held run", .timeLimit(.minutes(10)))
struct GuardTests {
    static let calamities = [
        Calamity(
            testDescription: "both views empty",
            sql: "truncate team.receipts, team.entitlements", guards: ["empty"]),
        Calamity(
            testDescription: "only the receipts view empty", sql: "truncate team.receipts",
            guards: ["empty", "stale", "leap"]),
        Calamity(
            testDescription: "jsonb read with its quotes",
            sql: "update team.receipts set data = to_jsonb(data)::text",
            guards: ["unusable", "leap"]),
        Calamity(
            testDescription: "source not mapped",
            sql: "update team.entitlements set source = 'ios'",
            guards: ["no_app_store_rows", "not_judged"]),
        Calamity(
            testDescription: "prices in cents", sql: "update team.products set price = price * 100",
            guards: ["leap"]),
        Calamity(
            testDescription: "less than half of the receipts",
            sql: "delete from team.receipts where id > 'u130'", guards: ["shrunk", "leap"]),
        Calamity(
            testDescription: "an outdated copy", sql: "select 1", guards: ["stale"],
            flags: ["--as-of=2026-12-01T02:00:00Z"]),
        Calamity(
            testDescription: "an outdated copy, except for one date in the future",
            sql: "update team.receipts set at = '2099-01-01' where id = 'u100'",
            guards: ["stale"], flags: ["--as-of=2026-12-01T02:00:00Z"]),
        Calamity(
            testDescription: "an app without a secret", sql: "select 1", guards: ["no_secret"],
            flags: ["--shared-secrets=/dev/null/none"]),
    ]

    @Test(
        "A held run clears nothing, and leaves latest and the ledger unchanged",
        arguments: calamities)
    func held(calamity: Calamity) async throws {
        try await Self.afterGoodNights { scene, latest in
            let ledger = try await scene.ledger
            try await scene.test.execute(calamity.sql)
            var flags = calamity.flags
            if flags.first?.hasPrefix("--shared-secrets") == true {
                flags = ["--shared-secrets=\(try scene.folder.write("other = x", to: "few"))"]
            }
            let job = try await scene.start(["--guards=on"] + flags).end()
            #expect(job.status == 4, "\(job.error)")
            let run = try #require(try await scene.newest)
            #expect(job.lastLine.contains("Run \(run) is held; later runs ignore it: "))
            #expect(job.lastLine.contains("reconcile-job release \(run) --by WHO --why TEXT"))
            let reports = try PublishedReports(scene.reports + "/" + run)
            #expect(reports.summary["status"] as? String == "held")
            let reasons = reports.summary["implausible"] as? [[String: String]] ?? []
            #expect(Set(reasons.compactMap { $0["guard"] }) == Set(calamity.guards))
            #expect(reasons.allSatisfy { $0["flag"]?.hasPrefix("--guard-") == true })
            #expect(try reports.column("kind", of: "cleared") == [])
            let page = try String(
                contentsOfFile: "\(scene.reports)/\(run)/index.html", encoding: .utf8)
            #expect(page.contains("This run is held"))
            #expect(job.output.contains("HELD: "))
            #expect(try scene.latestRun == latest)
            #expect(try await scene.ledger == ledger)
        }
    }

    @Test("A run is not held when its guard or all guards are turned off")
    func off() async throws {
        try await Self.afterGoodNights { scene, _ in
            try await scene.test.execute("update team.entitlements set source = 'ios'")
            let job = try await scene.run(
                "--guards=on", "--guard-app-store-rows=off", "--guard-not-judged=100%")
            #expect(job.status == 0, "\(job.error)")
            #expect(try await scene.run("--guards=off").status == 0)
        }
    }

    @Test("A released run counts, and RELEASED.json in its folder says so")
    func released() async throws {
        try await Self.afterGoodNights { scene, latest in
            try await scene.test.execute("update team.products set price = price * 100")
            #expect(try await scene.run("--guards=on").status == 4)
            let run = try #require(try await scene.newest)
            let manifest = try scene.folder.read("reports/\(run)/manifest.json")
            for _ in 0..<2 {
                let job = try scene.release(run)
                #expect(job.status == 0, "\(job.error)")
                #expect(job.lastLine.contains("Run \(run) is released: a price list in cents."))
            }
            #expect(try scene.latestRun == run)
            #expect(try scene.folder.read("reports/\(run)/manifest.json") == manifest)
            #expect(
                try scene.folder.read("reports/\(run)/RELEASED.json").contains("\"released_by\""))
            let next = try await scene.run("--guards=on", "--guard-leap=off")
            #expect(next.status == 0, "\(next.error)")
            let reports = try PublishedReports(scene.latest)
            #expect(reports.summary["previous_run"] as? String == run)
            #expect(try scene.release(run).status == 64)
            #expect(try scene.release(latest).status == 64)
        }
    }

    @Test("The next run replaces a held run, which can then no longer be released")
    func replaced() async throws {
        try await Self.afterGoodNights { scene, latest in
            try await scene.test.execute("update team.entitlements set source = 'ios'")
            #expect(try await scene.run("--guards=on").status == 4)
            let held = try #require(try await scene.newest)
            try await scene.test.execute("update team.entitlements set source = 'app_store'")
            #expect(try await scene.run("--guards=on").status == 0)
            #expect(try PublishedReports(scene.latest).summary["previous_run"] as? String == latest)
            let job = try scene.release(held)
            #expect(job.status == 64)
            #expect(job.lastLine.contains("replaced by a later run"))
        }
    }

    @Test("A dry run says that the run would be held, and writes nothing")
    func dryRun() async throws {
        try await Self.afterGoodNights { scene, _ in
            let good = try await scene.run("--guards=on", "--dry-run")
            #expect(good.status == 0, "\(good.error)")
            let runs = try await scene.newest
            try await scene.test.execute("delete from team.receipts where id > 'u130'")
            let short = try await scene.run("--guards=on", "--dry-run")
            #expect(short.status == 4)
            #expect(
                short.lastLine.contains("Dry run: a run would be held. There are 31 receipts"))
            try await scene.test.execute("update team.entitlements set source = 'ios'")
            #expect(try await scene.run("--guards=on", "--dry-run").status == 4)
            #expect(
                try await scene.run("--guards=on", "--dry-run", "--reports=/proc/x").status == 73)
            #expect(try await scene.newest == runs)
        }
    }

    @Test("A trial run reports an implausible result, and is never held")
    func trial() async throws {
        try await Self.afterGoodNights { scene, _ in
            try await scene.test.execute("update team.entitlements set source = 'ios'")
            let job = try await scene.run("--guards=on", "--trial")
            #expect(job.status == 0, "\(job.error)")
            #expect(job.output.contains("IMPLAUSIBLE: "))
        }
    }

    @Test("prune keeps a held run that can be released, and a dry run checks the monitor's flags")
    func keptAndForetold() async throws {
        try await Self.afterGoodNights { scene, _ in
            try await scene.test.execute("update team.entitlements set source = 'ios'")
            #expect(try await scene.run("--guards=on").status == 4)
            let run = try #require(try await scene.newest)
            let prune = try JobProcess([
                "prune", "--database=\(scene.test.url)", "--before=2099-01-01T00:00:00Z",
            ])
            #expect(prune.status == 0, "\(prune.error)")
            #expect(try scene.release(run).status == 0)
            for flag in ["--metrics-file=/nowhere/a.prom", "--ping-url=nothing"] {
                #expect(try await scene.run("--dry-run", flag).status == 78)
            }
        }
    }

    @Test("A first run is compared with nothing, but is held when nothing is stored")
    func first() async throws {
        try await StrangerScene.with(.always(AppleAnswer.verified())) { scene in
            let job = try await scene.run("--guards=on")
            #expect(job.status == 4, "\(job.error)")
            #expect(try await scene.ledger == [])
            #expect(throws: (any Error).self) { try scene.latestRun }
        }
    }

    /// Three runs over seventy customers, of whom every second one has expired and is still
    /// granted.
    private static func afterGoodNights(
        _ body: (StrangerScene, _ latest: String) async throws -> Void
    ) async throws {
        let users = (100..<170).map { "u\($0)" }
        let bodies = Dictionary(
            uniqueKeysWithValues: users.enumerated().map { place, user in
                let (from, to) = place % 2 == 0 ? (-50.0, -20.0) : (-10, 20)
                let period = AppleAnswer.period("9\(place)", from: from, to: to)
                return (TestDatabase.receipt(user), AppleAnswer.verified([period]))
            })
        let answers = StrangerScene.Answers { .reply(bodies[$0] ?? AppleAnswer.status(21003)) }
        try await StrangerScene.with(answers) { scene in
            try await scene.insert(
                [["pro.monthly", "auto_renewable", "G", "1", nil, "1 month", "9.99", "USD"]],
                into: "products")
            for user in users {
                try await scene.test.store(
                    receipt: user, of: user, at: "2026-11-18T00:00:00Z")
                try await scene.test.store(
                    entitlement: "e-\(user)", of: user, expires: "2026-12-10T02:00:00Z")
            }
            for _ in 0..<3 {
                let job = try await scene.run("--guards=on")
                try #require(job.status == 0, "\(job.error)")
            }
            try await body(scene, try scene.latestRun)
        }
    }
}

extension StrangerScene {
    fileprivate var ledger: [String?] {
        get async throws {
            try await test.texts(
                "select l::text from reconcile.ledger as l order by l.finding_id")
        }
    }

    fileprivate var newest: String? {
        get async throws {
            try await test.texts(
                "select run_id from reconcile.run order by run_no desc limit 1"
            ).first ?? nil
        }
    }

    fileprivate var latestRun: String {
        get throws { try FileManager.default.destinationOfSymbolicLink(atPath: latest) }
    }

    fileprivate func release(_ run: String) throws -> JobProcess {
        try JobProcess(
            [
                "release", run, "--database=\(test.url)", "--reports=\(reports)", "--by=ada",
                "--why=a price list in cents",
            ])
    }
}
