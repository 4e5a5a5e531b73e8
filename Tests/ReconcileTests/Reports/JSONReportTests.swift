import Foundation
import Testing

@testable import Reconcile

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
        var report = JSONReport<Void>(columns: [Column("only") { _, _ in cell }])
        #expect(rendered(&report, rows: [()]) == "[\n{\"only\":\(text)}\n]\n")
    }

    @Test("A report without rows is `[]`")
    func empty() {
        var report = JSONReport(columns: ReportedFinding.columns)
        #expect(rendered(&report, rows: []) == "[]\n")
    }

    @Test("Each row is one object on one line, in order")
    func lines() throws {
        var report = JSONReport(columns: ReportedFinding.columns)
        let text = rendered(&report, rows: [.sample(user: "u1"), .full, .sample(user: "u3")])
        #expect(text.split(separator: "\n").count == 5)
        let rows = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
        #expect(rows?.map { $0["user_id"] as? String } == ["u1", "u1", "u3"])
        #expect(rows?.allSatisfy { $0.count == ReportedFinding.columns.count } == true)
    }

    private func rendered<Row>(_ report: inout JSONReport<Row>, rows: [Row]) -> String {
        var bytes: [UInt8] = []
        for row in rows { report.append(row, of: .sample(), to: &bytes) }
        report.appendEnd(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
