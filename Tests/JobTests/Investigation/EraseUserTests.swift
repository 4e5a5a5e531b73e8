import Foundation
import Testing

@testable import TestSupport

/// `prune --user` with two published nights, in which `ann` has a finding.
@Suite("prune --user", .timeLimit(.minutes(10)))
struct EraseUserTests {
    private struct Desk: Sendable {
        let scene: Session
        let runs: [String]

        func job(_ arguments: String) async throws -> JobProcess {
            try await JobProcess.shell(
                "exec reconcile-job \(arguments)", environment: ["DATABASE_URL": scene.test.url],
                in: scene.folder.path)
        }

        func folder(_ night: Int) -> String { "reports/\(runs[night])" }

        /// The text of every file of the folder, also of the workbook.
        func text(of night: Int) throws -> String {
            let path = "\(scene.reports)/\(runs[night])"
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            return try names.map { try publishedText("\(path)/\($0)") }.joined()
        }
    }

    /// - Parameter more: users with a row and no receipt.
    private func spend(
        days: [String] = ["2026-11-20", "2026-11-21"], more: [String] = [],
        _ body: (Desk) async throws -> Void
    ) async throws {
        try await Session.with { scene in
            for user in more { try await scene.grant(user) }
            for day in days {
                let night = try scene.startShell("--evidence=all --as-of=\(day)T02:00:00Z")
                #expect(await night.finish().status == 0)
            }
            try await body(Desk(scene: scene, runs: scene.runs()))
        }
    }

    private static let erase = "prune --user=ann --by=dpo --reports=reports"

    @Test(
        "It needs to know who erases, and --folders whom",
        arguments: [
            "prune --user=ann", "prune --by=dpo --before=2026-01-01T00:00:00Z", "prune --folders",
        ])
    func usage(arguments: String) async throws {
        let ended = try await JobProcess.shell("exec reconcile-job \(arguments)")
        #expect(ended.status == 64)
        #expect(
            ended.lastLine.hasSuffix("Try `reconcile-job prune --help`.")
                || arguments == "prune --folders")
    }

    @Test("It lists the published folders that hold the user, and they can still be audited")
    func audit() async throws {
        try await spend { desk in
            let pruned = try await desk.job(Self.erase)
            #expect(pruned.status == 0)
            #expect(pruned.output == desk.runs.map { "holds    reports/\($0)\n" }.joined())
            #expect(pruned.lastLine.contains("2 published folders in reports still hold the user"))
            for night in 0...1 {
                let verified = try await desk.job(
                    "verify \(desk.folder(night)) --database=$DATABASE_URL")
                #expect(verified.status == 0, "\(verified.output)\(verified.error)")
                #expect(verified.lastLine.contains("The folder also has 1 row of 1 erased user."))
            }
            let written = try await desk.job("report \(desk.runs[1]) --reports=again")
            #expect(written.status == 0, "\(written.error)")
            #expect(written.lastLine.contains("as it was published but for 1 row of 1 erased user"))
            let proved = try await desk.job("verify again/\(desk.runs[1]) --database=$DATABASE_URL")
            #expect(proved.status == 0, "\(proved.output)")
            #expect(
                proved.lastLine.contains(
                    "written anew without 1 row of 1 erased user: ERASED.json."))
            let compared = try await desk.job("diff \(desk.runs[0]) \(desk.runs[1])")
            #expect(compared.status == 0, "\(compared.output)")
            #expect(compared.lastLine.contains("Findings of erased users are left out: 1 of run"))
            let unknown = try await desk.job("explain --user=ann")
            #expect(unknown.status == 66)
        }
    }

    @Test("With --folders they are written anew without the user, and verify proves it")
    func folders() async throws {
        try await spend { desk in
            #expect(try desk.text(of: 0).contains("e-ann"))
            let retracted = try await desk.job(
                "retract \(desk.runs[1]) --by=ada --why=prices --reports=reports")
            #expect(retracted.status == 0)
            let pruned = try await desk.job(Self.erase + " --folders")
            #expect(pruned.status == 0, "\(pruned.error)")
            #expect(pruned.output == desk.runs.map { "erased   reports/\($0)\n" }.joined())
            for night in 0...1 {
                let text = try desk.text(of: night)
                #expect(!text.contains("e-ann"))
                #expect(text.contains("Written anew: 1 row of 1 erased user"))
                let alone = try await desk.job("verify \(desk.folder(night))")
                #expect(alone.status == 0, "\(alone.output)")
                #expect(
                    alone.lastLine.contains(
                        "written anew without 1 row of 1 erased user: ERASED.json."))
                let proved = try await desk.job(
                    "verify \(desk.folder(night)) --database=$DATABASE_URL")
                #expect(proved.status == 0, "\(proved.output)")
            }
            #expect(try desk.text(of: 1).contains("\"retracted_by\": \"ada\""))
            #expect(desk.scene.published.contains("latest"))
            let again = try await desk.job(Self.erase + " --folders")
            #expect(again.status == 0)
            #expect(again.lastLine.contains("No published folder in reports holds the user."))
        }
    }

    @Test("What ERASED.json says is compared with what the database recorded")
    func forged() async throws {
        try await spend { desk in
            #expect(try await desk.job(Self.erase + " --folders").status == 0)
            let file = desk.folder(0) + "/ERASED.json"
            let text = try desk.scene.folder.read(file)
            try desk.scene.folder.write(text.replacing("dpo", with: "eve"), to: file)
            let verified = try await desk.job("verify \(desk.folder(0)) --database=$DATABASE_URL")
            #expect(verified.status == 1)
            #expect(
                verified.output == "ERASED.json: differs from what is recorded in the database.\n")
        }
    }

    @Test("A second user can be erased from a folder that was written anew")
    func second() async throws {
        try await spend { desk in
            #expect(try await desk.job(Self.erase + " --folders").status == 0)
            let flo = Self.erase.replacing("ann", with: "flo")
            #expect(try await desk.job(flo).status == 0)
            let between = try await desk.job("verify \(desk.folder(0)) --database=$DATABASE_URL")
            #expect(between.status == 0, "\(between.output)")
            #expect(try await desk.job(flo + " --folders").status == 0)
            #expect(try !desk.text(of: 0).contains("e-flo"))
            let proved = try await desk.job("verify \(desk.folder(0)) --database=$DATABASE_URL")
            #expect(proved.status == 0, "\(proved.output)")
            #expect(proved.lastLine.contains("rows of 2 erased users: ERASED.json."))
        }
    }

    @Test("A folder from which more users were erased than a run may miss still ties out")
    func many() async throws {
        let users = (1...12).map { "u\($0)" }
        try await spend(days: ["2026-11-20"], more: users) { desk in
            let named = users.map { "--user=\($0)" }.joined(separator: " ")
            let pruned = try await desk.job("prune \(named) --by=dpo --reports=reports")
            #expect(pruned.status == 0, "\(pruned.error)")
            let untouched = try await desk.job("verify \(desk.folder(0)) --database=$DATABASE_URL")
            #expect(untouched.status == 0, "\(untouched.output)")
            // It still holds `ann`, so it is written anew, without the other twelve too.
            let folders = try await desk.job(Self.erase + " --folders")
            #expect(folders.status == 0, "\(folders.error)")
            let alone = try await desk.job("verify \(desk.folder(0))")
            #expect(alone.status == 0, "\(alone.output)")
            let proved = try await desk.job("verify \(desk.folder(0)) --database=$DATABASE_URL")
            #expect(proved.status == 0, "\(proved.output)")
            #expect(proved.lastLine.contains("13 rows of 13 erased users: ERASED.json."))
        }
    }

    @Test("A folder with a foreign file stays, and is named")
    func stays() async throws {
        try await spend { desk in
            try desk.scene.folder.write("mine", to: desk.folder(0) + "/notes.txt")
            let pruned = try await desk.job(Self.erase + " --folders")
            #expect(pruned.status == 73)
            #expect(
                pruned.output.hasPrefix("stays    \(desk.folder(0)): it also holds \"notes.txt\""))
            #expect(pruned.output.hasSuffix("erased   \(desk.folder(1))\n"))
            #expect(pruned.lastLine.contains("1 published folder could not be written anew"))
        }
    }
}
