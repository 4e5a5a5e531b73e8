import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// Runs the built program with `--offline`, and counts requests to a scripted Apple.
@Suite("An offline nightly run", .timeLimit(.minutes(10)))
struct OfflineNightTests {
    @Test("Offline findings rest on signatures alone, and every report and row says so")
    func whole() async throws {
        try await OfflineScene.with { scene in
            // Neither the secrets file nor the server is needed, so neither is read.
            let process = try await scene.run(
                "--offline", "--shared-secrets=/nowhere", "--production-url=http://example.com/")
            #expect(process.status == 0, "\(process.error)")
            #expect(scene.apple.asks.isEmpty)
            let reports = try PublishedReports(scene.latest)
            #expect(
                try reports.kinds() == [
                    "expirations": [], "refunds": ["refund_recorded flo"],
                    "mismatches": ["active_not_granted bob", "grant_without_receipt eve"],
                    "receipts": ["receipt_not_authentic cyd", "receipt_is_jws dan"],
                    "cleared": [],
                ])
            try reports.expectToTieOut()
            #expect(
                reports.control("receipts") == [
                    "in_scope": 7, "verified": 4, "rejected": 1, "unusable": 1, "unverified": 1,
                ])
            #expect(
                reports.control("entitlements") == [
                    "in_scope": 8, "consistent": 1, "with_finding": 2, "settling": 0,
                    "unverified": 5, "not_judged": 0,
                ])
            #expect(reports.summary["oldest_verified_at"] is NSNull)
            for file in ["refunds", "mismatches", "receipts", "unverified"] {
                for line in try scene.lines("\(file).json") {
                    #expect(line.contains("judged offline"), "\(line)")
                }
            }
            for file in ["summary", "manifest"] {
                #expect(try scene.read("\(file).json").contains("\"offline\": true"))
            }
            #expect(try scene.read("index.html").contains("<p class=\"notice\">Judged offline"))
            #expect(process.output.contains("OFFLINE: Judged offline"))
            #expect(process.error.contains("This run is judged offline"))
            #expect(process.lastLine.contains(", judged offline, is complete, with 5 findings."))
        }
    }

    @Test("An offline run clears no finding of an online run, and the next online run has it again")
    func between() async throws {
        try await OfflineScene.with { scene in
            let nights = [[], ["--offline"], []].enumerated()
            for (number, flags) in nights {
                let process = try await scene.start(
                    ["--as-of=2026-11-2\(number)T02:00:00Z"] + flags
                ).end()
                #expect(process.status == 0, "\(process.error)")
                let reports = try PublishedReports(scene.latest)
                let isOffline = reports.summary["offline"] as? Bool
                #expect(isOffline == (number == 1 ? true : nil))
                let kinds = try reports.kinds()
                // The local check finds the wrong signature, and an online run relies on Apple's
                // answer instead.
                #expect(kinds["cleared"] == (number == 2 ? ["receipt_not_authentic cyd"] : []))
                let leaks = ["expired_still_granted ann"]
                #expect(kinds["expirations"] == (number == 1 ? [] : leaks))
                for line in try scene.lines("expirations.json") {
                    let lifecycle = number == 0 ? "new" : "persisting"
                    #expect(line.contains("\"lifecycle\":\"\(lifecycle)\""))
                    #expect(!line.contains("offline"))
                }
                // Online and offline runs both find what the receipt itself shows.
                let debt = try #require(
                    try scene.lines("mismatches.json").first { $0.contains("active_not_granted") })
                let lifecycle = number == 0 ? "new" : "persisting"
                #expect(debt.contains("\"lifecycle\":\"\(lifecycle)\""))
            }
            #expect(scene.apple.asks.count == 12)
        }
    }

    @Test("A finding of an online run that an offline run clears says that it was cleared offline")
    func clearedOnline() async throws {
        try await OfflineScene.with { scene in
            let first = try await scene.run("--as-of=2026-11-20T02:00:00Z")
            #expect(first.status == 0, "\(first.error)")
            try await scene.test.execute(
                "update team.entitlements set active = true where id = 'e-bob'")
            let second = try await scene.run("--offline", "--as-of=2026-11-21T02:00:00Z")
            #expect(second.status == 0, "\(second.error)")
            let lines = try scene.lines("cleared.json")
            #expect(!lines.isEmpty)
            for line in lines { #expect(line.contains("judged offline"), "\(line)") }
        }
    }

    @Test("The next offline run clears what the service has fixed")
    func corrected() async throws {
        try await OfflineScene.with { scene in
            let first = try await scene.run("--offline", "--as-of=2026-11-20T02:00:00Z")
            #expect(first.status == 0, "\(first.error)")
            try await scene.test.execute(
                "update team.entitlements set active = true where id = 'e-bob'")
            let second = try await scene.run("--offline", "--as-of=2026-11-21T02:00:00Z")
            #expect(second.status == 0, "\(second.error)")
            let kinds = try PublishedReports(scene.latest).kinds()
            #expect(kinds["cleared"] == ["active_not_granted bob"])
            #expect(kinds["refunds"] == [])
            #expect(scene.apple.asks.isEmpty)
        }
    }

    @Test("A dry run says that nothing would be sent")
    func dryRun() async throws {
        try await OfflineScene.with { scene in
            let process = try await scene.run("--offline", "--dry-run")
            #expect(process.status == 0)
            #expect(
                process.lastLine
                    == "reconcile-job: Dry run: 7 receipts of 8 users would be judged offline, by"
                    + " their own signatures, and nothing would be sent. Nothing was written; leave"
                    + " --dry-run out to run.")
        }
    }

    @Test("--offline is refused with contradicting flags, and when its roots cannot be read")
    func refused() throws {
        let replay = try JobProcess(["run", "--offline", "--replay=20261120T020000Z-000001"])
        #expect(replay.status == 64)
        #expect(replay.lastLine.contains("--offline cannot be combined with --replay"))
        let roots = try JobProcess(["run", "--offline", "--roots=/nowhere"])
        #expect(roots.status == 78)
        #expect(roots.lastLine.hasSuffix("Give a folder of certificates."))
    }
}

private struct OfflineScene {
    let test: TestDatabase
    let apple: ScriptedApple
    let folder: TemporaryFolder
    let roots: TemporaryFolder
    let secrets: String

    var latest: String { folder.path + "/reports/latest" }

    static func with(_ body: (OfflineScene) async throws -> Void) async throws {
        let receipts = receipts
        let answers = Dictionary(
            uniqueKeysWithValues: answers.map { user, answer in
                (receipts[user] ?? "", [LoopbackServer.Act.reply(answer)])
            })
        let apple = try ScriptedApple { answers[$0.receipt] ?? [.hangUp] }
        let roots = try TemporaryFolder()
        try Data(ReceiptAuthority.shared.root.der).write(
            to: URL(fileURLWithPath: roots.path + "/root.cer"))
        let folder = try TemporaryFolder()
        let secrets = try folder.write("* = canary", to: "secrets")
        try await TestDatabase.with(.views) { test in
            try await test.sell("pro.monthly")
            for (user, text) in receipts {
                try await test.store(receipt: user, of: user, data: .text(text))
            }
            for user in receipts.keys + ["eve"] {
                try await test.store(
                    entitlement: "e-\(user)", of: user, isActive: user != "bob",
                    expires: "2026-11-25T02:00:00Z")
            }
            try await body(
                OfflineScene(
                    test: test, apple: apple, folder: folder, roots: roots, secrets: secrets))
        }
    }

    /// `ann` expired, `bob` and `hal` are active, `cyd`'s receipt was changed, `dan` sent a JWS,
    /// `flo` was cancelled, and another authority signed `gus`'s.
    private static var receipts: [String: String] {
        let apple = ReceiptAuthority.shared
        func signed(
            by authority: ReceiptAuthority = apple, _ id: String, from bought: String,
            to expires: String, cancelled: String = ""
        ) -> [UInt8] {
            let purchase = PayloadForge.purchase(
                id: id, at: bought + "T02:00:00Z", expires: expires + "T02:00:00Z",
                cancelled: cancelled)
            return authority.receipt(
                PayloadForge(createdAt: "2026-11-16T02:00:00Z", purchases: [purchase]).encoded)
        }
        var forged = signed("3", from: "2026-10-26", to: "2026-11-25")
        forged[forged.count - 1] ^= 1
        let bytes = [
            "ann": signed("1", from: "2026-09-21", to: "2026-10-21"),
            "bob": signed("2", from: "2026-10-26", to: "2026-11-25"), "cyd": forged,
            "flo": signed(
                "6", from: "2026-10-26", to: "2026-11-25", cancelled: "2026-11-15T02:00:00Z"),
            "gus": signed(by: .other, "7", from: "2026-10-26", to: "2026-11-25"),
            "hal": signed("8", from: "2026-10-26", to: "2026-11-25"),
        ]
        var texts = bytes.mapValues { String(decoding: Base64.encode($0), as: UTF8.self) }
        texts["dan"] = "eyJh.eyJi.c2ln"
        return texts
    }

    /// Apple's answers with the same content; they refuse `cyd`'s and `gus`'s receipts.
    private static var answers: [String: String] {
        func period(_ id: String, from bought: Double, to expiry: Double) -> String {
            AppleAnswer.verified([AppleAnswer.period(id, from: bought, to: expiry)])
        }
        return [
            "ann": period("1", from: -60, to: -30), "bob": period("2", from: -25, to: 5),
            "cyd": AppleAnswer.verified(),
            "flo": AppleAnswer.verified([
                AppleAnswer.period("6", from: -25, to: 5, cancelled: -5)
            ]),
            "gus": AppleAnswer.verified(), "hal": period("8", from: -25, to: 5),
        ]
    }

    func start(_ flags: [String]) throws -> RunningJob {
        var defaults = [
            "--database=\(test.url)", "--reports=\(folder.path)/reports",
            "--shared-secrets=\(secrets)", "--production-url=\(apple.production.url)",
            "--sandbox-url=\(apple.sandbox.url)", "--roots=\(roots.path)",
            "--as-of=\(AppleAnswer.asOf)", "--rate=1000", "--backoff=1ms", "--timeout=50s",
            "--max-unverified=50%", "--allow-writable-role", "--guards=off",
        ]
        defaults.removeAll { flag in
            flags.contains { $0.prefix { $0 != "=" } == flag.prefix { $0 != "=" } }
        }
        return try RunningJob(["run"] + defaults + flags)
    }

    func run(_ flags: String...) async throws -> JobProcess { try await start(flags).end() }

    func read(_ file: String) throws -> String { try folder.read("reports/latest/\(file)") }

    /// The objects of a JSON table, one a line.
    func lines(_ file: String) throws -> [Substring] {
        try read(file).split(separator: "\n").filter { $0.contains("run_id") }
    }
}
