import Testing

@testable import Reconcile

/// To add a case: a row with the number of attempts and the wait in milliseconds before the next.
@Suite("The wait of a batch for locked views")
struct LockScheduleTests {
    private let start = ContinuousClock.now

    /// What follows a failed attempt after `seconds`, the first at 0.
    private func step(
        after seconds: [Double], since others: Double? = nil, lockWait: Duration = .seconds(60)
    ) -> LockSchedule.Step? {
        var schedule = LockSchedule(lockWait: lockWait, giveUpAfter: .seconds(600))
        return seconds.map { second in
            schedule.next(
                at: start + .seconds(second), since: others.map { start + .seconds($0) })
        }.last
    }

    @Test(
        "Attempts are 50 ms apart at first, and 250 ms after the fifth",
        arguments: [(attempts: 1, wait: 50), (2, 100), (4, 200), (5, 250), (50, 250)])
    func backoff(attempts: Int, wait: Int) {
        let seconds = (0..<attempts).map { Double($0) / 10 }
        #expect(step(after: seconds) == .tryAgain(after: .milliseconds(wait)))
    }

    @Test("A batch is put back when its own wait is over, not that of others")
    func putBack() {
        #expect(step(after: [0, 60]) == .putBack)
        #expect(step(after: [0], since: -300) == .tryAgain(after: .milliseconds(50)))
        #expect(step(after: [0], lockWait: .zero) == .putBack)
    }

    @Test("The run ends when no batch could be read for as long as an outage may last")
    func givesUp() {
        #expect(step(after: [0, 1], since: -599) == .giveUp)
        #expect(step(after: [0, 600], lockWait: .seconds(900)) == .giveUp)
    }
}
