import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// The folder `reports/example`, which README and docs/finance.md link to: the reports of a small
/// service. A nightly run, October as the runs so far add it up, and a comparison with Apple's
/// sales reports in `sales`. It is written anew with `RECONCILE_REWRITE_DOCS=1`.
/// To add a case: a customer in one of the nights; then write it anew.
@Suite("The example folder", .database, .hangLimit)
struct ExampleReportTests: DatabaseSuite {
    private static let example = SourceTree.root + "/reports/example"

    @Test("The example folders hold the bytes that this release writes")
    func bytes() async throws {
        let temporary = try TemporaryFolder()
        let summary = try await spendNights()
        let written = [
            try await publish(summary, in: temporary.path),
            try await publishOctober(in: temporary.path), try await tieOut(in: temporary.path),
        ]
        for folder in written { try compare(folder, with: Self.example + "/" + name(of: folder)) }
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.example).sorted()
        #expect(names == (written.map(name) + ["sales"]).sorted())
    }

    private func name(of folder: String) -> String { URL(filePath: folder).lastPathComponent }

    private func compare(_ written: String, with folder: String) throws {
        let manager = FileManager.default
        if ProcessInfo.processInfo.environment["RECONCILE_REWRITE_DOCS"] != nil {
            try? manager.removeItem(atPath: folder)
            try manager.copyItem(atPath: written, toPath: folder)
        }
        let names = try manager.contentsOfDirectory(atPath: folder).sorted()
        #expect(try manager.contentsOfDirectory(atPath: written).sorted() == names)
        for name in names where name != "report.xlsx" {
            let same = try steady(folder + "/" + name) == steady(written + "/" + name)
            #expect(same, "\(folder)/\(name): rewrite it with RECONCILE_REWRITE_DOCS=1")
        }
    }

    /// Without what depends on the version of zlib: the length and digest of the workbook.
    private func steady(_ path: String) throws -> String {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        guard path.hasSuffix("/manifest.json") || path.hasSuffix("/SHA256SUMS") else { return text }
        return text.replacing(#/.*  report\.xlsx\n|"report\.xlsx"(.*\n){3}|"sha256": .*/#, with: "")
    }
}

/// Three nights: before October, at its end, and one in November, which still learns of October.
extension ExampleReportTests {
    private func spendNights() async throws -> Summary {
        try await grant("kim", "lee")
        for user in ["kim", "lee", "mia", "ned"] { try await store(user) }
        try await test.execute("update team.entitlements set active = false where who = 'lee'")
        show("kim", AppleAnswer.period("480000000000000111", from: -100, to: -70))
        show("lee", AppleAnswer.period("480000000000000112", from: -60, to: -30))
        show("mia", AppleAnswer.period("480000000000000110", from: -90, to: -60))
        show("ned", AppleAnswer.period("480000000000000114", from: -62, to: -32))
        try await nights.night(.id("20260930T020000Z-c41d07"), .day(-51))

        try await grant("mia")
        show("mia", AppleAnswer.period("480000000000000113", from: -50, to: -20, cancelled: -30))
        try await nights.night(.id("20261030T020000Z-9b02e5"), .day(-21))

        try await test.execute("update team.entitlements set active = false where who = 'kim'")
        try await grant("ann", "bob", "dan", "gus", "hal")
        try await test.store(entitlement: "entitlement-cyd", of: "cyd", isActive: false)
        for user in ["eve", "gus", "ora"] { try await store(user) }
        show("eve", AppleAnswer.period("480000000000000105", from: -70, to: -9, cancelled: -60))
        show("ora", AppleAnswer.period("480000000000000115", from: -45, to: -15, cancelled: -25))
        nights.answer("gus", .verified())
        return try await nights.night(
            .id("20261120T020000Z-3f2a91"), .day(0), .units(days: 62),
            .of("ann", .ended("480000000000000101")), .of("bob", .refunded("480000000000000102")),
            .of("hal", .silent), .of("cyd", .running("480000000000000103")),
            .of("dan", .running("480000000000000104")), .of("flo", .earlier("480000000000000106"))
        ).summary
    }

    private func grant(_ users: String...) async throws {
        for user in users {
            try await test.store(
                entitlement: "entitlement-" + user, of: user, expires: "2026-12-10T02:00:00Z",
                updated: "2026-08-01T00:00:00Z")
        }
    }

    private func store(_ user: String) async throws {
        try await test.store(receipt: user, of: user, at: "2026-08-01T00:00:00Z")
    }

    private func show(_ user: String, _ purchase: String) {
        nights.answer(user, .verified(purchase))
    }
}

extension ExampleReportTests {
    private func publish(_ summary: Summary, in reports: String) async throws -> String {
        var summary = summary
        // A receipt could not be checked: more than --max-unverified allows.
        summary.status = .incomplete
        summary.oldestVerifiedAt = .asOf
        summary.facts.startedAt = .asOf
        summary.facts.endedAt = .asOf + .seconds(2)
        let id = summary.run.id
        let stored = database.reports
        let folder = try ReportFolder(reports: reports, run: summary.run)
        try await folder.write(
            ReportTables(
                findings: { ReportRows(stored.findings(of: id, in: $0)) },
                cleared: ReportRows(stored.cleared(of: id)),
                unverified: ReportRows(stored.unverified(of: id)),
                notReported: ReportRows(stored.notReported(of: id)),
                totals: ReportRows(stored.findingTotals(of: id)),
                units: ReportRows(stored.units(of: id))))
        let path = try await folder.publish(summary, codeVersion: "example", fence: {}).path
        #expect(FolderVerification(path).failures.isEmpty)
        return path
    }

    private func publishOctober(in reports: String) async throws -> String {
        let october = try #require(FinancialPeriod.month("2026-10"))
        let stored = database.periods
        let runs = try PeriodRuns(of: october.days, in: try await stored.history())
        let folder = try PeriodFolder(reports: ReportsDirectory(path: reports), october)
        return try await folder.publish(
            runs, stored.movements(of: runs, nil),
            { ReportRows(stored.events(of: october, in: $0)) }, codeVersion: "example", fence: {}
        ).path
    }

    /// With the days of the sales reports in `reports/example/sales`.
    private func tieOut(in reports: String) async throws -> String {
        let folder = Self.example + "/sales"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let sales = try ReportSet(
            names.map { name in
                try AppleReport.read(
                    [UInt8](Data(contentsOf: URL(filePath: folder + "/" + name))), as: name)
            })
        let range = try #require(sales.range)
        let published = try await database.units.published(in: range)
        let compared = TieOut(sales, published, in: range, TieOutScope(), products: [])
        return try await TieOutReport(try #require(compared), codeVersion: "example")
            .write(in: ReportsDirectory(path: reports))
    }
}
