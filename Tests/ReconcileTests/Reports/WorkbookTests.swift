import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The XLSX workbook")
struct WorkbookTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

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
            (.text("\u{1}\r"), "s=", ">_x0001__x000D_</t>"),
            (.text("_x0041_"), #"s="1""#, ">_x005F_x0041_</t>"),
            (.text("_x004_"), #"s="1""#, ">_x004_</t>"),
            (.text("\u{FFFF}"), #"s="1""#, ">_xFFFF_</t>"),
        ] as [(Cell, String, String)])
    func types(cell: Cell, style: String, value: String) {
        let xml = xml(WorkbookCell(cell))
        #expect(xml.contains(style) && xml.contains(value), "\(xml)")
        #expect(xml.hasPrefix("<c r=\"B2\" ") && xml.hasSuffix("</c>"))
    }

    @Test("A text longer than a cell is cut, and marked as cut")
    func long() {
        let longest = String(repeating: "é", count: 32_767)
        #expect(xml(.text(longest)).contains(longest))
        #expect(xml(.text(longest + "é")).contains(longest.dropLast() + "…</t>"))
        // A character outside the Basic Multilingual Plane counts twice.
        let clefs = String(repeating: "\u{1D11E}", count: 20_000)
        #expect(xml(.text(clefs)).contains(">" + clefs.prefix(16_383) + "…</t>"))
    }

    @Test("Columns have the names that spreadsheets give them")
    func letters() {
        #expect(
            [0, 25, 26, 51, 52, 701, 702].map(Workbook.letters)
                == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"])
    }

    @Test("A long table has its first rows, and the number of all rows")
    func cutShort() throws {
        let sheets = try write("a.xlsx", rows: 1_500, mostRows: 1_000)
        #expect(sheets.map(\.rows) == [1_000] && sheets.map(\.tableRows) == [1_500])
        let sheet = try part("xl/worksheets/sheet2.xml", of: "a.xlsx")
        #expect(sheet.components(separatedBy: "<row ").count == 1 + 1 + 1_000 + 1)
        #expect(sheet.contains("The first 1,000 of 1,500 rows; all are in totals.csv."))
        #expect(sheet.contains("<autoFilter ref=\"A1:M1001\"/>"))
        #expect(try part("xl/workbook.xml", of: "a.xlsx").contains("<sheet name=\"Totals\""))
    }

    @Test("The same rows give the same bytes, which are a valid zip file")
    func deterministic() throws {
        for name in ["a.xlsx", "b.xlsx"] { _ = try write(name, rows: 3_000, mostRows: 10_000) }
        #expect(try place.bytes("a.xlsx") == place.bytes("b.xlsx"))
        // Perl's zip reader compares lengths and CRC-32.
        let sheet = try part("xl/worksheets/sheet2.xml", of: "a.xlsx")
        #expect(sheet.utf8.count > 1_000_000 && sheet.hasSuffix("</worksheet>"))
        #expect(try part("[Content_Types].xml", of: "a.xlsx").contains("/xl/worksheets/sheet2.xml"))
    }

    @Test(
        "The summary checks a sum by formula, unless a spreadsheet cannot keep its digits",
        arguments: [(100, true), (1_234_567_890_123_456, false)] as [(Int128, Bool)])
    func manyDigits(units: Int128, isChecked: Bool) throws {
        var summary = RunSummary.sample()
        let dollar = try #require(Currency("USD"))
        try summary.money.add(Money(minorUnits: units, in: dollar), to: .leak)
        let cells =
            SummarySheet.rows(summary, codeVersion: "1", sheets: [])
            .first { $0.contains(.text(MoneyTally.Bucket.leak.title)) } ?? []
        let isVerdict = cells.contains { if case .verdict = $0 { true } else { false } }
        #expect(isVerdict == isChecked)
        #expect(cells.contains(.text("over 15 digits")) != isChecked)
    }

    private func xml(_ cell: WorkbookCell) -> String {
        var bytes: [UInt8] = []
        cell.append(to: &bytes, at: "B", 2)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func write(_ name: String, rows: Int, mostRows: Int) throws -> [Workbook.Sheet] {
        let folder = open(place.path, O_RDONLY | O_DIRECTORY)
        defer { close(folder) }
        let file = try ReportFile(named: name, in: folder, at: place.path)
        let workbook = Workbook(file, mostRows: mostRows)
        var sheet = TableSheet("totals", columns: FindingTotal.columns, in: workbook)
        for number in 0..<rows {
            let total = FindingTotal(FindingTotal.Group(.full), count: number, amount: "0.33")
            try sheet.append([total], of: .sample())
        }
        try sheet.finish()
        _ = try workbook.finish { _ in [[.title("x")]] }
        return workbook.sheets
    }

    private func part(_ part: String, of name: String) throws -> String {
        let script = "unzip $ARGV[0] => '-', Name => $ARGV[1] or die $UnzipError"
        let perl = try ChildProcess(
            "/usr/bin/perl",
            ["-MIO::Uncompress::Unzip=unzip,$UnzipError", "-e", script, place.path + "/" + name]
                + [part])
        let bytes = try #require(try perl.output.readToEnd())
        #expect(perl.wait() == 0)
        return String(decoding: bytes, as: UTF8.self)
    }
}
