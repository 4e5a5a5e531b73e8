import Foundation
import Testing

@testable import TestSupport

@Suite("Accepting a finding", .timeLimit(.minutes(10)))
struct AcceptTests {
    @Test("A finding is accepted by a prefix of its id, listed, printed, and counted again")
    func acceptance() async throws {
        try await NightScene.with { scene in
            try await scene.test.execute(
                "update team.products set billing = '30 days', price = 9.99, currency = 'USD'")
            let leak = try await scene.night().leak()
            let id = try await scene.finding("refunded_still_granted")
            try await refusals(scene, of: id)

            try scene.command(
                "accept", String(id.prefix(9)), "--by=ada", "--why=a tester",
                "--until=2030-01-01T00:00:00Z"
            ).ends(last: [id, "of user flo"])
            let list = try scene.command("accept", "--list").ends(
                out: ["accepted by ada until 2030-01-01T00:00:00Z: a tester"])
            #expect(list.output.hasPrefix(id))

            let second = try await scene.night()
            #expect(try second.column("lifecycle", of: "refunds").first == "accepted")
            #expect(try second.leak() < leak)
            let page = try scene.folder.read("reports/latest/index.html")
            #expect(page.contains("ada") && page.contains("a tester"))
            let accepted = try #require(second.summary["accepted"] as? [[String: Any]])
            let told = accepted.map { row in ["by", "why", "until"].map { row[$0] as? String } }
            #expect(told == [["ada", "a tester", "2030-01-01T00:00:00Z"]])

            try scene.command("accept", id, "--undo", "--by=bea", "--why=no tester").ends()
            #expect(try scene.command("accept", "--list").output.isEmpty)
            #expect(try await scene.night().leak() == leak)
        }
    }

    /// An event and an unknown id cannot be accepted, and what is not accepted cannot be undone.
    private func refusals(_ scene: NightScene, of finding: String) async throws {
        let event = try await scene.finding("refund_recorded")
        let unknown = String(repeating: "f", count: 32)
        for (words, says) in [
            ([event], "is an event (refund_recorded)"),
            ([unknown], "No published run has reported a finding \(unknown)"),
            ([finding, "--undo"], "is not accepted"),
        ] {
            try JobProcess(
                ["accept", "--database=\(scene.database)", "--by=ada", "--why=known"] + words
            ).ends(64, last: [says])
        }
        #expect(try await scene.test.texts("select 1 from reconcile.acceptance") == [])
    }
}

@Suite("Retracting a run", .timeLimit(.minutes(10)))
struct RetractTests {
    private func retract(
        _ run: String, in scene: NightScene, reports: String? = nil
    ) throws -> JobProcess {
        try scene.command(
            "retract", run, "--by=ada", "--why=prices in cents",
            "--reports=\(reports ?? scene.reports)")
    }

    @Test("The newest run is removed from history, its folder says so, and latest moves back")
    func retracts() async throws {
        try await NightScene.with { scene in
            try await scene.run().ends()
            let before = try await scene.ledger
            try await scene.test.execute("delete from team.entitlements where who = 'ann'")
            try await scene.run().ends()
            let ids = try await scene.runs
            #expect(try await scene.ledger != before)

            // Only the newest published run can be retracted, and a wrong folder is named first.
            try retract(ids[0], in: scene).ends(64, last: ["the newest is \(ids[1])"])
            try retract("20", in: scene).ends(64, last: ["Several runs begin with 20"])
            try retract("1999", in: scene).ends(64, last: ["There is no run 1999"])
            try retract(ids[1], in: scene, reports: "/nowhere/reports")
                .ends(73, last: ["/nowhere/reports"])
            #expect(try scene.publishedRun == ids[1])
            #expect(try await scene.states == ["published", "published"])

            // A unique prefix is enough; both ids may begin with the same instant.
            try retract(String(ids[1].dropLast()), in: scene).ends(
                last: [
                    "Run \(ids[1]) is retracted: prices in cents.",
                    "The newest published run is now \(ids[0]).",
                ])
            #expect(try await scene.ledger == before)
            let names = try FileManager.default.contentsOfDirectory(
                atPath: scene.reports + "/" + ids[1])
            #expect(names.contains("RETRACTED.json") && names.contains("summary.json"))
            #expect(try scene.publishedRun == ids[0])

            // A second retraction changes nothing, and the next run judges as if the run had never
            // been.
            try retract(ids[1], in: scene).ends()
            let third = try await scene.night()
            #expect(try third.kinds()["cleared"] == ["expired_still_granted ann"])
        }
    }

    @Test("All runs can be retracted, also without their folders, and an acceptance then be undone")
    func all() async throws {
        try await NightScene.with { scene in
            for _ in 1...2 { try await scene.run().ends() }
            let ids = try await scene.runs
            let finding = try await scene.finding("refunded_still_granted")
            try scene.command("accept", finding, "--by=ada", "--why=known").ends()
            try FileManager.default.moveItem(
                atPath: scene.reports + "/" + ids[0], toPath: scene.folder.path + "/gone")
            try retract(ids[1], in: scene).ends(last: ["so there is no latest"])
            #expect(!scene.published.contains("latest"))

            // With the folder of other runs, only the files remain to be marked.
            try FileManager.default.moveItem(
                atPath: scene.folder.path + "/gone", toPath: scene.reports + "/" + ids[0])
            try retract(ids[0], in: scene, reports: scene.folder.path)
                .ends(73, last: ["is retracted in the database"])
            #expect(try await scene.states == ["retracted", "retracted"])
            try retract(ids[0], in: scene).ends()
            #expect(throws: (any Error).self) { try scene.publishedRun }
            #expect(try await scene.ledger == [])

            try scene.command(
                "accept", String(finding.prefix(9)), "--undo", "--by=bea", "--why=over"
            ).ends(last: ["No longer accepted: ", finding])
            #expect(try scene.command("accept", "--list").output.isEmpty)
        }
    }

    @Test("A folder whose run was not recorded is marked by a later run, and not added up twice")
    func withdrawn() async throws {
        try await NightScene.with { scene in
            try await scene.run().ends()
            let first = try scene.publishedRun
            // The state between moving `latest` and the commit that records it.
            try await scene.test.execute(
                "update reconcile.run set state = 'open', finished_at = null, is_complete = null")
            let job = try await scene.run("--new").ends()
            #expect(job.error.contains("\(first) exists, but its run was not recorded"))
            let mark = try scene.folder.read("reports/\(first)/RETRACTED.json")
            #expect(mark.contains("\"retracted_by\": \"reconcile-job\""))
            #expect(try scene.publishedRun != first)
        }
    }
}

extension NightScene {
    /// The reports of one more run.
    fileprivate func night() async throws -> PublishedReports {
        try await run("--output=none").ends()
        return try latestReports()
    }

    fileprivate func finding(_ kind: String) async throws -> String {
        try await first("select finding_id from reconcile.finding where kind = '\(kind)'")
    }
}

extension PublishedReports {
    /// The estimated loss by the summary.
    fileprivate func leak() throws -> Decimal {
        let money = try #require(summary["money"] as? [String: [String: Any]])
        return try #require(Decimal(string: money["leak"]?["USD"] as? String ?? "0"))
    }
}
