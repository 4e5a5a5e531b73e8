import Glibc
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("CSV for Excel")
struct CSVDialectTests {
    private let reports: TemporaryFolder

    init() throws { reports = try TemporaryFolder() }

    @Test(
        "Text that a spreadsheet would take for a number, date or formula stays text",
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
        var bytes: [UInt8] = []
        CSVReport<Void>(columns: [Column("only") { _, _ in cell }], dialect: .excel)
            .append((), of: .sample(), to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == text + "\r\n")
    }

    @Test("Each page begins with its own header, and verify reads the pages as one table")
    func splits() async throws {
        let run = Run.sample(csvDialect: .excel)
        let folder = try ReportFolder(reports: reports.path, run: run, rowsPerFile: 2)
        let rows = ["1", "2", "'3", "4", "5"].map {
            UnverifiedReceipt.sample(receipt: ReceiptID("54000000000000" + $0), user: UserID($0))
        }.sorted { ($0.user?.text ?? "").bytesPrecede($1.user?.text ?? "") }
        try await folder.fill([:], unverified: rows)
        var summary = RunSummary.sample(run, unverified: 5)
        summary.unverifiedByCause = ["http_status": 5]
        let path = try await folder.publish(summary, codeVersion: "0.1.0", fence: {}).path
        let files = ["unverified.csv", "unverified-part-0002.csv", "unverified-part-0003.csv"]
        let written = try files.map { try reports.bytes(run.id.text + "/" + $0) }
        #expect(written.map { $0.split(separator: 10).count } == [3, 3, 2])
        #expect(
            written.allSatisfy { $0.starts(with: [0xEF, 0xBB, 0xBF] + Array("receipt_id,".utf8)) })
        let verified = FolderVerification(path)
        #expect(verified.failures.isEmpty && verified.rows == 5, "\(verified.failures)")
        #expect(verified.files == 22)

        #expect(unlink(path + "/" + files[2]) == 0)
        let damaged = FolderVerification(path)
        #expect(damaged.failures.contains { $0.contains("unverified-part-0003.csv is missing") })
    }
}
