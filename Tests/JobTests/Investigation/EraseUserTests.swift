import Foundation
import Testing

@testable import TestSupport

/// `prune --user` with published runs, in which `ann` has a finding. To add a case: copy a test,
/// and write what is erased and what `verify` says of the folders, with the verbs in
/// `Tests/README.md`.
@Suite("prune --user", .hangLimit)
struct EraseUserTests {
    private static let folders = "--folders"

    /// - Parameter more: users with a row and no receipt.
    private func afterRuns(
        asOf days: [String] = ["2026-11-20", "2026-11-21"], more: [String] = [],
        _ body: (_ session: Session, _ runs: [String]) async throws -> Void
    ) async throws {
        try await Session.with { session in
            for user in more { try await session.grant(user) }
            for day in days {
                try await session.run("--evidence=all", "--as-of=\(day)T02:00:00Z").exits()
            }
            try await body(session, session.runs())
        }
    }

    private func erase(
        _ user: String = "ann", _ more: String..., in session: Session
    ) async throws -> JobProcess {
        let words = ["prune", "--user=\(user)", "--by=dpo", "--reports=reports"]
        return try await session.job(words + more)
    }

    /// The text of every file of the folder, also of the workbook.
    private func text(of run: String, in session: Session) throws -> String {
        let names = session.everything(in: "reports/\(run)")
        return try names.map { try publishedText("\(session.reports)/\(run)/\($0)") }.joined()
    }

    @Test(
        "It needs to know who erases, and --folders whom",
        arguments: [
            ["prune", "--user=ann"], ["prune", "--by=dpo", "--before=2026-01-01T00:00:00Z"],
        ])
    func usage(words: [String]) async throws {
        try await JobProcess(words: words).exits(64)
            .advises("Try `reconcile-job prune --help`.")
        try await JobProcess("prune", Self.folders).exits(64)
    }

    @Test("It lists the published folders that hold the user, and they can still be audited")
    func audit() async throws {
        try await afterRuns { session, runs in
            try await erase(in: session).exits()
                .printsOnly("holds    reports/\(runs[0])", "holds    reports/\(runs[1])")
                .says("2 published folders in reports still hold the user")
            for run in runs {
                try await session.job("verify", "reports/\(run)").exits()
                    .says("The folder also has 1 row of 1 erased user.")
            }
            try await session.job("report", runs[1], "--reports=again").exits()
                .says("as it was published but for 1 row of 1 erased user")
            try await session.job("verify", "again/\(runs[1])").exits()
                .says("written anew without 1 row of 1 erased user: ERASED.json.")
            try await session.job("diff", runs[0], runs[1]).exits()
                .says("Findings of erased users are left out: 1 of run")
            try await session.job("explain", "--user=ann").exits(66)
        }
    }

    @Test("With --folders they are written anew without the user, and verify proves it")
    func folders() async throws {
        try await afterRuns { session, runs in
            let before = try text(of: runs[0], in: session)
            #expect(before.contains("e-ann"))
            try await session.job(
                "retract", runs[1], "--by=ada", "--why=prices", "--reports=reports"
            ).exits()
            try await erase("ann", Self.folders, in: session).exits()
                .printsOnly("erased   reports/\(runs[0])", "erased   reports/\(runs[1])")
            for run in runs {
                let text = try text(of: run, in: session)
                #expect(!text.contains("e-ann"))
                #expect(text.contains("Written anew: 1 row of 1 erased user"))
                try await session.program("verify", "reports/\(run)").exits()
                    .says("written anew without 1 row of 1 erased user: ERASED.json.")
                try await session.job("verify", "reports/\(run)").exits()
            }
            let mark = session.report("RETRACTED", in: "reports/\(runs[1])")
            #expect(mark["retracted_by"] == "ada")
            #expect(session.published.contains("latest"))
            try await erase("ann", Self.folders, in: session).exits()
                .says("No published folder of a run in reports holds the user.")
        }
    }

    @Test("What ERASED.json says is compared with what the database recorded")
    func forged() async throws {
        try await afterRuns { session, runs in
            try await erase("ann", Self.folders, in: session).exits()
            try session.change("reports/\(runs[0])/ERASED.json", "dpo", to: "eve")
            try await session.job("verify", "reports/\(runs[0])").exits(1)
                .printsOnly("ERASED.json: differs from what is recorded in the database.")
        }
    }

    @Test("A second user can be erased from a folder that was written anew")
    func second() async throws {
        try await afterRuns { session, runs in
            let folder = "reports/\(runs[0])"
            try await erase("ann", Self.folders, in: session).exits()
            try await erase("flo", in: session).exits()
            try await session.job("verify", folder).exits()
            try await erase("flo", Self.folders, in: session).exits()
            let text = try text(of: runs[0], in: session)
            #expect(!text.contains("e-flo"))
            try await session.job("verify", folder).exits()
                .says("rows of 2 erased users: ERASED.json.")
        }
    }

    @Test("A folder from which more users were erased than a run may miss still ties out")
    func many() async throws {
        let users = (1...12).map { "u\($0)" }
        try await afterRuns(asOf: ["2026-11-20"], more: users) { session, runs in
            let folder = "reports/\(runs[0])"
            let named = users.map { "--user=\($0)" }
            try await session.job(["prune"] + named + ["--by=dpo", "--reports=reports"]).exits()
            try await session.job("verify", folder).exits()
            // It still holds `ann`, so it is written anew, without the other twelve too.
            try await erase("ann", Self.folders, in: session).exits()
            try await session.program("verify", folder).exits()
            try await session.job("verify", folder).exits()
                .says("13 rows of 13 erased users: ERASED.json.")
        }
    }

    @Test("A folder with a foreign file stays, and is named")
    func stays() async throws {
        try await afterRuns { session, runs in
            try session.write("mine", to: "reports/\(runs[0])/notes.txt")
            let pruned = try await erase("ann", Self.folders, in: session).exits(73)
                .says("1 published folder could not be written anew")
            let stays = "stays    reports/\(runs[0]): it also holds \"notes.txt\""
            #expect(pruned.output.hasPrefix(stays))
            #expect(pruned.lines.last == "erased   reports/\(runs[1])")
        }
    }
}
