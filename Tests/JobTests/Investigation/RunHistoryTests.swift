import Foundation
import Testing

@testable import TestSupport

@Suite("The commands runs, diff and report")
struct RunHistoryTests {
    private func job(_ scene: NightScene, _ arguments: String...) throws -> JobProcess {
        try JobProcess(arguments + ["--database=\(scene.database)"])
    }

    private func ids(_ scene: NightScene) async throws -> [String] {
        try await scene.test.texts("select run_id from reconcile.run order by run_no")
            .compactMap(\.self)
    }

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
            let none = try job(scene, "runs")
            #expect(none.status == 0 && none.output == "No run has been opened yet.\n")
            _ = try await scene.run()
            _ = try await scene.run("--trial")
            _ = try await scene.run("--user=ann")
            let ids = try await ids(scene)
            let text = try job(scene, "runs")
            #expect(text.status == 0, "\(text.error)")
            let heads = text.output.split(separator: "\n").filter { $0.hasPrefix("20") }
            #expect(heads.map { String($0.prefix(23)) } == ids.reversed())
            #expect(heads[0].hasSuffix("published, partial"))
            #expect(heads[1].hasSuffix("trial"))
            #expect(text.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
            #expect(text.output.contains("    5 receipts; findings: "))

            let json = try job(scene, "runs", "--output=json", "--limit=2")
            let parsed = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
            let runs = try #require(parsed as? [[String: Any]])
            #expect(runs.map { $0["run_id"] as? String } == [ids[2], ids[1]])
            #expect(runs[0]["receipts"] as? Int == 1)
            #expect((runs[1]["findings"] as? [String: Int])?.keys.count == 5)
        }
    }

    @Test("report writes CSV for Excel if the run was published that way")
    func writesForExcel() async throws {
        try await NightScene.with { scene in
            _ = try await scene.run("--csv-dialect=excel")
            let id = try scene.latest
            let folder = scene.reports + "/" + id
            let published = try files(folder)
            #expect(published["refunds.csv"]?.starts(with: [0xEF, 0xBB, 0xBF]) == true)
            #expect(published["refunds.json"]?.first == UInt8(ascii: "["))
            let whole = try JobProcess(["verify", folder])
            #expect(whole.status == 0, "\(whole.output)")
            try FileManager.default.removeItem(atPath: folder)
            let again = try job(scene, "report", id, "--reports=\(scene.reports)")
            #expect(again.status == 0, "\(again.error)")
            #expect(try files(folder) == published)
            #expect(try job(scene, "run", "--csv-dialect=tsv").status == 64)
        }
    }

    /// Copies the newest folder under the id of an earlier run.
    private func repeatNight(_ scene: NightScene, as id: String) throws {
        let latest = try scene.latest
        let folder = scene.reports + "/" + id
        try FileManager.default.copyItem(atPath: scene.reports + "/" + latest, toPath: folder)
        let manifest = URL(fileURLWithPath: folder + "/manifest.json")
        try String(contentsOf: manifest, encoding: .utf8)
            .replacingOccurrences(of: latest, with: id)
            .write(to: manifest, atomically: true, encoding: .utf8)
    }

    @Test("--keep removes the folders of older runs, after a run and by prune")
    func keeps() async throws {
        try await NightScene.with { scene in
            func names() -> [String] { scene.published.filter { $0 != "latest" } }
            _ = try await scene.run()
            let old = ["20261101T020000Z-000abc", "20261102T020000Z-000abc"]
            for id in old { try repeatNight(scene, as: id) }
            let three = names()
            #expect(three == old + [try scene.latest])
            let removes = old.map { "removes  \(scene.reports)/\($0)\n" }
            let dry = try await scene.run("--dry-run", "--keep=2")
            #expect(dry.status == 0 && dry.output == removes.joined(), "\(dry.error)")
            let list = try JobProcess([
                "prune", "--keep=1", "--dry-run", "--reports=\(scene.reports)",
            ])
            #expect(list.status == 0 && list.output == removes.joined(), "\(list.error)")
            #expect(names() == three)

            _ = try await scene.run("--keep=3")
            #expect(names().count == 3 && !names().contains(old[0]) && names().contains(old[1]))
            let pruned = try JobProcess(["prune", "--keep=2", "--reports=\(scene.reports)"])
            #expect(pruned.status == 0 && pruned.error.contains("Removed 1 folders"))
            #expect(names().count == 2 && !names().contains(old[1]))
            #expect(try JobProcess(["prune", "--dry-run", "--user=ann"]).status == 64)
        }
    }

    @Test("diff lists added, gone and changed findings, and ends with 1 if there are any")
    func differs() async throws {
        try await NightScene.with { scene in
            _ = try await scene.run()
            _ = try await scene.run()
            try await scene.test.execute(
                """
                delete from team.entitlements where who = 'ann';
                update team.entitlements set expires = '2027-01-10T02:00:00Z' where who = 'flo';
                """)
            try await scene.test.store(
                entitlement: "e2", of: "bob", expires: "2027-12-10T02:00:00Z")
            _ = try await scene.run("--as-of=2026-11-22T02:00:00Z")
            let ids = try await ids(scene)
            let same = try job(scene, "diff", ids[0], ids[1])
            #expect(same.status == 0 && same.output.isEmpty, "\(same.output)")
            let other = try job(scene, "diff", ids[1], ids[2])
            #expect(other.status == 1)
            #expect(other.output.contains(#/- [0-9a-f]{32} expired_still_granted ann e-ann\n/#))
            #expect(other.output.contains("+ "))
            #expect(
                other.output.contains(
                    "stored_expires_at: 2026-12-10T02:00:00Z → 2027-01-10T02:00:00Z"))
            #expect(!other.output.contains("exposure_days"))
            let all = try job(scene, "diff", ids[1], ids[2], "--all", "--output=json")
            let parsed = try JSONSerialization.jsonObject(with: Data(all.output.utf8))
            let changes = try #require(parsed as? [[String: Any]])
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
            let ids = try await ids(scene)
            _ = try JobProcess([
                "accept",
                try #require(
                    try await scene.test.texts(
                        "select finding_id from reconcile.finding where kind not like '%recorded'"
                    ).first ?? nil), "--by=ada", "--why=known", "--database=\(scene.database)",
            ])
            _ = try await scene.run("--trial")
            let third = try #require(try await self.ids(scene).last)
            _ = try JobProcess([
                "retract", ids[1], "--by=ada", "--why=prices", "--database=\(scene.database)",
                "--reports=\(scene.reports)",
            ])
            let copies = scene.folder.path + "/copies"
            for (run, folder) in [(ids[0], ids[0]), (ids[1], ids[1]), (third, third + "-trial")] {
                let again = try job(scene, "report", run, "--reports=\(copies)")
                #expect(again.status == 0, "\(again.error)")
                var published = try files(scene.reports + "/" + folder)
                published["RETRACTED.json"] = nil
                #expect(try files(copies + "/" + folder) == published)
            }
            // The trial was compared with the run that has been retracted since, and its files stay
            // so.
            let summary = try PublishedReports(copies + "/" + third + "-trial").summary
            let earlier = summary["earlier_nights"] as? [[String: Any]]
            #expect(earlier?.map { $0["run_id"] as? String } == [ids[1], ids[0]])
            #expect((summary["change"] as? [String: Any])?["since"] as? String == ids[1])
            #expect(!FileManager.default.fileExists(atPath: copies + "/latest"))
            // An existing folder is left alone, whatever else it contains.
            #expect(try job(scene, "report", ids[1], "--reports=\(scene.reports)").status == 0)
        }
    }

    @Test("An unknown run ends with 66, an ambiguous one with 64, a pruned one with 64")
    func unknown() async throws {
        try await NightScene.with { scene in
            let early = try job(scene, "report", "2026", "--reports=\(scene.reports)")
            #expect(early.status == 66 && early.lastLine.contains("There is no run 2026"))
            _ = try await scene.run()
            _ = try await scene.run()
            let ids = try await ids(scene)
            let unknown = try job(scene, "diff", "1999", ids[0])
            #expect(unknown.status == 66)
            // Two runs that start in one second have ids in any order.
            #expect(unknown.lastLine.contains("The nearest: \(try #require(ids.min()))"))
            #expect(try job(scene, "diff", "20", ids[0]).status == 64)
            #expect(try job(scene, "diff", ids[0]).status == 64)
            _ = try JobProcess([
                "prune", "--before=2030-01-01T00:00:00Z", "--database=\(scene.database)",
            ])
            let pruned = try job(scene, "report", ids[0], "--reports=\(scene.reports)")
            #expect(pruned.status == 64 && pruned.lastLine.contains("prune"))
            let listed = try job(scene, "runs")
            #expect(listed.output.contains("pruned") && listed.output.contains("5 receipts"))
        }
    }
}
