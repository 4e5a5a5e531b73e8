import Testing

@testable import Reconcile

@Suite("The progress line")
struct ProgressTests {
    @Test(
        "The line fits the terminal by leaving out the least important parts",
        arguments: [
            (
                79, 12_345, 247_600,
                "[###>                ] 12345/80000 15%  22:36 left  49.8/s  21 findings"
            ),
            (60, 12_345, 247_600, "12345/80000 15%  22:36 left  49.8/s  21 findings"),
            (40, 12_345, 247_600, "12345/80000 15%  22:36 left  49.8/s"),
            (30, 12_345, 247_600, "12345/80000 15%  22:36 left"),
            (10, 12_345, 247_600, "12345/8000"),
            // The time left is missing before the first receipt, and the bar is full at the last.
            (79, 0, 9_000, "[>                   ] 0/80000 0%  21 findings"),
            (79, 8, 8_000, "[>                   ] 8/80000 0%  22:13:12 left  1.0/s  21 findings"),
            (
                79, 80_000, 8_000_000,
                "[####################] 80000/80000 100%  0:00 left  10.0/s  21 findings"
            ),
        ])
    func fits(width: Int, done: Int, milliseconds: Int, line: String) {
        #expect(Progress(.sample(done, .milliseconds(milliseconds))).line(width: width) == line)
    }

    @Test("Without a terminal a line is due every ten per cent and every minute")
    func pace() {
        var pace = ProgressPace()
        let steps = [
            (0, 0, true), (1, 1, false), (7_999, 2, false), (8_000, 3, true), (8_001, 62, false),
            (8_002, 63, true), (8_003, 122, false), (79_999, 122, true), (80_000, 122, true),
        ]
        for (done, elapsed, isDue) in steps {
            #expect(pace.isDue(.sample(done, .seconds(elapsed))) == isDue, "\(done)")
        }
    }

    @Test("A run without receipts is shown as complete")
    func nothing() {
        #expect(Progress(.sample(0, .zero, of: 0)).line(width: 40) == "0/0 100%  21 findings")
    }
}

extension RunProgress {
    fileprivate static func sample(
        _ done: Int, _ elapsed: Duration, of receipts: Int = 80_000
    ) -> RunProgress {
        RunProgress(
            receiptsDone: done, receiptsInScope: receipts, findings: 21, requestsSent: done,
            inFlight: 16, elapsed: elapsed)
    }
}
