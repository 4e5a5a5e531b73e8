import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport
@testable import reconcile_job

@Suite("A nightly run", .timeLimit(.minutes(10)))
struct NightTests {
    @Test("The reports of a run agree with each other", arguments: NightScene.Login.allCases)
    func whole(login: NightScene.Login) async throws {
        try await NightScene.with(login) { scene in
            let process = try await scene.run()
            #expect(process.status == 0, "\(process.error)")
            try #require(scene.published.count == 2)
            let (id, latest) = (scene.published[0], scene.reports + "/latest")
            #expect(process.lastLine.contains("Run \(id) is complete, with 7 findings."))
            #expect(process.output.contains("Reports: \(scene.reports)/\(id)"))
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: latest) == id)
            let reports = try PublishedReports(latest)
            #expect(
                try reports.kinds() == [
                    "expirations": ["expired_still_granted ann"],
                    "refunds": ["refunded_still_granted flo", "refund_recorded flo"],
                    "mismatches": ["grant_without_transaction cyd", "grant_without_receipt eve"],
                    "receipts": ["receipt_not_authentic cyd", "receipt_is_jws dan"],
                    "cleared": [],
                ])
            try reports.expectToTieOut()
            #expect(reports.summary["run_id"] as? String == id)
            #expect(reports.summary["as_of"] as? String == AppleAnswer.asOf)
            #expect(reports.summary["status"] as? String == "complete")
            #expect(
                reports.control("receipts") == [
                    "in_scope": 5, "verified": 3, "rejected": 1, "unusable": 1, "unverified": 0,
                ])
            #expect(
                reports.control("entitlements") == [
                    "in_scope": 6, "consistent": 1, "with_finding": 4, "settling": 0,
                    "unverified": 1, "not_judged": 0,
                ])
            let requests = reports.summary["requests"] as? [String: Any]
            // Four receipts, then the refused one again, with the other three as its controls.
            #expect(requests?["sent"] as? Int == 8)
            #expect(scene.apple.asks.count == 8)
        }
    }

    @Test("The reports have the same file modes under any umask", arguments: ["000", "077"])
    func modes(umask: String) async throws {
        try await NightScene.with { scene in
            let process = try await scene.run(umask: umask)
            #expect(process.status == 0, "\(process.error)")
            #expect(try scene.folder.mode(of: "reports") == 0o750)
            let run = try #require(scene.published.first)
            #expect(try scene.folder.mode(of: "reports/\(run)") == 0o750)
            let files = try FileManager.default.contentsOfDirectory(
                atPath: "\(scene.reports)/\(run)")
            #expect(files.count >= 14)
            for file in files {
                #expect(try scene.folder.mode(of: "reports/\(run)/\(file)") == 0o640, "\(file)")
            }
        }
    }

    @Test("The summary is printed in the requested format")
    func output() async throws {
        try await NightScene.with { scene in
            let json = try await scene.run("--output=json")
            #expect(json.output == (try scene.folder.read("reports/latest/summary.json")))
            let none = try await scene.run("--output", "none")
            #expect(none.status == 0 && none.output.isEmpty)
        }
    }

    @Test("A partial run is published beside latest, and does not become latest")
    func scoped() async throws {
        try await NightScene.with { scene in
            _ = try await scene.run("--output=none")
            let whole = try #require(scene.published.first)
            for scope in ["--user=ann", "--receipt=ann", "--limit=1"] {
                let process = try await scene.run(scope, "--output=json")
                #expect(process.status == 0, "\(process.error)")
                #expect(process.output.contains(#""in_scope": 1,"#))
            }
            #expect(scene.published.count == 5)
            #expect(
                try FileManager.default.destinationOfSymbolicLink(
                    atPath: scene.reports + "/latest") == whole)
            let stranger = try await scene.run("--user=nobody")
            #expect(stranger.status == 64)
            #expect(stranger.lastLine.contains("There is no user “nobody” in the views."))
            #expect(scene.published.count == 5)
        }
    }

    @Test("A dry run sends and writes nothing")
    func dryRun() async throws {
        try await NightScene.with { scene in
            let process = try await scene.run("--dry-run", "--rate=2")
            #expect(process.status == 0 && process.output.isEmpty)
            #expect(
                process.lastLine.contains(
                    "5 receipts of 6 users would be requested, in at least 3 s"))
            #expect(scene.apple.asks.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: scene.reports))
            #expect(try await scene.test.texts("select run_id from reconcile.run") == [])
        }
    }

    @Test("No output contains a secret or receipt data, whatever Apple answers")
    func discretion() async throws {
        let echo = #"{"status":21100,"exception":"\#(NightScene.canary.dropLast())"}"#
        let acts = NightScene.acts.merging(["bob": [.reply(echo)], "ann": [.reply("<html>")]]) {
            $1
        }
        try await NightScene.with(acts: acts) { scene in
            let process = try await scene.run(
                "--log-level=debug", "--max-attempts=2", "--max-unverified=100%",
                "--progress=always")
            #expect(process.status == 0, "\(process.error)")
            #expect(scene.apple.asks.allSatisfy { $0.password == NightScene.canary })
            var texts = [process.output, process.error]
            let folder = scene.reports + "/latest/"
            for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
                texts.append(try publishedText(folder + file))
            }
            texts += try await scene.test.texts(
                """
                select table_to_xml(oid, true, false, '')::text from pg_class
                where relnamespace = 'reconcile'::regnamespace and relkind = 'r'
                """
            ).compactMap(\.self)
            #expect(texts.count > 20)
            for text in texts {
                #expect(!text.contains(NightScene.canary))
                for user in NightScene.acts.keys {
                    #expect(!text.contains(TestDatabase.receipt(user).suffix(24)))
                }
            }
        }
    }
}
