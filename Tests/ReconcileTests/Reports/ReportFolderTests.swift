import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A report folder")
struct ReportFolderTests {
    private struct TakenOver: Error {}

    private let reports: TemporaryFolder
    private let id = Run.sample().id.text
    private let earlier = Run.sample(suffix: 1)
    private let run = Run.sample(suffix: 2)

    init() throws { reports = try TemporaryFolder() }

    private func opened(_ run: Run = .sample()) throws -> ReportFolder {
        try ReportFolder(reports: reports.path, run: run)
    }

    @Test("A folder appears complete and private, with every digest in its manifest")
    func publishes() async throws {
        let mask = umask(0o077)
        defer { umask(mask) }
        let folder = try opened()
        let staged = try reports.names
        #expect(staged.count == 1)
        #expect(staged[0].wholeMatch(of: #/\.20261120T[^.]+\.[0-9a-f]{16}\.partial/#) != nil)
        #expect(staged[0].hasPrefix(".\(id)."))
        let path = try await reports.publish(
            .sample(findings: [.refundRecorded], unverified: 1),
            [.refunds: [.sample(.refundRecorded)]], unverified: [.sample()], by: folder)
        #expect(path == "\(reports.path)/\(id)")
        #expect(try reports.names == [id, "latest"])
        #expect(try reports.mode(of: id) == 0o750)
        let tables =
            FindingFile.allCases.map(\.rawValue)
            + ["cleared", "unverified", "not_reported", "totals"]
        let names =
            tables.flatMap { ["\($0).csv", "\($0).json"] }
            + ["summary.json", "index.html", "report.xlsx", "SHA256SUMS"]
        let files = try reports.json("\(id)/manifest.json")["files"] as? [[String: Any]] ?? []
        #expect(files.compactMap { $0["name"] as? String } == names.sorted())
        for file in files {
            let name = try #require(file["name"] as? String)
            let contents = try reports.bytes("latest/\(name)")
            #expect(file["sha256"] as? String == Digest.sha256(contents).hexadecimal)
            #expect(file["bytes"] as? Int == contents.count)
            #expect(try reports.mode(of: "\(id)/\(name)") == 0o640)
            if name == "refunds.csv" { #expect(file["rows"] as? Int == 1) }
        }
    }

    @Test("Rows of many buffers are hashed as one file")
    func large() async throws {
        var summary = RunSummary.sample(
            findings: Array(repeating: .expiredStillGranted, count: 2_000))
        let money = Money(minorUnits: 2_000 * 33, in: try #require(Currency("USD")))
        try summary.money.add(money, to: .leak)
        try await reports.publish(summary, [.expirations: Array(repeating: .full, count: 2_000)])
        let bytes = try reports.bytes("\(id)/expirations.csv")
        #expect(
            try reports.read("\(id)/manifest.json").contains(Digest.sha256(bytes).hexadecimal))
        #expect(bytes.count { $0 == 10 } == 2_001)
    }

    @Test("A publication that is given up leaves nothing, and removes no file of another")
    func givenUp() async throws {
        _ = try opened()
        #expect(try reports.names == [])
        let first = try opened()
        let before = try reports.names
        _ = try opened()
        #expect(try reports.names == before)
        try await reports.publish(by: first)
        #expect(try reports.isWholeReport(id))
        #expect(reports.latest == id)
    }

    @Test("A folder may be published again with the same bytes, and not with others")
    func again() async throws {
        // Both are open at the same time, each in a folder of its own.
        let folders = try (0..<2).map { _ in try opened() }
        #expect(try reports.names.count == 2)
        for folder in folders {
            let path = try await reports.publish(by: folder)
            #expect(path == "\(reports.path)/\(id)")
            #expect(try reports.isWholeReport(id))
        }
        #expect(try reports.names == [id, "latest"])
        let before = try reports.read("\(id)/manifest.json")
        let folder = try opened()
        await #expect(throws: ReportError(.occupied, path: "\(reports.path)/\(id)")) {
            _ = try await folder.publish(.sample(), codeVersion: "0.2.0", fence: {})
        }
        #expect(try reports.read("\(id)/manifest.json") == before)
    }

    @Test("Eight publishers at the same time all succeed and leave one whole report")
    func sameTime() async throws {
        try await withThrowingTaskGroup { [reports] group in
            for _ in 0..<8 {
                group.addTask {
                    try ReportFolder.check(reports.path)
                    try await reports.publish { await Task.yield() }
                }
            }
            try await group.waitForAll()
        }
        #expect(try reports.names == [id, "latest"])
        #expect(try reports.isWholeReport(id))
        #expect(reports.latest == id)
    }

    @Test("If only `latest` could not be moved the message says that the folder is published")
    func standing() async throws {
        try reports.make("latest/kept")
        let error = await #expect(throws: ReportError.self) { try await reports.publish() }
        let text = try #require(error).description
        #expect(text.contains("\(reports.path)/latest: Is a directory."))
        #expect(
            text.contains(
                "The folder \(reports.path)/\(id) is published, but `latest` may not point to"
                    + " it yet."))
        #expect(text.hasSuffix("run again: no request is sent again."))
        #expect(!text.contains("Nothing was published"))
        #expect(try reports.isWholeReport(id))
    }

    @Test("A run over everything moves `latest`, and a partial run does not")
    func latest() async throws {
        let partial = Run.sample(scope: .limited(users: 1), suffix: 3)
        for run in [earlier, run, partial] { try await reports.publish(run) }
        #expect(reports.latest == run.id.text)
    }

    @Test("Leftovers of killed processes are removed, and files of living ones are kept")
    func leftovers() async throws {
        try reports.make(".dead.partial")
        _ = try reports.write("x", to: ".dead.partial/refunds.csv")
        let folders = try [earlier, run].map(opened)
        let names = try reports.names
        #expect(
            names.map { $0.prefix(25) } == [".\(earlier.id.text).", ".\(run.id.text)."])
        for (run, folder) in zip([earlier, run], folders) {
            try await reports.publish(.sample(run), by: folder)
        }
    }

    @Test("A folder whose numbers do not tie out is not published")
    func ties() async throws {
        var unbalanced = RunSummary.sample()
        unbalanced.receipts.verified += 1
        var rights = RunSummary.sample()
        rights.entitlements.settling += 1
        for summary in [
            unbalanced, rights, .sample(findings: [.refundRecorded]), .sample(unverified: 1),
        ] {
            await #expect {
                try await reports.publish(summary)
            } throws: { error in
                guard case .doesNotTie = (error as? ReportError)?.reason else { return false }
                return "\(error)".contains("do not tie out")
            }
        }
        #expect(try reports.names == [])
    }

    @Test("The lease is checked right before the rename and right before `latest` moves")
    func asked() async throws {
        try await reports.publish(earlier)
        var seen: [[String]] = []
        try await reports.publish(run) {
            let names = try reports.names
            seen.append(names.filter { !$0.hasPrefix(".") })
            #expect(reports.latest == earlier.id.text)
            // All files are written by then.
            #expect(
                try reports.isWholeReport(names.first { $0.hasPrefix(".") } ?? run.id.text))
        }
        #expect(seen == [[earlier.id.text, "latest"], [earlier.id.text, run.id.text, "latest"]])
        #expect(reports.latest == run.id.text)
        var count = 0
        // A partial run checks it once, since `latest` does not move.
        try await reports.publish(.sample(scope: .limited(users: 1), suffix: 3)) { count += 1 }
        #expect(count == 1)
    }

    @Test(
        "A publisher that is fenced off does not move `latest`, and leaves a whole report or none",
        arguments: [1, 2], [false, true])
    func refused(atCheck refusal: Int, isPublished: Bool) async throws {
        if isPublished { try await reports.publish(run) }
        try await reports.publish(earlier)
        let other = try opened(run)
        let before = try reports.names
        var count = 0
        await #expect(throws: TakenOver.self) {
            try await reports.publish(run) {
                count += 1
                if count == refusal { throw TakenOver() }
            }
        }
        #expect(reports.latest == earlier.id.text)
        let isRenamed = refusal == 2 && !isPublished
        #expect(Set(try reports.names) == Set(before + (isRenamed ? [run.id.text] : [])))
        if isRenamed || isPublished { #expect(try reports.isWholeReport(run.id.text)) }
        try await reports.publish(.sample(run), by: other)
        #expect(try reports.isWholeReport(run.id.text))
    }
}
