import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

extension CSVReport {
    /// One row without the header.
    fileprivate static func line(_ cell: Cell, _ dialect: CSVDialect) -> String
    where Row == Void {
        var bytes: [UInt8] = []
        Self(columns: [Column("only") { _, _ in cell }], dialect: dialect)
            .append((), of: .sample(), to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

@Suite("A CSV report")
struct CSVReportTests {
    @Test(
        "Each kind of cell is written, and only text is quoted and neutralised",
        arguments: [
            (.text("plain"), "plain"), (.text(nil), ""), (.text(""), "\"\""),
            (.text("a,b"), "\"a,b\""), (.text("say \"x\""), "\"say \"\"x\"\"\""),
            (.text("two\r\nlines"), "\"two\r\nlines\""), (.text("Zoë 🦊"), "Zoë 🦊"),
            (.text("a\0b"), "\"a\u{FFFD}b\""), (.text("540000000000001"), "540000000000001"),
            (.text("=1+1"), "'=1+1"), (.text("+1"), "'+1"), (.text("-1"), "'-1"),
            (.text("@SUM(A1)"), "'@SUM(A1)"), (.text("\tx"), "\"'\tx\""),
            (.text("\rx"), "\"'\rx\""), (.text("\nx"), "\"'\nx\""), (.text("＝1"), "'＝1"),
            (.text("＋1"), "'＋1"), (.text("－1"), "'－1"), (.text("＠1"), "'＠1"),
            (.text("=A,\"1\""), "\"'=A,\"\"1\"\"\""), (.text("a=1"), "a=1"),
            (.text("！1"), "！1"), (.decimal("-9.99"), "-9.99"), (.decimal(nil), ""),
            (.integer(-3), "-3"), (.integer(nil), ""), (.boolean(true), "true"),
            (.boolean(false), "false"), (.boolean(nil), ""), (.instant(nil), ""),
            (.instant(Instant(milliseconds: 1_795_140_000_999)), "2026-11-20T02:00:00Z"),
            (.instant(.distantFuture), "infinity"), (.instant(.distantPast), "'-infinity"),
            (.instant(Instant(milliseconds: -99_999_999_999_000)), "'-1199-02-15T14:13:21Z"),
            (.instant(Instant(milliseconds: 9_224_318_015_999_999)), "294276-12-31T23:59:59Z"),
            (.instant(Instant(milliseconds: -62_135_596_800_001)), "0000-12-31T23:59:59Z"),
        ] as [(Cell, String)])
    func writes(cell: Cell, text: String) {
        #expect(CSVReport.line(cell, .plain) == text + "\r\n")
    }

    @Test(
        "For Excel, text that it would take for a number, date or formula stays text",
        arguments: [
            (.text("540000000000001234"), "'540000000000001234"), (.text("007"), "'007"),
            (.text("12E10"), "'12E10"), (.text("1-2"), "'1-2"), (.text("12:30"), "'12:30"),
            (.text("1,5"), "\"'1,5\""), (.text("=1+1"), "'=1+1"), (.text("u17"), "u17"),
            (.text("550e8400-e29b-41d4-a716"), "550e8400-e29b-41d4-a716"), (.text("e"), "e"),
            (.text("$100"), "'$100"), (.text("€5"), "'€5"), (.text("MAR1"), "'MAR1"),
            (.text("1-Dec"), "'1-Dec"), (.text("5 PM"), "'5 PM"), (.text("true"), "'true"),
            (.text("#N/A"), "'#N/A"), (.text("march"), "march"), (.text("mark1"), "mark1"),
            (.text("…"), "…"), (.text(""), "\"\""), (.text(nil), ""),
            (.digest("12345678901234567890123456789012"), "'12345678901234567890123456789012"),
            (.decimal("9.99"), "9.99"), (.integer(12), "12"), (.boolean(true), "true"),
            (.instant(Instant(milliseconds: 1_795_140_000_000)), "2026-11-20T02:00:00Z"),
            (.day(Instant(milliseconds: 1_795_140_000_000)), "2026-11-20"),
        ] as [(Cell, String)])
    func guards(cell: Cell, text: String) {
        #expect(CSVReport.line(cell, .excel) == text + "\r\n")
    }

    @Test("A report has a header, and every line has as many fields")
    func header() {
        let report = CSVReport(columns: UnverifiedReceipt.columns)
        var bytes: [UInt8] = []
        report.appendHeader(to: &bytes)
        report.append(.sample(), of: .sample(), to: &bytes)
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                receipt_id,user_id,bundle_id,cause,attempts,last_status,last_http_status,detail,\
                entitlements_affected,run_id,as_of,scope\r
                r9,u9,,http_status,4,,503,HTTP 503,2,20261120T020000Z-000abc,2026-11-20T02:00:00Z,\r

                """)
    }

    @Test("For Excel each page begins with its own header, and verify reads them as one table")
    func splits() async throws {
        let reports = try TemporaryFolder()
        let run = Run.sample(csvDialect: .excel)
        let rows = ["1", "2", "'3", "4", "5"].map {
            UnverifiedReceipt.sample(receipt: ReceiptID("54000000000000" + $0), user: UserID($0))
        }.sorted { ($0.user?.text ?? "").bytesPrecede($1.user?.text ?? "") }
        var summary = RunSummary.sample(run, unverified: 5)
        summary.unverifiedByCause = ["http_status": 5]
        let path = try await reports.publish(
            summary, unverified: rows,
            by: ReportFolder(reports: reports.path, run: run, rowsPerFile: 2))
        let files = ["unverified.csv", "unverified-part-0002.csv", "unverified-part-0003.csv"]
        let written = try files.map { try reports.bytes(run.id.text + "/" + $0) }
        #expect(written.map { $0.split(separator: 10).count } == [3, 3, 2])
        let start = [0xEF, 0xBB, 0xBF] + Array("receipt_id,".utf8)
        #expect(written.allSatisfy { $0.starts(with: start) })
        let verified = FolderVerification(path)
        #expect(verified.failures.isEmpty && verified.rows == 5, "\(verified.failures)")
        #expect(verified.files == 22)

        try reports.remove(run.id.text + "/" + files[2])
        let damaged = FolderVerification(path)
        #expect(damaged.failures.contains { $0.contains("unverified-part-0003.csv is missing") })
    }
}

@Suite("A JSON report")
struct JSONReportTests {
    @Test(
        "Each kind of cell is written as its JSON type",
        arguments: [
            (.text("plain"), #""plain""#), (.text(nil), "null"), (.text(""), #""""#),
            (.text("=1+1"), #""=1+1""#), (.text("a\"b\\c/d"), #""a\"b\\c/d""#),
            (.text("\u{8}\t\n\u{C}\r"), #""\b\t\n\f\r""#),
            (.text("\u{1}\u{1F}"), #""\u0001\u001f""#),
            (.text("\0"), "\"\u{FFFD}\""), (.text("\u{2028}é"), "\"\u{2028}é\""),
            (.decimal("9.90"), #""9.90""#), (.integer(503), "503"), (.integer(nil), "null"),
            (.boolean(true), "true"), (.boolean(false), "false"), (.boolean(nil), "null"),
            (.instant(Instant(milliseconds: 0)), #""1970-01-01T00:00:00Z""#),
        ] as [(Cell, String)])
    func writes(cell: Cell, text: String) {
        let columns = [Column<Void>("only") { _, _ in cell }]
        #expect(rendered([()], columns) == "[\n{\"only\":\(text)}\n]\n")
    }

    @Test("Each row is one object on one line, in order; without rows it is `[]`")
    func lines() throws {
        #expect(rendered([], ReportedFinding.columns) == "[]\n")
        let text = rendered(
            [.sample(user: "u1"), .full, .sample(user: "u3")], ReportedFinding.columns)
        #expect(text.split(separator: "\n").count == 5)
        let rows = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
        #expect(rows?.map { $0["user_id"] as? String } == ["u1", "u1", "u3"])
        #expect(rows?.allSatisfy { $0.count == ReportedFinding.columns.count } == true)
    }

    private func rendered<Row>(_ rows: [Row], _ columns: [Column<Row>]) -> String {
        var report = JSONReport(columns: columns)
        var bytes: [UInt8] = []
        for row in rows { report.append(row, of: .sample(), to: &bytes) }
        report.appendEnd(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
