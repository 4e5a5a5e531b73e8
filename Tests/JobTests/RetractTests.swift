import Foundation
import Testing

@testable import TestSupport

@Suite("Retracting a run")
struct RetractTests {
    private func retract(
        _ run: String, in scene: NightScene, reports: String? = nil
    ) throws -> JobProcess {
        try JobProcess([
            "retract", run, "--by=ada", "--why=prices in cents",
            "--database=\(scene.database)", "--reports=\(reports ?? scene.reports)",
        ])
    }

    private func runs(_ scene: NightScene) async throws -> [String] {
        try await scene.test.texts(
            "select run_id from reconcile.run order by run_no"
        ).compactMap(\.self)
    }

    @Test("The newest run is removed from history, its folder says so, and latest moves back")
    func retracts() async throws {
        try await NightScene.with { scene in
            #expect(try await scene.run().status == 0)
            let ledger = "select l::text from reconcile.ledger as l order by l.finding_id"
            let before = try await scene.test.texts(ledger)
            try await scene.test.execute("delete from team.entitlements where who = 'ann'")
            #expect(try await scene.run().status == 0)
            let ids = try await runs(scene)
            #expect(try await scene.test.texts(ledger) != before)

            // A unique prefix is enough; both ids may begin with the same instant.
            let job = try retract(String(ids[1].dropLast()), in: scene)
            #expect(job.status == 0, "\(job.error)")
            #expect(job.lastLine.contains("Run \(ids[1]) is retracted: prices in cents."))
            #expect(job.lastLine.contains("The newest published run is now \(ids[0])."))
            #expect(try await scene.test.texts(ledger) == before)
            let names = try FileManager.default.contentsOfDirectory(
                atPath: scene.reports + "/" + ids[1])
            #expect(names.contains("RETRACTED.json") && names.contains("summary.json"))
            #expect(try scene.latest == ids[0])

            // A second retraction changes nothing, and the next run judges as if the run had never
            // been.
            #expect(try retract(ids[1], in: scene).status == 0)
            #expect(try await scene.run().status == 0)
            let third = try #require(try await runs(scene).last)
            let reports = try PublishedReports(scene.reports + "/" + third)
            #expect(try reports.kinds()["cleared"] == ["expired_still_granted ann"])
        }
    }

    @Test("A retraction says so when the folder that latest would lead to is gone")
    func folderIsGone() async throws {
        try await NightScene.with { scene in
            for _ in 1...2 { #expect(try await scene.run().status == 0) }
            let ids = try await runs(scene)
            try FileManager.default.removeItem(atPath: scene.reports + "/" + ids[0])
            let job = try retract(ids[1], in: scene)
            #expect(job.status == 0, "\(job.error)")
            #expect(job.lastLine.contains("so there is no latest"), "\(job.lastLine)")
            #expect(!scene.published.contains("latest"))
        }
    }

    @Test("Only the newest published run can be retracted, down to the first")
    func newestFirst() async throws {
        try await NightScene.with { scene in
            for _ in 1...2 { #expect(try await scene.run().status == 0) }
            let ids = try await runs(scene)
            let early = try retract(ids[0], in: scene)
            #expect(early.status == 64 && early.lastLine.contains("the newest is \(ids[1])"))
            let both = try retract("20", in: scene)
            #expect(both.status == 64 && both.lastLine.contains("Several runs begin with 20"))
            let unknown = try retract("1999", in: scene)
            #expect(unknown.status == 64 && unknown.lastLine.contains("There is no run 1999"))
            #expect(try scene.latest == ids[1])
            for id in ids.reversed() { #expect(try retract(id, in: scene).status == 0) }
            #expect(throws: (any Error).self) { try scene.latest }
            #expect(try await scene.test.texts("select 1 from reconcile.ledger") == [])
        }
    }

    @Test("A wrong reports folder is named before anything is retracted")
    func wrongFolder() async throws {
        try await NightScene.with { scene in
            #expect(try await scene.run().status == 0)
            let id = try #require(try await runs(scene).first)
            let nowhere = try retract(id, in: scene, reports: "/nowhere/reports")
            #expect(nowhere.status == 73)
            #expect(nowhere.lastLine.contains("/nowhere/reports"))
            let state = "select state from reconcile.run"
            #expect(try await scene.test.texts(state) == ["published"])

            // With the folder of other runs, only the files remain to be marked.
            let other = try retract(id, in: scene, reports: scene.folder.path)
            #expect(other.status == 73)
            #expect(other.lastLine.contains("is retracted in the database"))
            #expect(try await scene.test.texts(state) == ["retracted"])
            #expect(try retract(id, in: scene).status == 0)
            #expect(throws: (any Error).self) { try scene.latest }
        }
    }
}

@Suite("A run that was interrupted after its folder was in place", .timeLimit(.minutes(10)))
struct CutOffFolderTests {
    @Test("A later new run marks the folder as abandoned, so that it is not added up twice")
    func withdrawn() async throws {
        try await NightScene.with { scene in
            #expect(try await scene.run().status == 0)
            let first = try #require(scene.published.first { $0 != "latest" })
            // The state between moving `latest` and the commit that records it.
            try await scene.test.execute(
                """
                update reconcile.run set state = 'open', finished_at = null, is_complete = null
                """)
            let job = try await scene.run("--new")
            #expect(job.status == 0, "\(job.error)")
            #expect(job.error.contains("\(first) exists, but its run was not recorded"))
            let mark = try scene.folder.read("reports/\(first)/RETRACTED.json")
            #expect(mark.contains("\"retracted_by\": \"reconcile-job\""))
            let latest = try FileManager.default.destinationOfSymbolicLink(
                atPath: scene.reports + "/latest")
            #expect(latest != first)
        }
    }
}

extension NightScene {
    var latest: String {
        get throws {
            try FileManager.default.destinationOfSymbolicLink(atPath: reports + "/latest")
        }
    }
}
