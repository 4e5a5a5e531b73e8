import Testing

@testable import Reconcile

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
        var bytes: [UInt8] = []
        CSVReport<Void>(columns: [Column("only") { _, _ in cell }])
            .append((), of: .sample(), to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == text + "\r\n")
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
}
