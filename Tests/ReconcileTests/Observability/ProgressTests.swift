import Testing

@testable import Reconcile

@Suite("The progress line")
struct ProgressTests {
    private func progress(_ done: Int, _ time: Duration, of receipts: Int = 80_000)
        -> RunEvent.Progress
    {
        RunEvent.Progress(
            receiptsDone: done, receiptsInScope: receipts, findings: 21, requestsSent: done,
            inFlight: 16, elapsed: time)
    }

    /// The terminal's width and the seconds so far. To add a case, copy a row.
    @Test(
        "The line fits the terminal by leaving out the least important parts",
        arguments: [
            (
                width: 79, done: 12_345, receipts: 80_000, seconds: 247.6,
                line: "[###>                ] 12345/80000 15%  22:36 left  49.8/s  21 findings"
            ),
            (60, 12_345, 80_000, 247.6, "12345/80000 15%  22:36 left  49.8/s  21 findings"),
            (40, 12_345, 80_000, 247.6, "12345/80000 15%  22:36 left  49.8/s"),
            (30, 12_345, 80_000, 247.6, "12345/80000 15%  22:36 left"),
            (10, 12_345, 80_000, 247.6, "12345/8000"),
            (79, 0, 80_000, 9, "[>                   ] 0/80000 0%  21 findings"),
            (60, 8, 80_000, 8, "8/80000 0%  22:13:12 left  1.0/s  21 findings"),
            (79, 90, 90, 9, "[####################] 90/90 100%  0:00 left  10.0/s  21 findings"),
            (40, 0, 0, 0, "0/0 100%  21 findings"),
        ] as [(width: Int, done: Int, receipts: Int, seconds: Double, line: String)])
    func fits(width: Int, done: Int, receipts: Int, seconds: Double, line: String) {
        let progress = progress(done, .seconds(seconds), of: receipts)
        #expect(Progress(progress).line(width: width) == line)
    }

    @Test("Without a terminal a line is due every ten per cent and every minute")
    func pace() {
        var pace = ProgressPace()
        for (done, elapsed, isDue) in [
            (0, 0, true), (1, 1, false), (7_999, 2, false), (8_000, 3, true), (8_001, 62, false),
            (8_002, 63, true), (8_003, 122, false), (79_999, 122, true), (80_000, 122, true),
        ] { #expect(pace.isDue(progress(done, .seconds(elapsed))) == isDue, "\(done)") }
    }
}
