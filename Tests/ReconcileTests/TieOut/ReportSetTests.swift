import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The report files of a tie-out")
struct ReportSetTests {
    private func mismatch(_ reports: AppleReport...) -> ReportSet.Mismatch? {
        do throws(ReportSet.Mismatch) {
            _ = try ReportSet(reports)
            return nil
        } catch {
            return error
        }
    }

    @Test("Files of one content and the same days count once, the first by name")
    func identical() throws {
        let set = try ReportSet([
            .of(days: 4...5, named: "b.txt", content: "same"),
            .of(days: 4...5, named: "c/a.txt", content: "same"),
            .of(days: 6...6, named: "d.txt", content: "same"),
        ])
        #expect(set.files.map(\.report.name) == ["a.txt", "b.txt", "d.txt"])
        #expect(set.files.map(\.isCounted) == [true, false, true])
        #expect(set.range == PacificDays(first: .nov(4), last: .nov(6)))
    }

    @Test("A file that is given twice counts once")
    func twice() throws {
        let file = AppleReport.of(.on(4, "pro", 2), days: 4...4)
        let tieOut = try TieOut.of([file, file], .of(days: 4...4))
        #expect(tieOut.countedRows == [1, 0])
        #expect(tieOut.line()?.units.apple == 2)
    }

    @Test("A day in two files of different content is refused, with the day, both files and a line")
    func overlap() {
        let found = mismatch(
            .of(days: 5...6, named: "y/b.txt"), .of(days: 4...5, named: "x/a.txt"))
        #expect(
            found
                == .unreadable(
                    UnreadableReport(
                        path: "y/b.txt", line: 6,
                        problem: "2026-11-05 is also in x/a.txt, whose content differs. Give one"
                            + " file for each day.")))
    }

    @Test("Sales and financial reports are not compared at once")
    func kinds() {
        let found = mismatch(
            .of(days: 4...5, kind: .financialDetail, named: "a.txt"),
            .of(days: 6...6, named: "b.txt"))
        #expect(found == .kinds(sales: "b.txt", financial: "a.txt"))
    }

    @Test("No file is nothing, and a file without a day has no range")
    func none() throws {
        #expect(mismatch() == .noFiles)
        let empty = AppleReport(
            path: "a.txt", kind: .sales, sha256: "a", contentSHA256: "a", rows: 0, days: [:],
            units: [:])
        #expect(try ReportSet([empty]).range == nil)
    }
}
