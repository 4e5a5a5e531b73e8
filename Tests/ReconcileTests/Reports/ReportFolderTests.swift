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

    private func expectLatest(_ id: String) throws {
        #expect(try reports.isWholeReport(id) && reports.latest == id)
    }

    @Test("A folder appears complete, with every digest in its manifest")
    func publishes() async throws {
        let folder = try opened()
        #expect(try reports.names.count == 1)
        let pattern = try Regex(#"\.\#(id)\.[0-9a-f]{16}\.partial"#)
        #expect(try reports.staged.wholeMatch(of: pattern) != nil)
        // So many rows that they fill several buffers.
        var summary = RunSummary.sample(
            findings: [.refundRecorded] + Array(repeating: .expiredStillGranted, count: 2_000),
            unverified: 1)
        try summary.money.add(Money(minorUnits: 2_000 * 33, in: .usd), to: .leak)
        let leaks = Array(repeating: ReportedFinding.full, count: 2_000)
        let path = try await reports.publish(
            summary, [.refunds: [.sample(.refundRecorded)], .expirations: leaks],
            unverified: [.sample()], by: folder)
        #expect(path == "\(reports.path)/\(id)")
        #expect(try reports.names == [id, "latest"])
        try expectLatest(id)
        let manifest = oneLine(try reports.bytes("\(id)/manifest.json"))
        for (name, rows) in [("refunds", 1), ("expirations", 2_000), ("mismatches", 0)] {
            let csv = try reports.bytes("latest/\(name).csv")
            #expect(csv.count { $0 == 10 } == rows + 1)
            let entry = "\"name\": \"\(name).csv\", \"rows\": \(rows), \"bytes\": \(csv.count), "
            #expect(manifest.contains(entry))
        }
    }

    @Test("Leftovers of killed processes and of a publication that is given up are removed")
    func leftovers() async throws {
        try reports.sh("mkdir .dead.partial; touch .dead.partial/refunds.csv")
        let folders = try [earlier, run].map(opened)
        let living = try reports.names
        #expect(living.map { $0.prefix(25) } == [".\(earlier.id.text).", ".\(run.id.text)."])
        _ = try opened(run)
        #expect(try reports.names == living)
        for (run, folder) in zip([earlier, run], folders) {
            try await reports.publish(.sample(run), by: folder)
            try expectLatest(run.id.text)
        }
        #expect(try reports.names == [earlier.id.text, run.id.text, "latest"])
    }

    @Test("Eight publishers of the same bytes leave one whole report, and one of others is refused")
    func sameTime() async throws {
        try await forEach(in: Array(0..<8), atMost: 8) { [reports] _ in
            try ReportFolder.check(reports.path)
            try await reports.publish { await Task.yield() }
        }
        let path = try await reports.publish()
        #expect(path == "\(reports.path)/\(id)")
        #expect(try reports.names == [id, "latest"])
        let before = try reports.read("\(id)/manifest.json")
        let folder = try opened()
        await #expect(throws: ReportError(.occupied, path: path)) {
            _ = try await folder.publish(.sample(), codeVersion: "0.2.0", fence: {})
        }
        #expect(try reports.read("\(id)/manifest.json") == before)
        try expectLatest(id)
    }

    @Test("If only `latest` could not be moved the message says that the folder is published")
    func standing() async throws {
        try reports.sh("mkdir -p latest/kept")
        let error = await #expect(throws: ReportError.self) { try await reports.publish() }
        let text = try #require(error).description
        let published = "The folder \(reports.path)/\(id) is published, but `latest` may not point"
        #expect(text.contains("\(reports.path)/latest: Is a directory."))
        #expect(text.contains(published + " to it yet."))
        #expect(text.hasSuffix("run again: no request is sent again."))
        #expect(!text.contains("Nothing was published"))
        #expect(try reports.isWholeReport(id))
    }

    @Test("A folder whose numbers do not tie out is not published")
    func ties() async throws {
        var receipts = RunSummary.sample()
        receipts.receipts.verified += 1
        var rights = RunSummary.sample()
        rights.entitlements.settling += 1
        let findings = RunSummary.sample(findings: [.refundRecorded])
        for summary in [receipts, rights, findings, .sample(unverified: 1)] {
            let error = await #expect(throws: ReportError.self) {
                try await reports.publish(summary)
            }
            #expect(error?.description.contains("do not tie out") == true)
        }
        #expect(try reports.names == [])
    }

    @Test("The lease is checked right before the rename and right before `latest` moves")
    func asked() async throws {
        try await reports.publish(.sample(earlier))
        var seen: [[String]] = []
        try await reports.publish(.sample(run)) {
            let names = try reports.names
            seen.append(names.filter { !$0.hasPrefix(".") })
            #expect(reports.latest == earlier.id.text)
            // All files are written by then.
            #expect(try reports.isWholeReport(names.first { $0.hasPrefix(".") } ?? run.id.text))
        }
        #expect(seen == [[earlier.id.text, "latest"], [earlier.id.text, run.id.text, "latest"]])
        #expect(reports.latest == run.id.text)
        // A partial run checks it once, since `latest` does not move.
        var count = 0
        let partial = Run.sample(scope: .limited(users: 1), suffix: 3)
        try await reports.publish(.sample(partial)) { count += 1 }
        #expect(count == 1 && reports.latest == run.id.text)
    }

    @Test(
        "A publisher that is fenced off does not move `latest`, and another one can publish",
        arguments: [1, 2], [false, true])
    func refused(atCheck refusal: Int, isPublished: Bool) async throws {
        if isPublished { try await reports.publish(.sample(run)) }
        try await reports.publish(.sample(earlier))
        let other = try opened(run)
        let before = try reports.names
        var count = 0
        await #expect(throws: TakenOver.self) {
            try await reports.publish(.sample(run)) {
                count += 1
                if count == refusal { throw TakenOver() }
            }
        }
        #expect(reports.latest == earlier.id.text)
        let isRenamed = refusal == 2 && !isPublished
        #expect(Set(try reports.names) == Set(before + (isRenamed ? [run.id.text] : [])))
        if isRenamed || isPublished { #expect(try reports.isWholeReport(run.id.text)) }
        try await reports.publish(.sample(run), by: other)
        try expectLatest(run.id.text)
    }

    /// A damage in the run's folder, and the sentence about it.
    @Test(
        "`latest` does not move to a report that lost data, staged or left by another worker",
        arguments: textPairs(
            #"""
            sed -i s/u1/u2/ refunds.csv                  | refunds.csv has another SHA-256 digest
            truncate -s -1 refunds.csv                   | refunds.csv has
            echo >> refunds.csv                          | refunds.csv has
            rm refunds.csv                               | refunds.csv is missing
            mv refunds.csv ..; ln -s ../refunds.csv .    | refunds.csv is not a regular file
            rm refunds.csv; mkdir refunds.csv            | refunds.csv is not a regular file
            touch "$(printf 'extra\033.csv')"            | it also holds "extra\u{1B}.csv"
            mkdir "$(printf 'extra\033.csv')"            | it also holds "extra\u{1B}.csv"
            """#), [true, false])
    func lost(damage: (script: String, sentence: String), isStaged: Bool) async throws {
        if !isStaged { try await publishRefund() }
        try await reports.publish(.sample(earlier))
        if !isStaged { try reports.sh("cd \(run.id); \(damage.script)") }
        var questions = 0
        try await expectDifference(damage.sentence) {
            questions += 1
            // All files are written and synced, and the rename is next.
            if questions == 1, isStaged { try reports.sh("cd .\(run.id).*; \(damage.script)") }
        }
        #expect(questions == 1)
        #expect(try reports.names.filter { $0.hasPrefix(".") } == [])
    }

    @Test("A damaged manifest is noticed, and a manifest of another run occupies the folder")
    func manifest() async throws {
        try await reports.publish(.sample(earlier))
        try await expectDifference("manifest.json has 2 bytes, not") {
            guard let staged = try? reports.staged else { return }
            _ = try reports.write("{}", to: staged + "/manifest.json")
        }
        let path = "\(reports.path)/\(run.id.text)"
        await #expect(throws: ReportError(.occupied, path: path)) { try await publishRefund() }
    }

    private func publishRefund(fence: () async throws -> Void = {}) async throws {
        try await reports.publish(
            .sample(run, findings: [.refundRecorded]), [.refunds: [.sample(.refundRecorded)]],
            fence: fence)
    }

    private func expectDifference(_ sentence: String, fence: () throws -> Void) async throws {
        let error = await #expect(throws: ReportError.self) {
            try await publishRefund(fence: fence)
        }
        let text = try #require(error).description
        let path = "\(reports.path)/\(run.id.text)"
        #expect(text.hasPrefix("The reports at \(path) differ from what was written"))
        #expect(text.contains(sentence) && reports.latest == earlier.id.text)
    }
}
