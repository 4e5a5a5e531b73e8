import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// The comparison in `Tests/Fixtures/tie-out`, written as a folder.
@Suite("The folder of a tie-out")
struct TieOutReportTests {
    private static let samples = SourceTree.root + "/Tests/Fixtures/tie-out/"
    private let reports: TemporaryFolder
    private let tieOut: TieOut

    init() throws {
        reports = try TemporaryFolder()
        let names = [
            "S_D_85123456_20261115.txt", "S_D_85123456_20261112.txt",
            "S_D_85123456_20261113.txt.gz",
        ]
        let files = try names.map { try AppleReport.read(Self.bytes($0), as: $0) }
        var units = PublishedUnits.of(days: 9...15)
        units.figures = try Self.text("figures.csv").split(whereSeparator: \.isNewline)
            .dropFirst().map { line in
                let cells = line.split(separator: ",").map(String.init)
                try #require(cells.count == 7)
                let counts = cells.suffix(4).compactMap { Int($0) }
                return PublishedUnits.Figure(
                    day: try #require(Instant(day: cells[0])), bundle: BundleID(cells[1]),
                    product: ProductID(cells[2]), sold: counts[0], trials: counts[1],
                    refunded: counts[2], upgraded: counts[3])
            }
        tieOut = try TieOut.of(files, units)
    }

    private static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: samples + name)))
    }

    private static func text(_ name: String) throws -> String {
        String(decoding: try bytes(name), as: UTF8.self)
    }

    private func write(_ tieOut: TieOut) async throws -> FolderOnDisk {
        let report = TieOutReport(tieOut, codeVersion: "0.1.0")
        return FolderOnDisk(path: try await report.write(in: ReportsDirectory(path: reports.path)))
    }

    @Test("It has the lines, the sums and the sentence that were calculated by hand")
    func sample() async throws {
        let folder = try await write(tieOut)
        #expect(folder.path == reports.path + "/" + Self.name)
        let table = try Self.text("tie_out.csv")
        let written = try reports.read(Self.name + "/tie_out.csv")
        #expect(written == table)
        #expect(try Self.text("sentence.txt") == tieOut.sentence + "\n")
        let summary = try PrintedPaths(reports.bytes(Self.name + "/summary.json"))
        let expected = try PrintedPaths(Self.bytes("summary.json")).values
        #expect(expected.count == 30)
        for (path, text) in expected {
            #expect(summary.values.first { $0.path == path }?.text == text, "\(path)")
        }
        #expect(summary["runs[0].status"] == "complete")
        #expect(summary.integer("runs[0].days") == 3)
    }

    private static let name = "tie-out-2026-11-12-2026-11-16"

    @Test("It proves itself, and is replaced whole with the same bytes")
    func verified() async throws {
        let folder = try await write(tieOut)
        let verification = try #require(RangeVerification(folder.path))
        #expect(verification.failures == [])
        #expect(verification.rows == tieOut.lines.count)
        let before = try reports.bytes(Self.name + "/manifest.json")
        _ = try await write(tieOut)
        #expect(try reports.bytes(Self.name + "/manifest.json") == before)
        #expect(try reports.names == [Self.name])
    }

    /// A change of the lines, and what `verify` says.
    ///
    /// To add a case: a row.
    private struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Made before the files are written, so that they fit each other and the manifest.
        let lines: @Sendable ([TieOutLine]) -> [TieOutLine]
        let says: String

        static let all = [
            Change(
                testDescription: "a unit more on a day",
                lines: { $0.changing(last: TieOutLine.Units(apple: 10, ours: 8), .appleHasMore) },
                says: "add up to 17 and 15, not 16 and 15"),
            Change(
                testDescription: "another verdict",
                lines: { $0.changing(last: TieOutLine.Units(apple: 9, ours: 8), .shifted) },
                says: "is shifted, not apple_has_more"),
            Change(
                testDescription: "a line that is lost", lines: { $0.dropLast() },
                says: "add up to 7 and 7, not 16 and 15"),
        ]
    }

    @Test("A folder whose days do not add up to its lines is found out", arguments: Change.all)
    private func altered(change: Change) async throws {
        let folder = try RangeFolder(
            reports: ReportsDirectory(path: reports.path), named: RangeName(.tieOut, tieOut.range))
        let table = try folder.table("tie_out", TieOutLine.columns)
        try await table.write(ReportRows([change.lines(tieOut.lines)]))
        folder.add(try table.finish())
        try folder.add("summary.json", tieOut.summary.bytes)
        try folder.add("index.html", TieOutPage(tieOut).bytes)
        let path = try folder.publish(codeVersion: "0.1.0")
        let failures = try #require(RangeVerification(path)).failures
        #expect(failures.count == 1)
        #expect(failures.first?.contains(change.says) == true, "\(failures)")
    }

    @Test("The page begins with the sentence, names the missing days, and loads nothing")
    func page() throws {
        let page = String(decoding: TieOutPage(tieOut).bytes, as: UTF8.self)
        let first = page.firstRange(of: "<p>").map { page[$0.upperBound...] }
        #expect(first?.hasPrefix("<strong>" + tieOut.sentence) == true)
        #expect(page.contains("In no file of Apple's: 2026-11-14"))
        #expect(page.contains("In no published run: 2026-11-16"))
        #expect(page.contains("<svg"))
        #expect(!page.contains("<script"))
        #expect(!page.contains("//"))
    }

    @Test("Text of a report breaks out of no cell and no tag")
    func hostile() async throws {
        let apple = AppleReport.of(
            .on(4, "=1+1", 3), .on(4, "<b>&\"bold\"</b>", 1), days: 4...4, named: "<i>.txt")
        let tieOut = try TieOut.of([apple], .of(days: 4...4))
        let folder = try await write(tieOut)
        let table = try reports.read("tie-out-2026-11-04-2026-11-04/tie_out.csv")
        #expect(table.contains(",'=1+1,"))
        let page = String(decoding: TieOutPage(tieOut).bytes, as: UTF8.self)
        #expect(!page.contains("<b>&"))
        #expect(!page.contains("<i>.txt"))
        #expect(RangeVerification(folder.path)?.failures == [])
    }

    @Test("Missing days in a row are one range")
    func ranges() {
        let days = [3, 4, 5, 8, 10, 11].map(Instant.nov)
        #expect(
            TieOutPage.ranges(days)
                == ["2026-11-03 to 2026-11-05", "2026-11-08", "2026-11-10 to 2026-11-11"])
        #expect(TieOutPage.ranges([]) == [])
    }

    @Test("The text names the greatest differences, at most ten")
    func text() throws {
        let report = TieOutReport(tieOut, codeVersion: "0.1.0")
        let lines = report.text(folder: "reports/x").split(separator: "\n")
        #expect(
            lines == [
                "Your receipts show 99.1 % of what Apple sold in 3 days, and 7 of 9 refunds.",
                "com.example.atlas.mystery, sold: Apple 6, ours 0",
                "com.example.atlas.pass of com.example.atlas, sold: Apple 0, ours 3",
                "com.example.atlas.pro.monthly of com.example.atlas, refunded: Apple 3, ours 2",
                "com.example.lumen.filters of com.example.lumen, refunded: Apple 1, ours 0",
                "Not compared: 1 day is in no file, 1 day is in no published run.",
                "reports/x/index.html says more.",
            ])
    }
}

extension [TieOutLine] {
    fileprivate func changing(
        last units: TieOutLine.Units, _ verdict: TieOutLine.Verdict
    ) -> [TieOutLine] {
        dropLast() + suffix(1).map { TieOutLine(key: $0.key, units: units, verdict: verdict) }
    }
}
