import Testing

@testable import Reconcile

@Suite("The progress line")
struct ProgressTests {
    @Test(
        "The line fits the terminal by leaving out the least important parts",
        arguments: [
            (
                79, "[###>                ] 12345/80000 15%  22:36 left  49.8/s  21 findings"
            ),
            (60, "12345/80000 15%  22:36 left  49.8/s  21 findings"),
            (40, "12345/80000 15%  22:36 left  49.8/s"), (30, "12345/80000 15%  22:36 left"),
            (10, "12345/8000"),
        ])
    func fits(width: Int, line: String) {
        let shown = Progress(.sample(done: 12_345, elapsed: .milliseconds(247_600)))
            .line(width: width)
        #expect(shown == line)
    }

    @Test("The time left is missing before the first receipt, and the bar is full at the last")
    func ends() {
        let first = Progress(.sample(done: 0, elapsed: .seconds(9))).line(width: 79)
        #expect(first == "[>                   ] 0/80000 0%  21 findings")
        let last = Progress(.sample(done: 80_000, elapsed: .seconds(8_000))).line(width: 79)
        #expect(last == "[####################] 80000/80000 100%  0:00 left  10.0/s  21 findings")
        let slow = Progress(.sample(done: 8, elapsed: .seconds(8))).line(width: 79)
        #expect(slow.contains("  22:13:12 left  1.0/s"))
    }

    @Test("Without a terminal a line is due every ten per cent and every minute")
    func pace() {
        var pace = ProgressPace()
        let steps: [(Int, Duration, Bool)] = [
            (0, .zero, true), (1, .seconds(1), false), (7_999, .seconds(2), false),
            (8_000, .seconds(3), true), (8_001, .seconds(62), false),
            (8_002, .seconds(63), true), (8_003, .seconds(122), false),
            (79_999, .seconds(122), true), (80_000, .seconds(122), true),
        ]
        for (done, elapsed, isDue) in steps {
            #expect(pace.isDue(.sample(done: done, elapsed: elapsed)) == isDue, "\(done)")
        }
    }

    @Test("A run without receipts is shown as complete")
    func nothing() {
        let none = RunProgress(
            receiptsDone: 0, receiptsInScope: 0, findings: 0, requestsSent: 0, inFlight: 0,
            elapsed: .zero)
        #expect(Progress(none).line(width: 30) == "0/0 100%  0 findings")
    }
}

extension RunProgress {
    fileprivate static func sample(done: Int, elapsed: Duration) -> RunProgress {
        RunProgress(
            receiptsDone: done, receiptsInScope: 80_000, findings: 21, requestsSent: done,
            inFlight: 16, elapsed: elapsed)
    }
}
