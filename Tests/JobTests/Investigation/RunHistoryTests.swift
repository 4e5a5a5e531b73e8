import Foundation
import Testing

@testable import TestSupport

@Suite("The commands runs, diff and report")
struct RunHistoryTests {
    private func files(_ folder: String) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0)))
            })
    }

    @Test("runs lists each run with its results, newest first")
    func lists() async throws {
        try await NightScene.with { scene in
            let none = try scene.command("runs").ends()
            #expect(none.output == "No run has been opened yet.\n")
            for flags in [[], ["--trial"], ["--user=ann"]] {
                _ = try await scene.start(flags).end()
            }
            let ids = try await scene.runs
            let text = try scene.command("runs").ends(out: ["    5 receipts; findings: "])
            let lines = text.output.split(separator: "\n")
            let heads = lines.filter { $0.hasPrefix("20") }
            #expect(heads.map { String($0.prefix(23)) } == ids.reversed())
            #expect(heads[0].hasSuffix("published, partial") && heads[1].hasSuffix("trial"))
            #expect(lines.allSatisfy { $0.count <= 100 })

            let runs = try scene.command("runs", "--output=json", "--limit=2")
                .json([[String: Any]].self)
            #expect(runs.map { $0["run_id"] as? String } == [ids[2], ids[1]])
            #expect(runs[0]["receipts"] as? Int == 1)
            #expect((runs[1]["findings"] as? [String: Int])?.keys.count == 5)
        }
    }

    @Test("report writes CSV for Excel if the run was published that way")
    func writesForExcel() async throws {
        try await NightScene.with { scene in
            _ = try await scene.run("--csv-dialect=excel")
            let folder = try scene.publishedFolder
            let published = try files(folder)
            #expect(published["refunds.csv"]?.starts(with: [0xEF, 0xBB, 0xBF]) == true)
            #expect(published["refunds.json"]?.first == UInt8(ascii: "["))
            try JobProcess(["verify", folder]).ends()
            let id = try scene.publishedRun
            try FileManager.default.removeItem(atPath: folder)
            try scene.command("report", id, "--reports=\(scene.reports)").ends()
            #expect(try files(folder) == published)
            try scene.command("run", "--csv-dialect=tsv").ends(64)
        }
    }

    /// Copies the newest folder under the id of an earlier run.
    private func repeatNight(_ scene: NightScene, as id: String) throws {
        let folder = scene.reports + "/" + id
        try FileManager.default.copyItem(atPath: scene.publishedFolder, toPath: folder)
        let manifest = URL(fileURLWithPath: folder + "/manifest.json")
        try String(contentsOf: manifest, encoding: .utf8)
            .replacing(scene.publishedRun, with: id)
            .write(to: manifest, atomically: true, encoding: .utf8)
    }

    @Test("--keep removes the folders of older runs, after a run and by prune")
    func keeps() async throws {
        try await NightScene.with { scene in
            func names() -> [String] { scene.published.filter { $0 != "latest" } }
            func prune(_ flags: String...) throws -> JobProcess {
                try JobProcess(["prune", "--reports=\(scene.reports)"] + flags)
            }
            _ = try await scene.run()
            let first = try scene.publishedRun
            let old = ["20261101T020000Z-000abc", "20261102T020000Z-000abc"]
            for id in old { try repeatNight(scene, as: id) }
            let removes = old.map { "removes  \(scene.reports)/\($0)\n" }.joined()
            #expect(try await scene.run("--dry-run", "--keep=2").ends().output == removes)
            #expect(try prune("--keep=1", "--dry-run").ends().output == removes)
            #expect(names() == old + [first])

            _ = try await scene.run("--keep=3")
            let second = try scene.publishedRun
            #expect(Set(names()) == [old[1], first, second])
            #expect(try prune("--keep=2").ends().error.contains("Removed 1 folders"))
            #expect(Set(names()) == [first, second])
            try JobProcess(["prune", "--dry-run", "--user=ann"]).ends(64)
        }
    }

    @Test("diff lists added, gone and changed findings, and ends with 1 if there are any")
    func differs() async throws {
        try await NightScene.with { scene in
            for _ in 0..<2 { _ = try await scene.run() }
            try await scene.test.execute(
                """
                delete from team.entitlements where who = 'ann';
                update team.entitlements set expires = '2027-01-10T02:00:00Z' where who = 'flo';
                """)
            try await scene.test.store(
                entitlement: "e2", of: "bob", expires: "2027-12-10T02:00:00Z")
            _ = try await scene.run("--as-of=2026-11-22T02:00:00Z")
            let ids = try await scene.runs
            #expect(try scene.command("diff", ids[0], ids[1]).ends().output.isEmpty)
            let other = try scene.command("diff", ids[1], ids[2]).ends(
                1,
                out: ["+ ", "stored_expires_at: 2026-12-10T02:00:00Z → 2027-01-10T02:00:00Z"],
                never: ["exposure_days"])
            #expect(other.output.contains(#/- [0-9a-f]{32} expired_still_granted ann e-ann\n/#))
            let all = try scene.command("diff", ids[1], ids[2], "--all", "--output=json")
            let changes = try all.json([[String: Any]].self)
            let kinds = Set(changes.compactMap { $0["change"] as? String })
            #expect(kinds == ["added", "gone", "changed"])
            #expect(all.output.contains("exposure_days"))
        }
    }

    @Test("report writes the folder again byte for byte, also of a retracted run")
    func writesAgain() async throws {
        try await NightScene.with { scene in
            _ = try await scene.run("--evidence=all")
            try await scene.test.execute("delete from team.entitlements where who = 'ann'")
            _ = try await scene.run()
            let finding = try await scene.first(
                "select finding_id from reconcile.finding where kind not like '%recorded'")
            try scene.command("accept", finding, "--by=ada", "--why=known").ends()
            _ = try await scene.run("--trial")
            let ids = try await scene.runs
            let trial = ids[2] + "-trial"
            let reports = "--reports=\(scene.reports)"
            try scene.command("retract", ids[1], "--by=ada", "--why=prices", reports).ends()
            let copies = scene.folder.path + "/copies"
            for (run, folder) in zip(ids, [ids[0], ids[1], trial]) {
                try scene.command("report", run, "--reports=\(copies)").ends()
                var published = try files(scene.reports + "/" + folder)
                published["RETRACTED.json"] = nil
                #expect(try files(copies + "/" + folder) == published)
            }
            // The trial was compared with the run that has been retracted since, and its files stay
            // so.
            let summary = try PublishedReports(copies + "/" + trial).summary
            let earlier = summary["earlier_nights"] as? [[String: Any]]
            #expect(earlier?.map { $0["run_id"] as? String } == [ids[1], ids[0]])
            #expect((summary["change"] as? [String: Any])?["since"] as? String == ids[1])
            #expect(!FileManager.default.fileExists(atPath: copies + "/latest"))
            // An existing folder is left alone, whatever else it contains.
            try scene.command("report", ids[1], reports).ends()
        }
    }

    @Test("An unknown run ends with 66, an ambiguous one with 64, a pruned one with 64")
    func unknown() async throws {
        try await NightScene.with { scene in
            let reports = "--reports=\(scene.reports)"
            try scene.command("report", "2026", reports).ends(66, last: ["There is no run 2026"])
            for _ in 0..<2 { _ = try await scene.run() }
            let ids = try await scene.runs
            // Two runs that start in one second have ids in any order.
            let nearest = try #require(ids.min())
            try scene.command("diff", "1999", ids[0]).ends(66, last: ["The nearest: \(nearest)"])
            try scene.command("diff", "20", ids[0]).ends(64)
            try scene.command("diff", ids[0]).ends(64)
            try scene.command("prune", "--before=2030-01-01T00:00:00Z").ends()
            try scene.command("report", ids[0], reports).ends(64, last: ["prune"])
            try scene.command("runs").ends(out: ["pruned", "5 receipts"])
        }
    }
}
