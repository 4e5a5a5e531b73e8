import Testing

@testable import Reconcile
@testable import TestSupport

/// A report that is refused: its bytes, which line is named, and a part of what is said.
///
/// To add a case: a row.
private struct Refused: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    let line: Int
    let says: String

    init(_ label: String, _ lines: [String], line: Int, says: String) {
        let text = lines.map { $0 + "\n" }.joined()
        self.init(label, bytes: Array(text.utf8), line: line, says: says)
    }

    init(_ label: String, bytes: [UInt8], line: Int, says: String) {
        testDescription = label
        self.bytes = bytes
        self.line = line
        self.says = says
    }

    private static let sales = SalesLines()
    private static let detail = DetailLines()

    static let all = [
        Refused(
            "a day of one digit", sales.of(.row(day: "1/5/2026")), line: 2,
            says: "Begin Date \"1/5/2026\" is no day in the form MM/DD/YYYY"),
        Refused(
            "the other order of day and month", sales.of(.row(day: "31/10/2026")), line: 2,
            says: "Begin Date"),
        Refused(
            "a day that there is not", sales.of(.row(), .row(day: "11/31/2026")), line: 3,
            says: "Begin Date \"11/31/2026\" is no day"),
        Refused(
            "the year 0", sales.of(.row(day: "11/05/0000")), line: 2,
            says: "Begin Date \"11/05/0000\" is no day"),
        Refused(
            "two weeks", sales.of(.row(), .row(last: "11/18/2026")), line: 3,
            says: "11/05/2026 to 11/18/2026"),
        Refused(
            "no number", sales.of(.row(units: "")), line: 2, says: "Units \"\" is no whole number"),
        Refused(
            "no number in the row of an app",
            sales.of(.row(), .row(sku: "APP", type: "1F", units: "many", app: "")), line: 3,
            says: "Units \"many\" is no whole number"),
        Refused(
            "a half unit", sales.of(.row(units: "7.50")), line: 2, says: "Units \"7.50\""),
        Refused(
            "a comma in a number", sales.of(.row(units: "2,500")), line: 2,
            says: "Units \"2,500\""),
        Refused(
            "digits without end", sales.of(.row(units: String(repeating: "9", count: 40))), line: 2,
            says: "at most 15 digits"),
        Refused(
            "a point without digits", sales.of(.row(units: "3.")), line: 2, says: "Units \"3.\""),
        Refused("a plus", sales.of(.row(units: "+3")), line: 2, says: "Units \"+3\""),
        Refused("two minus signs", sales.of(.row(units: "--3")), line: 2, says: "Units"),
        Refused(
            "a product without a SKU", sales.of(.row(sku: " ")), line: 2, says: "SKU is empty"),
        Refused(
            "sums that leave 64 bits",
            sales.of(.row(units: "999999999999999"), .row(units: "-2")), line: 3,
            says: "more than 1000000000000000"),
        Refused(
            "a second header", sales.of(.row()) + sales.of(.row()), line: 3,
            says: "A second report begins here"),
        Refused(
            "a column that is missing", ["SKU\tUnits\tBegin Date\tEnd Date\tTitle", "p\t1"],
            line: 1, says: "lacks: product type identifier, parent identifier"),
        Refused(
            "a row that ends before a column", sales.of(.row(), .row()) + ["pro\tIAY\t1"], line: 4,
            says: "ends before a column that is needed"),
        Refused("nothing", [], line: 1, says: "None of the first 10 lines"),
        Refused(
            "the financial report of countries, which has no days of sales",
            ["Start Date\tEnd Date\tVendor Identifier\tQuantity\tSale or Return"], line: 1,
            says: "lacks: transaction date, sku."),
        Refused(
            "a line that is not UTF-8",
            bytes: Array(sales.header.utf8) + [10] + [0x70, 0xFC, 9], line: 2,
            says: "not UTF-8"),
        Refused(
            "UTF-16", bytes: [0xFF, 0xFE] + sales.header.utf8.flatMap { [$0, 0] }, line: 1,
            says: "not UTF-8"),
        Refused(
            "a header in line 11", Array(repeating: "x", count: 10) + sales.of(.row()), line: 1,
            says: "None of the first 10 lines"),
        Refused(
            "detail without its last day", detail.of().filter { !$0.hasPrefix("End") }, line: 3,
            says: "has End Date"),
        Refused(
            "detail without a preamble", Array(detail.of().suffix(1)), line: 1,
            says: "has Start Date"),
        Refused(
            "detail with a first day that is none", detail.of(first: "11.01.2026"), line: 2,
            says: "Start Date \"11.01.2026\" is no day"),
        Refused(
            "detail that ends before it begins", detail.of(last: "10/01/2026"), line: 4,
            says: "no range of days"),
        Refused(
            "detail of a century", detail.of(first: "01/01/1926"), line: 4,
            says: "no range of days"),
        Refused(
            "detail of a day that there is not", detail.of() + ["02/29/2026\tpro\t1\tS"], line: 5,
            says: "Transaction Date \"02/29/2026\" is no day"),
        Refused(
            "detail without a number", detail.of() + ["11/02/2026\tpro\ttwo\tS"], line: 5,
            says: "Quantity \"two\" is no whole number"),
        Refused(
            "detail that neither sells nor takes back",
            detail.of() + ["11/02/2026\tpro\t1\tS", "11/02/2026\tpro\t1\ts"], line: 6,
            says: "\"s\" is neither S (sale) nor R (return)"),
        Refused(
            "two detail reports in one file",
            detail.of() + ["Total_Rows\t0"] + detail.of(), line: 9,
            says: "A second report begins here"),
    ]
}

/// Lines of a sales report, with only the columns that are read.
private struct SalesLines {
    struct Row {
        let text: String

        static func row(
            sku: String = "pro", type: String = "IAY", units: String = "1",
            day: String = "11/05/2026", last: String? = nil, app: String = "APP"
        ) -> Row {
            Row(text: [sku, type, units, day, last ?? day, app].joined(separator: "\t"))
        }
    }

    let header = "SKU\tProduct Type Identifier\tUnits\tBegin Date\tEnd Date\tParent Identifier"

    func of(_ rows: Row...) -> [String] { [header] + rows.map(\.text) }
}

private struct DetailLines {
    func of(first: String = "11/01/2026", last: String = "11/28/2026") -> [String] {
        [
            "Vendor Name\tAcme", "Start Date\t\(first)", "End Date\t\(last)",
            "Transaction Date\tSKU\tQuantity\tSale or Return",
        ]
    }
}

@Suite("The reader of Apple's reports")
struct AppleReportReaderTests {
    private let sales = SalesLines()

    @Test("A report that cannot be compared is refused, with the line", arguments: Refused.all)
    private func refuses(report: Refused) throws {
        let error = #expect(throws: UnreadableReport.self) {
            try AppleReport.read(report.bytes, as: "a/b.txt")
        }
        let unreadable = try #require(error)
        #expect(unreadable.line == report.line, "\(unreadable)")
        #expect(unreadable.problem.contains(report.says), "\(unreadable)")
        #expect(unreadable.description.hasPrefix("a/b.txt, line \(report.line): "))
        #expect(unreadable.description.hasSuffix("."))
    }

    @Test("Units above 0 are sold, below 0 refunded, and 0 is neither")
    func units() throws {
        let report = try AppleReport.read(
            sales.of(.row(units: "3"), .row(units: "-2.00"), .row(units: "0"), .row(units: "4.0")))
        #expect(report.units("pro", "2026-11-05", .sold) == 7)
        #expect(report.units("pro", "2026-11-05", .refunded) == 2)
        #expect(report.rows == 4)
        #expect(report.units.values.map(\.rows).sorted() == [1, 2])
    }

    @Test("A SKU stands as it is, without the blanks around it")
    func skus() throws {
        let report = try AppleReport.read(
            sales.of(.row(sku: " 'a','b' "), .row(sku: "\"c\""), .row(sku: "007")))
        #expect(Set(report.units.keys.map(\.product)) == ["'a','b'", "\"c\"", "007"])
    }

    @Test("The days of a sales report are those of its rows, whether they count or not")
    func days() throws {
        let report = try AppleReport.read(
            sales.of(.row(day: "11/05/2026"), .row(type: "1F", day: "11/06/2026")),
            as: "S_D_1_20261107.txt")
        #expect(report.days.keys.map(\.dayText).sorted() == ["2026-11-05", "2026-11-06"])
        #expect(report.days.values.sorted() == [2, 3])
    }

    @Test(
        "A sales report without rows is of the day in its name",
        arguments: [
            ("S_D_80012345_20261107.txt", "2026-11-07"), ("a_20261107", "2026-11-07"),
            ("20261106_x/S_D_1_20261107.txt.gz", "2026-11-07"),
            ("S_D_1_20261107 (1).txt", "2026-11-07"), ("S_D_80012345_20261301.txt", nil),
            ("S_D_1_00001107.txt", nil),
            ("S_D_20261107_7.txt", nil), ("S_D_1_202611071.txt", nil), ("S_D_1_2026110.txt", nil),
            ("20261107.txt", nil), ("S_D_1_20261107a.txt", nil), ("_20261107/report.txt", nil),
        ] as [(String, String?)])
    func names(path: String, day: String?) throws {
        let report = try AppleReport.read(sales.of(), as: path)
        #expect(report.days.keys.map(\.dayText) == [day].compactMap(\.self))
    }

    @Test("Detail covers the days of its preamble, and has rows of other days")
    func detail() throws {
        let lines = DetailLines().of(last: "11/03/2026") + ["10/30/2026\tpro\t-2\tR"]
        let report = try AppleReport.read(lines)
        #expect(
            report.days.keys.map(\.dayText).sorted() == ["2026-11-01", "2026-11-02", "2026-11-03"])
        #expect(report.units("pro", "2026-10-30", .refunded) == 2)
        #expect(Set(report.units.keys.map(\.app)) == [nil])
    }

    @Test("A line may have 64 KiB, and no more", arguments: [0, 1])
    func lines(excess: Int) throws {
        let rest = SalesLines.Row.row(sku: "").text.utf8.count
        let sku = String(repeating: "p", count: 65_536 - rest + excess)
        for end in ["\n", "\r\n", ""] {
            let text = sales.header + "\n" + SalesLines.Row.row(sku: sku).text + end
            if excess == 0 {
                #expect(try AppleReport.read(Array(text.utf8)).rows == 1)
            } else {
                let error = #expect(throws: UnreadableReport.self) {
                    try AppleReport.read(Array(text.utf8))
                }
                #expect(error?.line == 2)
            }
        }
    }

    @Test("The digest is that of the file as it is; the content has another if it is compressed")
    func digests() throws {
        let plain = try ReportSamples.own.report("S_D_85123456_20261017.txt")
        let packed = try ReportSamples.own.report("S_D_85123456_20261017.txt.gz")
        let members = try ReportSamples.own.report("two-parts.gz")
        #expect(plain.contentSHA256 == plain.sha256)
        #expect(packed.contentSHA256 == plain.sha256)
        #expect(members.contentSHA256 == plain.sha256)
        #expect(Set([plain, packed, members].map(\.sha256)).count == 3)
    }

    @Test("A gzip file that ends anywhere but after a member is refused")
    func truncated() throws {
        let bytes = try ReportSamples.own.bytes("two-parts.gz")
        let whole = (2..<bytes.count).compactMap { try? AppleReport.read(Array(bytes[..<$0])) }
        // The first member ends after two rows.
        #expect(whole.map(\.rows) == [2])
    }

    @Test("A gzip file with another sum or length, or with something behind it, is refused")
    func damaged() throws {
        let bytes = try ReportSamples.own.bytes("S_D_85123456_20261017.txt.gz")
        // The last eight bytes are the sum and the length of the content.
        var others = (1...8).map { fromEnd in
            var other = bytes
            other[other.count - fromEnd] ^= 1
            return other
        }
        others.append(bytes + Array("end".utf8))
        for other in others {
            let error = #expect(throws: UnreadableReport.self) { try AppleReport.read(other) }
            #expect(error?.problem.contains("The gzip data is damaged here") == true)
        }
    }
}
