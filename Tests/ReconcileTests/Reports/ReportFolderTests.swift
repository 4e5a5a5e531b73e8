import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A report folder")
struct ReportFolderTests {
    private let reports: TemporaryFolder
    private let id = Run.sample().id.text

    init() throws { reports = try TemporaryFolder() }

    @Test("A folder appears complete and private, with every digest in its manifest")
    func publishes() async throws {
        let mask = umask(0o077)
        defer { umask(mask) }
        let folder = try ReportFolder(reports: reports.path, run: .sample())
        try await folder.fill(
            [.refunds: [.sample(.refundRecorded)]], unverified: [.sample()])
        let staged = try reports.names
        #expect(staged.count == 1)
        #expect(staged[0].hasPrefix(".\(id).") && staged[0].hasSuffix(".partial"))
        let summary = RunSummary.sample(findings: [.refundRecorded], unverified: 1)
        let path = try await folder.publish(summary, codeVersion: "0.1.0", fence: {}).path
        #expect(path == "\(reports.path)/\(id)")
        #expect(try reports.names == [id, "latest"])
        #expect(try reports.mode(of: id) == 0o750)
        let tables =
            FindingFile.allCases.map(\.rawValue)
            + ["cleared", "unverified", "not_reported", "totals"]
        let names =
            tables.flatMap { ["\($0).csv", "\($0).json"] } + [
                "summary.json", "index.html", "report.xlsx", "SHA256SUMS",
            ]
        let text = try reports.read("\(id)/manifest.json")
        let manifest = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let files = manifest?["files"] as? [[String: Any]] ?? []
        #expect(files.compactMap { $0["name"] as? String } == names.sorted())
        for file in files {
            let name = try #require(file["name"] as? String)
            let contents = try reports.bytes("latest/\(name)")
            #expect(file["sha256"] as? String == Digest.sha256(contents).hexadecimal)
            #expect(file["bytes"] as? Int == contents.count)
            #expect(try reports.mode(of: "\(id)/\(name)") == 0o640)
        }
        let rows = files.first { $0["name"] as? String == "refunds.csv" }?["rows"]
        #expect(rows as? Int == 1)
    }

    @Test("Rows of many buffers are hashed as one file")
    func large() async throws {
        let folder = try ReportFolder(reports: reports.path, run: .sample())
        try await folder.fill([.expirations: Array(repeating: .full, count: 2_000)])
        let kinds = [FindingKind](repeating: .expiredStillGranted, count: 2_000)
        var summary = RunSummary.sample(findings: kinds)
        let money = Money(minorUnits: 2_000 * 33, in: try #require(Currency("USD")))
        try summary.money.add(money, to: .leak)
        _ = try await folder.publish(summary, codeVersion: "0.1.0", fence: {})
        let digest = Digest.sha256(Array(try reports.read("\(id)/expirations.csv").utf8))
        #expect(try reports.read("\(id)/manifest.json").contains(digest.hexadecimal))
        let lines = try reports.read("\(id)/expirations.csv").utf8.count { $0 == 10 }
        #expect(lines == 2_001)
    }

    @Test("An abandoned publication leaves nothing behind")
    func givenUp() throws {
        _ = try ReportFolder(reports: reports.path, run: .sample())
        #expect(try reports.names == [])
    }

    @Test("A folder may be published again with the same bytes, and not with others")
    func again() async throws {
        for version in ["0.1.0", "0.1.0"] {
            let folder = try ReportFolder(reports: reports.path, run: .sample())
            _ = try await folder.publish(.sample(), codeVersion: version, fence: {})
        }
        let before = try reports.read("\(id)/manifest.json")
        let folder = try ReportFolder(reports: reports.path, run: .sample())
        await #expect(throws: ReportError(.occupied, path: "\(reports.path)/\(id)")) {
            _ = try await folder.publish(.sample(), codeVersion: "0.2.0", fence: {})
        }
        #expect(try reports.read("\(id)/manifest.json") == before)
    }

    @Test("If only `latest` could not be moved the message says that the folder is published")
    func standing() async throws {
        try FileManager.default.createDirectory(
            atPath: reports.path + "/latest/kept", withIntermediateDirectories: true)
        let folder = try ReportFolder(reports: reports.path, run: .sample())
        let error = await #expect(throws: ReportError.self) {
            try await folder.publish(.sample(), codeVersion: "0.1.0", fence: {})
        }
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
        let first = Run.sample(suffix: 1)
        let second = Run.sample(suffix: 2)
        for run in [first, second, Run.sample(scope: .limited(users: 1), suffix: 3)] {
            let folder = try ReportFolder(reports: reports.path, run: run)
            _ = try await folder.publish(.sample(run), codeVersion: "0.1.0", fence: {})
        }
        let target = try FileManager.default.destinationOfSymbolicLink(
            atPath: reports.path + "/latest")
        #expect(target == second.id.text)
    }

    @Test("Leftovers of killed processes are removed, and files of living ones are kept")
    func leftovers() async throws {
        try FileManager.default.createDirectory(
            atPath: reports.path + "/.dead.partial", withIntermediateDirectories: false)
        _ = try reports.write("x", to: ".dead.partial/refunds.csv")
        let living = try ReportFolder(reports: reports.path, run: .sample(suffix: 1))
        let other = try ReportFolder(reports: reports.path, run: .sample(suffix: 2))
        let names = try reports.names
        #expect(names.count == 2)
        #expect(names[0].hasPrefix(".20261120T020000Z-000001."))
        #expect(names[1].hasPrefix(".20261120T020000Z-000002."))
        _ = try await living.publish(.sample(.sample(suffix: 1)), codeVersion: "0.1.0", fence: {})
        _ = try await other.publish(.sample(.sample(suffix: 2)), codeVersion: "0.1.0", fence: {})
    }

    @Test("A folder whose numbers do not tie out is not published")
    func ties() async throws {
        var unbalanced = RunSummary.sample()
        unbalanced.receipts.verified += 1
        var rights = RunSummary.sample()
        rights.entitlements.settling += 1
        let wrong = [
            unbalanced, rights, .sample(findings: [.refundRecorded]), .sample(unverified: 1),
        ]
        for summary in wrong {
            let folder = try ReportFolder(reports: reports.path, run: .sample())
            await #expect {
                _ = try await folder.publish(summary, codeVersion: "0.1.0", fence: {})
            } throws: { error in
                guard case .doesNotTie = (error as? ReportError)?.reason else { return false }
                return "\(error)".contains("do not tie out")
            }
        }
        #expect(try reports.names == [])
    }
}
