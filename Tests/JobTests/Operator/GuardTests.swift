import Foundation
import Testing

@testable import TestSupport

@Suite("A held run", .timeLimit(.minutes(10)))
struct GuardTests {
    private static let unmapped = "update team.entitlements set source = 'ios'"
    private static let inCents = "update team.products set price = price * 100"
    private static let shrunk = "delete from team.receipts where id > 'u130'"
    private static let late = "--as-of=2026-12-01T02:00:00Z"

    /// What is done to the team's tables after three plausible runs, the flags of the next run, and
    /// the guards that hold it.
    static let calamities: [(String, [String], [String])] = [
        ("truncate team.receipts, team.entitlements", [], ["empty"]),
        ("truncate team.receipts", [], ["empty", "stale", "leap"]),
        ("update team.receipts set data = to_jsonb(data)::text", [], ["unusable", "leap"]),
        (unmapped, [], ["no_app_store_rows", "not_judged"]), (inCents, [], ["leap"]),
        (shrunk, [], ["shrunk", "leap"]), ("select 1", [late], ["stale"]),
        // An outdated copy, except for one date in the future.
        ("update team.receipts set at = '2099-01-01' where id = 'u100'", [late], ["stale"]),
        ("select 1", ["--shared-secrets=FEW"], ["no_secret"]),
    ]

    @Test(
        "A held run clears nothing, and leaves latest and the ledger unchanged",
        arguments: calamities)
    func held(calamity: String, flags: [String], guards: [String]) async throws {
        try await Self.afterGoodNights { scene, latest in
            let ledger = try await scene.ledger
            try await scene.test.execute(calamity)
            let few = try scene.folder.write("other = x", to: "few")
            let flags = flags.map { $0.replacing("FEW", with: few) }
            let job = try await scene.start(["--guards=on"] + flags).end()
            let run = try #require(try await scene.newest)
            job.ends(
                4, out: ["HELD: "],
                last: [
                    "Run \(run) is held; later runs ignore it: ",
                    "reconcile-job release \(run) --by WHO --why TEXT",
                ])
            let reports = try PublishedReports(scene.reports + "/" + run)
            #expect(reports.summary["status"] as? String == "held")
            let reasons = reports.summary["implausible"] as? [[String: String]] ?? []
            #expect(Set(reasons.compactMap { $0["guard"] }) == Set(guards))
            #expect(reasons.allSatisfy { $0["flag"]?.hasPrefix("--guard-") == true })
            #expect(try reports.column("kind", of: "cleared") == [])
            #expect(try scene.folder.read("reports/\(run)/index.html").contains("This run is held"))
            #expect(try scene.latestRun == latest)
            #expect(try await scene.ledger == ledger)
        }
    }

    @Test("A run is not held when its guard or all guards are turned off, nor when it is a trial")
    func off() async throws {
        try await Self.afterGoodNights { scene, _ in
            try await scene.test.execute(Self.unmapped)
            try await scene.run("--guards=on", "--trial").ends(out: ["IMPLAUSIBLE: "])
            try await scene.run(
                "--guards=on", "--guard-app-store-rows=off", "--guard-not-judged=100%"
            ).ends()
            try await scene.run("--guards=off").ends()
        }
    }

    @Test("A released run counts, and RELEASED.json in its folder says so")
    func released() async throws {
        try await Self.afterGoodNights { scene, latest in
            let run = try await scene.held(by: Self.inCents)
            let manifest = try scene.folder.read("reports/\(run)/manifest.json")
            for _ in 0..<2 {
                try scene.release(run)
                    .ends(last: ["Run \(run) is released: a price list in cents."])
            }
            #expect(try scene.latestRun == run)
            #expect(try scene.folder.read("reports/\(run)/manifest.json") == manifest)
            #expect(
                try scene.folder.read("reports/\(run)/RELEASED.json").contains("\"released_by\""))
            try await scene.run("--guards=on", "--guard-leap=off").ends()
            #expect(try scene.previousRun == run)
            try scene.release(run).ends(64)
            try scene.release(latest).ends(64)
        }
    }

    @Test("The next run replaces a held run, which prune keeps, and which can then not be released")
    func replaced() async throws {
        try await Self.afterGoodNights { scene, latest in
            let held = try await scene.held(by: Self.unmapped)
            try await scene.test.execute("update team.entitlements set source = 'app_store'")
            try await scene.run("--guards=on").ends()
            #expect(try scene.previousRun == latest)
            try scene.release(held).ends(64, last: ["replaced by a later run"])

            let kept = try await scene.held(by: Self.unmapped)
            try scene.prune().ends()
            try scene.release(kept).ends()
        }
    }

    @Test("A dry run says that the run would be held, checks all flags, and writes nothing")
    func dryRun() async throws {
        try await Self.afterGoodNights { scene, _ in
            try await scene.run("--guards=on", "--dry-run").ends()
            let runs = try await scene.newest
            try await scene.test.execute(Self.shrunk)
            try await scene.run("--guards=on", "--dry-run")
                .ends(4, last: ["Dry run: a run would be held. There are 31 receipts"])
            try await scene.test.execute(Self.unmapped)
            try await scene.run("--guards=on", "--dry-run").ends(4)
            try await scene.run("--guards=on", "--dry-run", "--reports=/proc/x").ends(73)
            for flag in ["--metrics-file=/nowhere/a.prom", "--ping-url=nothing"] {
                try await scene.run("--dry-run", flag).ends(78)
            }
            #expect(try await scene.newest == runs)
        }
    }

    @Test("A first run is compared with nothing, but is held when nothing is stored")
    func first() async throws {
        try await StrangerScene.with(.always(AppleAnswer.verified())) { scene in
            try await scene.run("--guards=on").ends(4)
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
            try await test.texts("select l::text from reconcile.ledger as l order by l.finding_id")
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

    fileprivate var previousRun: String? {
        get throws { try PublishedReports(latest).summary["previous_run"] as? String }
    }

    /// The run that is held after `sql`.
    fileprivate func held(by sql: String) async throws -> String {
        try await test.execute(sql)
        try await run("--guards=on").ends(4)
        return try #require(try await newest)
    }

    fileprivate func prune() throws -> JobProcess {
        try JobProcess(["prune", "--database=\(test.url)", "--before=2099-01-01T00:00:00Z"])
    }

    fileprivate func release(_ run: String) throws -> JobProcess {
        try JobProcess([
            "release", run, "--database=\(test.url)", "--reports=\(reports)", "--by=ada",
            "--why=a price list in cents",
        ])
    }
}
