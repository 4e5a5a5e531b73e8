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
            let same = try steady(Self.folder + "/" + name) == steady(written + "/" + name)
            #expect(same, "\(name): rewrite it with RECONCILE_REWRITE_DOCS=1")
        }
        #expect(FolderVerification(Self.folder).failures.isEmpty)
    }

    /// The compressed bytes of the workbook depend on the version of zlib. So do its lines in the
    /// manifest and in SHA256SUMS.
    private func steady(_ path: String) throws -> String {
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        guard path.hasSuffix("/manifest.json") || path.hasSuffix("/SHA256SUMS") else { return text }
        return text.replacing(#/.*  report\.xlsx\n|"report\.xlsx"(.*\n){3}|"sha256": .*/#, with: "")
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
            let id = summary.run.id
            let asOf = summary.run.asOf
            summary.run = Run(
                id: RunID(startedAt: asOf, suffix: 0x3F2A91), asOf: asOf, scope: .everything)
            // One of eight receipts could not be checked: more than --max-unverified allows.
            summary.status = .incomplete
            summary.oldestVerifiedAt = asOf
            summary.facts.startedAt = asOf
            summary.facts.endedAt = asOf + .seconds(2)
            let stored = night.database.reports
            let folder = try ReportFolder(reports: reports, run: summary.run)
            try await folder.write(
                ReportTables(
                    findings: { ReportRows(stored.findings(of: id, in: $0)) },
                    cleared: ReportRows(stored.cleared(of: id)),
                    unverified: ReportRows(stored.unverified(of: id)),
                    notReported: ReportRows(stored.notReported(of: id)),
                    totals: ReportRows(stored.findingTotals(of: id))))
            path = try await folder.publish(summary, codeVersion: "example", fence: {}).path
        }
        return path
    }

    /// Of each customer the lines of Apple's answer, and whether the service grants the product.
    private static let customers: [(String, [String], Bool?)] = [
        ("ann", [period(1, from: -40, to: -10)], true),
        ("bob", [period(2, from: -10, to: 20, cancelled: -5)], true),
        ("cyd", [period(3, from: -10, to: 20)], false),
        ("dan", [period(4, from: -10, to: 20)], true),
        ("eve", [period(5, from: -70, to: -9, cancelled: -60)], nil),
        ("flo", [period(6, from: -45, to: -15)], nil), ("gus", [], true), ("hal", [], true),
    ]

    private static func period(
        _ number: Int, from start: Double, to end: Double, cancelled: Double? = nil
    ) -> String {
        AppleAnswer.period(
            "48000000000000010\(number)", from: start, to: end, cancelled: cancelled)
    }
}
