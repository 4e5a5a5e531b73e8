import Foundation
import FoundationXML
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A CSV report")
struct CSVReportTests {
    /// One row without the header.
    private func line(_ cell: Cell, _ dialect: CSVDialect) -> String {
        var bytes: [UInt8] = []
        CSVReport(columns: [Column<Void>("only") { _, _ in cell }], dialect: dialect)
            .append((), of: .sample(), to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func expect(_ texts: [String], _ dialect: CSVDialect, as shown: (String) -> String) {
        for text in texts { #expect(line(.text(text), dialect) == shown(text) + "\r\n") }
    }

    @Test("Text is quoted where a reader needs it, and neutralised where it is a formula")
    func texts() {
        expect(["plain", "Zoë 🦊", "540000000000001", "a=1", "！1"], .plain) { $0 }
        expect(["=1+1", "+1", "-1", "@SUM(A1)", "＝1", "＋1", "－1", "＠1"], .plain) { "'\($0)" }
        expect(["", "a,b", "two\r\nlines", "a\u{E}", "\u{1F}b"], .plain) { "\"\($0)\"" }
        expect(["\tx", "\rx", "\nx"], .plain) { "\"'\($0)\"" }
        expect(["say \"x\""], .plain) { _ in "\"say \"\"x\"\"\"" }
        expect(["=A,\"1\""], .plain) { _ in "\"'=A,\"\"1\"\"\"" }
        expect(["a\0b"], .plain) { _ in "\"a\u{FFFD}b\"" }
        #expect(line(.text(nil), .plain) == "\r\n")
    }

    @Test("For Excel, text that it would take for a number, date or formula stays text")
    func guards() {
        let misread = [
            "540000000000001234", "007", "12E10", "1-2", "12:30", "=1+1", "$100", "€5", "MAR1",
            "1-Dec", "5 PM", "true", "#N/A", "2026-11-20", "12/31/2026 11:59 pm",
            "31 december 2026",
        ]
        expect(misread, .excel) { "'\($0)" }
        expect(["u17", "550e8400-e29b-41d4-a716", "e", "march", "mark1", "…"], .excel) { $0 }
        expect(["1,5"], .excel) { "\"'\($0)\"" }
        expect([""], .excel) { _ in "\"\"" }
        #expect(line(.text(nil), .excel) == "\r\n")
        let digits = "12345678901234567890123456789012"
        #expect(line(.digest(digits), .excel) == "'\(digits)\r\n")
        #expect(line(.day(.asOf), .excel) == "2026-11-20\r\n")
    }

    @Test("Where the comma is the decimal separator, a semicolon is between cells")
    func europe() {
        #expect(line(.decimal("-1234.50"), .excelEU) == "-1234,50\r\n")
        #expect(line(.decimal("990"), .excelEU) == "990\r\n")
        expect(["540000000000001234", "5. Mai", "wahr", "=1+1"], .excelEU) { "'\($0)" }
        expect(["a;b", "a,b"], .excelEU) { "\"\($0)\"" }
        expect(["a;b", "5. Mai"], .excel) { $0 }
        var bytes: [UInt8] = []
        let columns = ["a", "b"].map { Column<Void>($0) { _, _ in .decimal("0.5") } }
        let report = CSVReport(columns: columns, dialect: .excelEU)
        report.appendHeader(to: &bytes)
        report.append((), of: .sample(), to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "\u{FEFF}a;b\r\n0,5;0,5\r\n")
    }

    @Test(
        "A number, a truth value and a time are written as they are, for Excel too",
        arguments: [CSVDialect.plain, .excel],
        [
            (.decimal("-9.99"), "-9.99"), (.decimal(nil), ""), (.integer(-3), "-3"),
            (.integer(nil), ""), (.boolean(true), "true"), (.boolean(false), "false"),
            (.boolean(nil), ""), (.instant(nil), ""), (.instant(.distantFuture), "infinity"),
            (.instant(.distantPast), "'-infinity"),
            (.instant(.init(milliseconds: 1_795_140_000_999)), "2026-11-20T02:00:00Z"),
            (.instant(.init(milliseconds: -99_999_999_999_000)), "'-1199-02-15T14:13:21Z"),
            (.instant(.init(milliseconds: 9_224_318_015_999_999)), "294276-12-31T23:59:59Z"),
            (.instant(.init(milliseconds: -62_135_596_800_001)), "0000-12-31T23:59:59Z"),
        ] as [(Cell, String)])
    func values(dialect: CSVDialect, value: (cell: Cell, text: String)) {
        #expect(line(value.cell, dialect) == value.text + "\r\n")
    }

    @Test(
        "For Excel each page begins with its own header, and verify reads them as one table",
        arguments: [(.excel, ","), (.excelEU, ";")] as [(dialect: CSVDialect, separator: String)])
    func splits(dialect: CSVDialect, separator: String) async throws {
        let reports = try TemporaryFolder()
        let run = Run.sample(csvDialect: dialect)
        let rows = ["'3", "1", "2", "4", "5"].map {
            UnverifiedReceipt.sample(receipt: ReceiptID("54000000000000" + $0), user: UserID($0))
        }
        var summary = Summary.sample(run, unverified: 5)
        summary.unverifiedByCause = ["http_status": 5]
        let folder = try ReportFolder(reports: reports.path, run: run, rowsPerFile: 2)
        let path = try await reports.publish(summary, unverified: rows, by: folder)
        let files = ["unverified.csv", "unverified-part-0002.csv", "unverified-part-0003.csv"]
        let written = try files.map { try reports.bytes(run.id.text + "/" + $0) }
        #expect(written.map { $0.split(separator: 10).count } == [3, 3, 2])
        let start = [0xEF, 0xBB, 0xBF] + Array("receipt_id\(separator)".utf8)
        #expect(written.allSatisfy { $0.starts(with: start) })
        let verified = FolderVerification(path)
        #expect(verified.failures == [])
        #expect(verified.rows == 5)
        #expect(verified.files == 22)
        try reports.folder(run.id.text).remove(files[2])
        #expect(
            FolderVerification(path).failures.contains { $0.contains(files[2] + " is missing") })
    }
}

@Suite("A JSON report")
struct JSONReportTests {
    @Test("Each kind of cell is written as its JSON type, each row on a line of its own")
    func writes() {
        let cells: [(Cell, String)] = [
            (.text("plain"), #""plain""#), (.text(nil), "null"), (.text(""), #""""#),
            (.text("=1+1"), #""=1+1""#), (.text("a\"b\\c/d"), #""a\"b\\c/d""#),
            (.text("\u{8}\t\n\u{C}\r"), #""\b\t\n\f\r""#), (.text("\0"), "\"\u{FFFD}\""),
            (.text("\u{1}\u{1F}"), #""\u0001\u001f""#), (.text("\u{2028}é"), "\"\u{2028}é\""),
            (.decimal("9.90"), #""9.90""#), (.integer(503), "503"), (.integer(nil), "null"),
            (.boolean(true), "true"), (.boolean(false), "false"), (.boolean(nil), "null"),
            (.instant(Instant(milliseconds: 0)), #""1970-01-01T00:00:00Z""#),
        ]
        var report = JSONReport(columns: [Column<Cell>("only") { cell, _ in cell }])
        var bytes: [UInt8] = []
        for (cell, _) in cells { report.append(cell, of: .sample(), to: &bytes) }
        report.appendEnd(to: &bytes)
        let rows = cells.map { "{\"only\":\($0.1)}" }.joined(separator: ",\n")
        #expect(String(decoding: bytes, as: UTF8.self) == "[\n\(rows)\n]\n")
    }
}

/// To add a case: a cell with the style and the value that its XML contains.
@Suite("The XLSX workbook")
struct WorkbookTests {
    private let temporary: TemporaryFolder
    init() throws { temporary = try TemporaryFolder() }

    @Test(
        "A value is stored by its type, and text is never a formula, a tag or a control character",
        arguments: [
            (.text("540000000000001234"), #"s="1" t="inlineStr"><is><t "#, ">540000000000001234<"),
            (.decimal("12.30"), #"s="11"><v>"#, ">12.30<"),
            (.decimal("990"), #"s="9"><v>"#, ">990<"),
            (.decimal("1234567890123456.78"), #"t="inlineStr""#, ">1234567890123456.78<"),
            (.integer(-3), #"s="7"><v>"#, ">-3<"), (.boolean(true), #"t="b"><v>"#, ">1<"),
            (.instant(.init(milliseconds: 0)), #"s="5"><v>"#, ">25569<"),
            (.instant(.init(milliseconds: 43_200_500)), #"s="5"><v>"#, ">25569.5<"),
            (.instant(.distantFuture), #"t="inlineStr""#, ">infinity<"),
            (.day(.init(milliseconds: -30_000 * 86_400_000)), "inlineStr", ">1887-11-12<"),
            (.text("=1+1"), #"s="8""#, ">=1+1</t>"), (.text("＝1"), #"s="8""#, ">＝1</t>"),
            (.text("</t><f>1</f>"), #"s="1""#, ">&lt;/t&gt;&lt;f&gt;1&lt;/f&gt;</t>"),
            (.text("a&amp;"), #"s="1""#, ">a&amp;amp;</t>"),
            (.text("_x004_"), #"s="1""#, ">_x004_</t>"),
            (.text("_x0041_"), #"s="1""#, ">_x005F_x0041_</t>"),
            (.text("\u{1}\r"), "s=", ">_x0001__x000D_</t>"),
            (.text("\u{FFFF}"), #"s="1""#, ">_xFFFF_</t>"),
        ] as [(cell: Cell, style: String, value: String)])
    func types(cell: Cell, style: String, value: String) {
        let xml = xml(WorkbookCell(cell))
        #expect(xml.contains(style), "\(xml)")
        #expect(xml.contains(value), "\(xml)")
        #expect(xml.hasPrefix("<c r=\"B2\" "))
        #expect(xml.hasSuffix("</c>"))
    }

    @Test("A text longer than a cell is cut, and marked as cut; columns are named A to AAA")
    func limits() {
        let longest = String(repeating: "é", count: 32_767)
        #expect(xml(.text(longest)).contains(longest))
        #expect(xml(.text(longest + "é")).contains(longest.dropLast() + "…</t>"))
        // A character outside the Basic Multilingual Plane counts twice.
        let clefs = String(repeating: "\u{1D11E}", count: 20_000)
        #expect(xml(.text(clefs)).contains(">" + clefs.prefix(16_383) + "…</t>"))
        let letters = [0, 25, 26, 51, 52, 701, 702].map(Workbook.letters)
        #expect(letters == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"])
    }

    @Test("A table that is too long has its first rows, in the same valid zip each time")
    func cutShort() throws {
        #expect(try write("whole.xlsx", rows: 3_000).map(\.rows) == [3_000])
        for name in ["a.xlsx", "b.xlsx"] {
            let sheets = try write(name, rows: 4_500)
            #expect(sheets.map(\.rows) == [3_000])
            #expect(sheets.map(\.tableRows) == [4_500])
        }
        #expect(try temporary.bytes("a.xlsx").elementsEqual(temporary.bytes("b.xlsx")))
        for (name, cut) in [("whole.xlsx", 0), ("a.xlsx", 1)] {
            // Reads all parts, and compares their lengths and CRC-32.
            let parts = try publishedText(temporary.path + "/" + name)
            #expect(parts.utf8.count > 1_000_000)
            #expect(parts.components(separatedBy: "</worksheet>").count - 1 == 2)
            // The summary has one row, and the table a header.
            #expect(parts.components(separatedBy: "<row ").count - 1 == 1 + 1 + 3_000 + cut)
            let note = "The first 3,000 of 4,500 rows; all are in totals.csv."
            #expect(parts.contains(note) == (cut == 1))
            #expect(parts.contains("The first") == (cut == 1))
            #expect(parts.contains("<autoFilter ref=\"A1:O3001\"/>"))
            #expect(parts.contains("<sheet name=\"Totals\""))
            #expect(parts.contains("PartName=\"/xl/worksheets/sheet2.xml\""))
            let zip = try temporary.bytes(name)
            for part in ["[Content_Types].xml", "xl/workbook.xml", "xl/worksheets/sheet2.xml"] {
                #expect(zip.firstRange(of: Array(part.utf8)) != nil, "\(part)")
            }
        }
    }

    @Test(
        "The summary checks a sum by formula, unless a spreadsheet cannot keep its digits",
        arguments: [(100, true), (1_234_567_890_123_456, false)]
            as [(units: Int128, isChecked: Bool)])
    func manyDigits(units: Int128, isChecked: Bool) throws {
        var summary = Summary.sample()
        try summary.money.add(Money(minorUnits: units, in: .usd), to: .leak)
        let rows = SummarySheet.rows(summary, codeVersion: "1", sheets: [])
        let cells = rows.first { $0.contains(.text(MoneyTally.Bucket.leak.title)) }
        let isVerdict = cells?.contains { if case .verdict = $0 { true } else { false } }
        #expect(isVerdict == isChecked)
        #expect(cells?.contains(.text("over 15 digits")) != isChecked)
    }

    @Test("Every part of a workbook is well-formed XML, with the formulas of the first sheet")
    func isWellFormed() throws {
        var summary = Summary.sample()
        try summary.money.add(Money(minorUnits: 999, in: .usd), to: .leak)
        let counts = ViewCounts(users: 1, receipts: 1, entitlements: 1)
        summary.coverage = Coverage(planned: counts, atClose: counts, recorded: counts)
        _ = try write(
            "whole.xlsx", rows: 1,
            summary: { SummarySheet.rows(summary, codeVersion: "1", sheets: $0) },
            details: [
                ("Details", 1, { DetailSheet.rows(summary, sheets: $0) }),
                ("Ageing", 1, { _ in AgeingSheet.rows(summary) }),
            ])
        let parts = try publishedText(temporary.path + "/whole.xlsx").components(
            separatedBy: "<?xml"
        )
        .dropFirst()
        #expect(parts.count == 9)
        for part in parts {
            let text = "<?xml" + part
            let parser = XMLParser(data: Data(text.utf8))
            #expect(parser.parse(), "\(text.prefix(200))")
        }
    }

    private func xml(_ cell: WorkbookCell) -> String {
        var bytes: [UInt8] = []
        cell.append(to: &bytes, at: "B", 2)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func write(
        _ name: String, rows: Int,
        summary: ([Workbook.Sheet]) -> [[WorkbookCell]] = { _ in [[.title("x")]] },
        details: [(title: String, frozenRows: Int, rows: ([Workbook.Sheet]) -> [[WorkbookCell]])] =
            []
    ) throws -> [Workbook.Sheet] {
        let file = try ReportFile(named: name, in: OpenFolder(path: temporary.path))
        let workbook = Workbook(file, mostRows: 3_000)
        var sheet = TableSheet("totals", columns: FindingTotal.columns, in: workbook)
        let totals = (0..<rows).map {
            FindingTotal(.init(.full, asOf: .asOf), count: $0, amount: "0.33")
        }
        try sheet.append(totals, of: .sample())
        try sheet.finish()
        _ = try workbook.finish(summary: summary, details: details)
        return workbook.sheets
    }
}
