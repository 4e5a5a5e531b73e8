import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// What an operator may give to `tie-out`.
/// To add a case: a file in `Fixtures/apple-reports`; all of them are in the corpus.
@Suite("Random reports of App Store Connect")
struct AppleReportFuzzTests {
    private enum Reading { case read, refused }

    private static func reading(_ bytes: [UInt8], pieceBytes: Int) -> Result<
        AppleReport, UnreadableReport
    > {
        do throws(UnreadableReport) {
            return .success(try AppleReport.read(bytes, pieceBytes: pieceBytes))
        } catch {
            return .failure(error)
        }
    }

    @Test("A report is read the same whatever the pieces in which it arrives, or is refused")
    func reports() throws {
        let words = [
            "\t", "\n", "\r\n", " ", "SKU", "Units", "Begin Date", "11/05/2026", "02/30/2026",
            "IAY", "-1", "3.00", "99999999999999999999", "Country Of Sale", "Total_Rows",
            "\u{FEFF}", "é",
            "\u{1F}\u{8B}\u{8}\u{0}", "Start Date\t11/01/2026\n", "End Date\t11/07/2026\n",
        ].map { Array($0.utf8) }
        let plan = FuzzPlan("apple-reports", executions: 4_000)
        let corpus = try FuzzCorpus.files("apple-reports").filter { $0.count < 10_000 }
        try plan.run(
            on: corpus, with: words, atLeast: 5, of: Reading.read, .refused
        ) { bytes, generator in
            // Whether a file is compressed is seen by its first two bytes, which come together.
            let whole = Self.reading(bytes, pieceBytes: 1 << 18)
            let inPieces = Self.reading(bytes, pieceBytes: 2 + generator.number(below: 300))
            #expect(whole == inPieces, "\(bytes)")
            switch whole {
            case .success(let report):
                let counted = report.units.values.map(\.rows).reduce(0, +)
                #expect(counted <= report.rows)
                #expect(report.units.values.allSatisfy { $0.units > 0 })
                #expect(report.units.keys.allSatisfy { !$0.product.text.isEmpty })
                return .read
            case .failure(let problem):
                let lines = max(1, bytes.count { $0 == 10 } + 1)
                #expect(problem.line >= 1)
                #expect(bytes.starts(with: [0x1F, 0x8B]) || problem.line <= lines, "\(problem)")
                return .refused
            }
        }
    }
}
