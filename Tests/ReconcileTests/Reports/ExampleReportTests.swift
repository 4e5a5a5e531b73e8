import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// The folder `reports/example`, which README links to: a nightly run of eight customers.
///
/// With `RECONCILE_REWRITE_DOCS=1` the folder is written anew instead.
@Suite("The example folder", .timeLimit(.minutes(10)))
struct ExampleReportTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("../../../reports/example")
        .standardized.path

    @Test("The example folder holds the bytes that this release writes")
    func bytes() async throws {
        let place = try TemporaryFolder()
        let written = try await publish(in: place.path)
        let manager = FileManager.default
        if ProcessInfo.processInfo.environment["RECONCILE_REWRITE_DOCS"] != nil {
            try? manager.removeItem(atPath: Self.folder)
            try manager.copyItem(atPath: written, toPath: Self.folder)
        }
        let names = try manager.contentsOfDirectory(atPath: Self.folder).sorted()
        #expect(try manager.contentsOfDirectory(atPath: written).sorted() == names)
        for name in names where name != "report.xlsx" {
            let same = try lines(Self.folder + "/" + name) == lines(written + "/" + name)
            #expect(same, "\(name): rewrite it with RECONCILE_REWRITE_DOCS=1")
        }
        #expect(FolderVerification(Self.folder).failures.isEmpty)
    }

    /// The compressed bytes of the workbook depend on the version of zlib. So do its lines in the
    /// manifest and in SHA256SUMS.
    private func lines(_ path: String) throws -> [Substring] {
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard path.hasSuffix("/manifest.json") || path.hasSuffix("/SHA256SUMS") else {
            return lines
        }
        var rest = lines.filter { !$0.hasSuffix("  report.xlsx") }
        if let index = rest.firstIndex(where: { $0.contains("\"report.xlsx\"") }) {
            rest.removeSubrange(index..<min(index + 3, rest.count))
        }
        return rest.filter { !$0.contains("\"sha256\": ") || !path.hasSuffix("manifest.json") }
    }

    private func publish(in reports: String) async throws -> String {
        var path = ""
        try await Nights.with { nights in
            for (user, lines, isGranted) in Self.customers {
                try await nights.test.store(receipt: user, of: user)
                if let isGranted {
                    try await nights.test.store(
                        entitlement: "entitlement-" + user, of: user, isActive: isGranted,
                        expires: isGranted ? "2026-12-10T02:00:00Z" : nil)
                }
                nights.answer(user, .reply(AppleAnswer.verified(lines)))
            }
            nights.silence("hal")
            let night = try await nights.night()
            var summary = night.summary
            let run = Run(
                id: RunID(startedAt: summary.run.asOf, suffix: 0x3F2A91), asOf: summary.run.asOf,
                scope: .everything)
            summary.run = run
            // One of eight receipts could not be checked: more than --max-unverified allows.
            summary.status = .incomplete
            summary.oldestVerifiedAt = run.asOf
            summary.facts.startedAt = run.asOf
            summary.facts.endedAt = run.asOf + .seconds(2)
            let id = night.summary.run.id
            let tables = ReportTables(
                findings: { ReportRows(night.database.reports.findings(of: id, in: $0)) },
                cleared: ReportRows(night.database.reports.cleared(of: id)),
                unverified: ReportRows(night.database.reports.unverified(of: id)),
                notReported: ReportRows(night.database.reports.notReported(of: id)),
                totals: ReportRows(night.database.reports.findingTotals(of: id)))
            let folder = try ReportFolder(reports: reports, run: run)
            try await folder.write(tables)
            path = try await folder.publish(summary, codeVersion: "example", fence: {}).path
        }
        return path
    }

    /// Of each customer the lines of Apple's answer, and whether the service grants the product.
    private static let customers: [(String, [String], Bool?)] = [
        ("ann", [AppleAnswer.period("480000000000000101", from: -40, to: -10)], true),
        ("bob", [AppleAnswer.period("480000000000000102", from: -10, to: 20, cancelled: -5)], true),
        ("cyd", [AppleAnswer.period("480000000000000103", from: -10, to: 20)], false),
        ("dan", [AppleAnswer.period("480000000000000104", from: -10, to: 20)], true),
        ("eve", [AppleAnswer.period("480000000000000105", from: -70, to: -9, cancelled: -60)], nil),
        ("flo", [AppleAnswer.period("480000000000000106", from: -45, to: -15)], nil),
        ("gus", [], true),
        ("hal", [], true),
    ]
}
