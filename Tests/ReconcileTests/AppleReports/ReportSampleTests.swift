import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a file in `Tests/Fixtures/apple-reports`, or in a folder of
/// `RECONCILE_REPORT_SAMPLES`, and its rows in `EXPECT.csv` there.
@Suite("The sample reports")
struct ReportSampleTests {
    @Test("A report is read as an expert reads it", arguments: ReportSamples.readable)
    func reads(row: ReportSamples.Row) throws {
        let report = try row.samples.report(row.files[0])
        #expect(report.kind.rawValue == row.kind)
        #expect("\(report.rows)" == row.rows)
        guard !row.sku.isEmpty else { return }
        #expect(report.units(ProductID(row.sku), row.day, .sold) == row.sold)
        #expect(report.units(ProductID(row.sku), row.day, .refunded) == row.refunded)
        let apps = report.units.keys.filter { $0.product == ProductID(row.sku) }.map(\.app)
        #expect(Set(apps) == [row.app.isEmpty ? nil : AppSKU(row.app)])
    }

    @Test("A report has no other product than those expected", arguments: ReportSamples.all)
    func products(samples: ReportSamples) throws {
        let readable = samples.rows.filter { $0.exit == 0 && $0.files.count == 1 }
        let files = Dictionary(grouping: readable) { $0.files[0] }
        #expect(files.count > 10)
        for (name, rows) in files {
            let products = Set(try samples.report(name).units.keys.map(\.product.text))
            #expect(products == Set(rows.map(\.sku)).subtracting([""]), "\(name)")
        }
    }

    @Test(
        "What is no such report is refused, with the line", arguments: ReportSamples.refused)
    func refuses(row: ReportSamples.Row) throws {
        let error = #expect(throws: UnreadableReport.self) {
            try row.samples.report(row.files[0])
        }
        let unreadable = try #require(error)
        #expect(unreadable.path == row.files[0])
        #expect(row.line == "any" || row.line == "\(unreadable.line)", "\(unreadable)")
    }

    @Test(
        "A report is read the same in pieces of any size",
        arguments: ReportSamples.readable, [2, 3, 61])
    func pieces(row: ReportSamples.Row, size: Int) throws {
        let bytes = try row.samples.bytes(row.files[0])
        let whole = try AppleReport.read(bytes)
        #expect(try AppleReport.read(bytes, pieceBytes: size) == whole)
    }

    @Test(
        "Files that do not belong together are refused, and identical ones count once",
        arguments: ReportSamples.all)
    func sets(samples: ReportSamples) throws {
        for row in samples.rows where row.files.count > 1 {
            let reports = try row.files.map(samples.report)
            var mismatch: ReportSet.Mismatch?
            do throws(ReportSet.Mismatch) {
                _ = try ReportSet(reports)
            } catch {
                mismatch = error
            }
            switch mismatch {
            case nil: #expect(row.exit == 0, "\(row.files)")
            case .kinds: #expect(row.exit == 64, "\(row.files)")
            case .unreadable: #expect(row.exit == 65, "\(row.files)")
            case .noFiles: Issue.record("\(row.files)")
            }
        }
    }
}
