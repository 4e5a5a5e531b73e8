import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a test that enters by a deadline of `clock` and compares when, or that it is
/// refused.
@Suite("The turns of receipts that Apple did not write")
struct UnwrittenTurnsTests {
    private let clock = ManualClock()

    @Test("A minute's turns come at once, and then a tenth of the rate")
    func paced() async throws {
        let turns = UnwrittenTurns(rate: 5, clock: clock)
        let deadline = Deadline(after: .seconds(60), by: clock)
        for _ in 0..<30 {
            let isMine = try await turns.enter(before: deadline)
            #expect(isMine)
            turns.leave()
        }
        try await clock.passing {
            for turn in 1...5 {
                let isMine = try await turns.enter(before: deadline)
                #expect(isMine)
                #expect(clock.now.sinceStart == .seconds(2 * turn))
                turns.leave()
            }
        }
    }

    @Test("Who gets no token before the deadline has no turn, and the next one can have it")
    func noToken() async throws {
        let turns = UnwrittenTurns(rate: 0.1, clock: clock)
        let first = try await turns.enter(before: Deadline(after: .seconds(30), by: clock))
        #expect(first)
        turns.leave()
        try await clock.passing {
            for _ in 0..<2 * UnwrittenTurns.mostAtOnce {
                let second = try await turns.enter(before: Deadline(after: .seconds(1), by: clock))
                #expect(!second)
            }
            let late = try await turns.enter(before: Deadline(after: .seconds(200), by: clock))
            #expect(late)
        }
    }

    @Test("Who waits behind turns that do not end waits until the deadline, and no longer")
    func noTurn() async throws {
        let turns = UnwrittenTurns(rate: 1_000, clock: clock)
        for _ in 0..<UnwrittenTurns.mostAtOnce {
            let isMine = try await turns.enter(before: Deadline(after: .seconds(30), by: clock))
            #expect(isMine)
        }
        try await clock.passing {
            let start = clock.now
            let isMine = try await turns.enter(before: Deadline(after: .seconds(30), by: clock))
            #expect(!isMine)
            #expect(start.duration(to: clock.now) == .seconds(30))
            turns.leave()
            let next = try await turns.enter(before: Deadline(after: .seconds(30), by: clock))
            #expect(next)
        }
    }
}
