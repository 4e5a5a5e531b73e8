import Foundation
import Testing

@testable import TestSupport

@Suite("Accepting a finding")
struct AcceptTests {
    private func accept(_ scene: NightScene, _ arguments: String...) throws -> JobProcess {
        try JobProcess(["accept", "--database=\(scene.database)"] + arguments)
    }

    private func id(
        of kind: String, in reports: PublishedReports, _ file: String
    ) throws -> String {
        let kinds = try reports.column("kind", of: file)
        let ids = try reports.column("finding_id", of: file)
        return try #require(zip(kinds, ids).first { $0.0 == kind }?.1)
    }

    private func night(_ scene: NightScene) async throws -> PublishedReports {
        #expect(try await scene.run("--output=none").status == 0)
        let reports = try PublishedReports(scene.reports + "/latest")
        try reports.expectToTieOut()
        return reports
    }

    @Test("A finding is accepted by a prefix of its id, listed, printed, and counted again")
    func acceptance() async throws {
        try await NightScene.with { scene in
            try await scene.test.execute(
                """
                update team.products
                set billing = '30 days', price = 9.99, currency = 'USD'
                """)
            let first = try await night(scene)
            let id = try id(of: "refunded_still_granted", in: first, "refunds")
            let leak = try first.leakOfRows()
            #expect(try first.money("leak") == leak)

            let job = try accept(
                scene, String(id.prefix(9)), "--by=ada", "--why=a tester",
                "--until=2030-01-01T00:00:00Z")
            #expect(job.status == 0, "\(job.error)")
            #expect(job.lastLine.contains(id) && job.lastLine.contains("of user flo"))
            let list = try accept(scene, "--list")
            #expect(list.status == 0 && list.output.hasPrefix(id))
            #expect(
                list.output.contains("accepted by ada until 2030-01-01T00:00:00Z: a tester"))

            let second = try await night(scene)
            #expect(try second.column("lifecycle", of: "refunds").first == "accepted")
            #expect(try second.money("leak") == second.leakOfRows())
            #expect(try second.leakOfRows() < leak)
            let page = try String(
                contentsOfFile: scene.reports + "/latest/index.html", encoding: .utf8)
            #expect(page.contains("ada") && page.contains("a tester"))
            let accepted = try #require(second.summary["accepted"] as? [[String: Any]])
            #expect(accepted.map { $0["by"] as? String } == ["ada"])
            #expect(accepted.map { $0["why"] as? String } == ["a tester"])
            #expect(accepted.map { $0["until"] as? String } == ["2030-01-01T00:00:00Z"])

            #expect(try accept(scene, id, "--undo", "--by=bea", "--why=no tester").status == 0)
            #expect(try accept(scene, "--list").output.isEmpty)
            #expect(try await night(scene).money("leak") == leak)
        }
    }

    @Test("An acceptance can be undone by a prefix too, also when no published run has the finding")
    func undoneLater() async throws {
        try await NightScene.with { scene in
            let id = try id(of: "refunded_still_granted", in: try await night(scene), "refunds")
            #expect(try accept(scene, id, "--by=ada", "--why=known").status == 0)
            let run = try #require(scene.published.first)
            let retract = try JobProcess([
                "retract", run, "--database=\(scene.database)", "--reports=\(scene.reports)",
                "--by=ada", "--why=wrong",
            ])
            #expect(retract.status == 0, "\(retract.error)")
            let undo = try accept(scene, String(id.prefix(9)), "--undo", "--by=bea", "--why=over")
            #expect(undo.status == 0, "\(undo.error)")
            #expect(undo.lastLine.contains("No longer accepted: "))
            #expect(undo.lastLine.contains(id))
            #expect(try accept(scene, "--list").output.isEmpty)
        }
    }

    @Test("Accepting an event or an unknown id is refused, and so is undoing nothing")
    func refusals() async throws {
        try await NightScene.with { scene in
            let first = try await night(scene)
            let event = try id(of: "refund_recorded", in: first, "refunds")
            let unknown = String(repeating: "f", count: 32)
            for (given, says) in [
                (event, "is an event (refund_recorded)"),
                (unknown, "No published run has reported a finding \(unknown)"),
            ] {
                let job = try accept(scene, given, "--by=ada", "--why=known")
                #expect(job.status == 64)
                #expect(job.lastLine.contains(says), "\(job.lastLine)")
            }
            let leak = try id(of: "refunded_still_granted", in: first, "refunds")
            let undo = try accept(scene, leak, "--undo", "--by=ada", "--why=known")
            #expect(undo.status == 64 && undo.lastLine.contains("is not accepted"))
            #expect(try await scene.test.texts("select 1 from reconcile.acceptance") == [])
        }
    }
}

extension PublishedReports {
    fileprivate func money(_ bucket: String) throws -> Decimal {
        let money = try #require(summary["money"] as? [String: [String: Any]])
        let amount = money[bucket]?["USD"] as? String ?? "0"
        return try #require(Decimal(string: amount))
    }

    fileprivate func leakOfRows() throws -> Decimal {
        try ["expirations", "refunds", "mismatches"].reduce(0) { sum, file in
            let rows = zip(
                try column("lifecycle", of: file),
                zip(
                    try column("money_bucket", of: file),
                    try column("estimated_amount", of: file)))
            return rows.reduce(sum) { sum, row in
                let counts = row.0 != "accepted" && row.1.0 == "leak"
                return sum + (counts ? row.1.1.flatMap { Decimal(string: $0) } ?? 0 : 0)
            }
        }
    }
}
