import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a test that enters by a deadline of `clock` and compares when, or that it is
/// refused.
@Suite("The limit of requests about receipts that Apple did not write")
struct UnwrittenLimitTests {
    private let clock = ManualClock()

    @Test("A minute's requests are admitted at once, and then a tenth of the rate")
    func paced() async throws {
        let limit = UnwrittenLimit(rate: 5, clock: clock)
        let deadline = Deadline(after: .seconds(60), by: clock)
        for _ in 0..<30 {
            let isMine = try await limit.enter(before: deadline)
            #expect(isMine)
            limit.leave()
        }
        try await clock.passing {
            for number in 1...5 {
                let isMine = try await limit.enter(before: deadline)
                #expect(isMine)
                #expect(clock.now.sinceStart == .seconds(2 * number))
                limit.leave()
            }
        }
    }

    @Test("A caller without a token before the deadline leaves its permit to the next one")
    func noToken() async throws {
        let limit = UnwrittenLimit(rate: 0.1, clock: clock)
        let first = try await limit.enter(before: Deadline(after: .seconds(30), by: clock))
        #expect(first)
        limit.leave()
        try await clock.passing {
            for _ in 0..<2 * UnwrittenLimit.mostAtOnce {
                let second = try await limit.enter(before: Deadline(after: .seconds(1), by: clock))
                #expect(!second)
            }
            let late = try await limit.enter(before: Deadline(after: .seconds(200), by: clock))
            #expect(late)
        }
    }

    @Test("A caller waits for a permit until the deadline, and no longer")
    func noPermit() async throws {
        let limit = UnwrittenLimit(rate: 1_000, clock: clock)
        for _ in 0..<UnwrittenLimit.mostAtOnce {
            let isMine = try await limit.enter(before: Deadline(after: .seconds(30), by: clock))
            #expect(isMine)
        }
        try await clock.passing {
            let start = clock.now
            let isMine = try await limit.enter(before: Deadline(after: .seconds(30), by: clock))
            #expect(!isMine)
            #expect(start.duration(to: clock.now) == .seconds(30))
            limit.leave()
            let next = try await limit.enter(before: Deadline(after: .seconds(30), by: clock))
            #expect(next)
        }
    }
}
