import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: publish in `reports`, and compare the names, the files or the error.
@Suite("A report folder")
struct ReportFolderTests {
    private let reports: TemporaryFolder
    private let id = Run.sample().id.text
    private let earlier = Run.sample(suffix: 1)
    private let run = Run.sample(suffix: 2)
    init() throws { reports = try TemporaryFolder() }

    @Test("A folder appears complete, with the rows and digest of each file in its manifest")
    func publishes() async throws {
        // What a killed process left is removed, and so is a publication that is given up, but
        // none that another process is writing.
        try reports.folder().makeFolder(".dead.partial")
        try reports.folder(".dead.partial").write("", to: "refunds.csv")
        let folder = try ReportFolder(reports: reports.path, run: .sample())
        _ = try ReportFolder(reports: reports.path, run: run)
        let staged = try reports.names.map { $0.replacing(#/\.[0-9a-f]{16}/#, with: ".16-digits") }
        #expect(staged == [".\(id).16-digits.partial"])
        // So many rows that they fill several buffers.
        let leaks = Array(repeating: ReportedFinding.full, count: 2_000)
        let path = try await reports.publish(
            .sample(unverified: 1), [.sample(.refundRecorded)] + leaks, by: folder)
        #expect(path == "\(reports.path)/\(id)")
        #expect(try reports.names == [id, "latest"])
        #expect(try reports.isWholeReport(id))
        #expect(reports.latest == id)
        let files = Manifest.entries(in: PrintedPaths(try reports.bytes("latest/manifest.json")))
        let rows = Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0.rows) })
        #expect(
            rows == [
                "SHA256SUMS": nil, "cleared.csv": 0, "cleared.json": 0, "expirations.csv": 2_000,
                "expirations.json": 2_000, "index.html": nil, "mismatches.csv": 0,
                "mismatches.json": 0, "not_reported.csv": 0, "not_reported.json": 0,
                "receipts.csv": 0, "receipts.json": 0, "refunds.csv": 1, "refunds.json": 1,
                "report.xlsx": nil, "summary.json": nil, "totals.csv": 2, "totals.json": 2,
                "unverified.csv": 1, "unverified.json": 1,
            ])
        for file in files where file.name.hasSuffix(".csv") {
            let lines = try reports.bytes("latest/" + file.name).count { $0 == 10 }
            #expect(lines - 1 == file.rows, "\(file.name)")
        }
    }

    @Test(
        "Eight publishers of the same bytes leave a whole report, which `report` does not replace")
    func sameTime() async throws {
        try await forEach(in: Array(0..<8), atMost: 8) { [reports] _ in
            try ReportFolder.check(reports.path)
            try await reports.publish { await Task.yield() }
        }
        let path = try await reports.publish()
        #expect(path == "\(reports.path)/\(id)")
        #expect(try reports.names == [id, "latest"])
        let before = try reports.read("\(id)/manifest.json")
        let folder = try ReportFolder(reports: reports.path, run: .sample())
        let published = Republication(
            .published(.sample(), as: try await other("0.2.0")), erasure: Erasure())
        await #expect(throws: ReportError(.occupied, path: path)) {
            _ = try await folder.publish(
                .sample(), codeVersion: "0.2.0", again: published, fence: {})
        }
        #expect(try reports.read("\(id)/manifest.json") == before)
        #expect(try reports.isWholeReport(id))
        #expect(reports.latest == id)
    }

    /// What another release publishes of the same run, elsewhere.
    private func other(_ codeVersion: String) async throws -> PublishedAccount {
        let elsewhere = try TemporaryFolder()
        let folder = try ReportFolder(reports: elsewhere.path, run: .sample())
        return try await folder.publish(.sample(), codeVersion: codeVersion, fence: {}).account
    }

    @Test("A run that is published again, since its record was lost, replaces its own folder")
    func replaced() async throws {
        try await reports.publish()
        let before = try reports.read("\(id)/manifest.json")
        let folder = try ReportFolder(reports: reports.path, run: .sample())
        let account = try await folder.publish(.sample(), codeVersion: "0.2.0", fence: {}).account
        #expect(account.replacesOther)
        #expect(try reports.read("\(id)/manifest.json") != before)
        #expect(try reports.isWholeReport(id))
        #expect(reports.latest == id)
        #expect(try reports.names == [id, "latest"])
    }

    @Test("A folder that a killed process was about to replace has its name again")
    func restored() async throws {
        try await reports.publish()
        try reports.folder().move(id, to: ".\(id).former")
        _ = try ReportFolder(reports: reports.path, run: run)
        #expect(try reports.isWholeReport(id))
        #expect(try reports.names.contains(".\(id).former") == false)
    }

    @Test("A former folder that a killed process left beside the new one goes")
    func leftBehind() async throws {
        try await reports.publish()
        try reports.folder().copy(id, to: ".\(id).former")
        _ = try ReportFolder(reports: reports.path, run: run)
        #expect(try reports.names.contains(".\(id).former") == false)
        #expect(try reports.isWholeReport(id))
    }

    @Test("What only looks like a former folder stays, and so does what a link leads to")
    func notFormer() async throws {
        try await reports.publish()
        let elsewhere = try TemporaryFolder()
        try elsewhere.folder().write("", to: "kept")
        try reports.folder().link(".\(id).former", to: elsewhere.path)
        try reports.folder().makeFolder(".notes.former")
        _ = try ReportFolder(reports: reports.path, run: run)
        #expect(try elsewhere.names == ["kept"])
        #expect(try reports.names.contains(".\(id).former"))
        #expect(try reports.names.contains(".notes.former"))
    }

    @Test("A folder of the run that also holds another file is not replaced")
    func notReplaced() async throws {
        try await reports.publish()
        try reports.folder(id).write("", to: "notes.txt")
        let folder = try ReportFolder(reports: reports.path, run: .sample())
        await #expect(throws: ReportError(.occupied, path: "\(reports.path)/\(id)")) {
            _ = try await folder.publish(.sample(), codeVersion: "0.2.0", fence: {})
        }
        #expect(try reports.names == [id, "latest"])
        #expect(try reports.read("\(id)/notes.txt").isEmpty)
    }

    @Test("If only `latest` could not be moved the message says that the folder is published")
    func standing() async throws {
        try reports.folder().makeFolder("latest/kept")
        let error = await #expect(throws: ReportError.self) { try await reports.publish() }
        #expect(
            error?.description == """
                Cannot write reports at \(reports.path)/latest: Is a directory. The folder \
                \(reports.path)/\(id) is \
                published nevertheless. Make the folder writable for this user, or give another \
                one with --reports.
                """)
        #expect(try reports.isWholeReport(id))
    }

    @Test("A folder whose numbers do not tie out is not published")
    func ties() async throws {
        var receipts = Summary.sample()
        receipts.receipts[.verified] += 1
        var rights = Summary.sample()
        rights.entitlements[.settling] += 1
        let findings = Summary.sample(findings: [.refundRecorded])
        for summary in [receipts, rights, findings, .sample(unverified: 1)] {
            let error = await #expect(throws: ReportError.self) {
                try await reports.publish(summary, unverified: [])
            }
            #expect(error?.description.contains("do not tie out") == true)
        }
        #expect(try reports.names == [])
    }

    @Test("The lease is checked twice, and once by a partial run, which does not move `latest`")
    func checks() async throws {
        var checks = 0
        try await reports.publish { checks += 1 }
        #expect(checks == 2)
        let partial = Run.sample(scope: .limited(users: 1), suffix: 3)
        try await reports.publish(.sample(partial)) { checks += 1 }
        #expect(checks == 3)
        #expect(reports.latest == id)
    }

    @Test(
        "A publisher without the lease neither renames nor moves `latest`, and another one can",
        arguments: [1, 2], [false, true])
    func refused(atCheck refusal: Int, isPublished: Bool) async throws {
        if isPublished { try await reports.publish(.sample(run)) }
        try await reports.publish(.sample(earlier))
        let other = try ReportFolder(reports: reports.path, run: run)
        let before = try reports.names
        var count = 0
        await #expect(throws: CancellationError.self) {
            try await reports.publish(.sample(run)) {
                count += 1
                if count == refusal { throw CancellationError() }
            }
        }
        #expect(reports.latest == earlier.id.text)
        let isRenamed = refusal == 2 && !isPublished
        #expect(Set(try reports.names) == Set(before + (isRenamed ? [run.id.text] : [])))
        if isRenamed || isPublished { #expect(try reports.isWholeReport(run.id.text)) }
        try await reports.publish(.sample(run), by: other)
        #expect(try reports.isWholeReport(run.id.text))
        #expect(reports.latest == run.id.text)
    }
}

extension RunListing {
    /// A published run with the folder that `account` describes.
    fileprivate static func published(_ run: Run, as account: PublishedAccount) -> RunListing {
        RunListing(
            run: run, number: 1, state: "published", makesHistory: true,
            rulesVersion: Run.rulesVersion, isPruned: false, account: account, status: .complete,
            isComplete: true, previousRun: nil, codeVersion: "0.2.0")
    }
}
