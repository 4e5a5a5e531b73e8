import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A retry policy")
struct RetryPolicyTests {
    /// A decision after an attempt; all times in seconds. To add a case, copy a row and change it.
    struct Case: Sendable, CustomTestStringConvertible {
        let attempt: Int
        let spent: Int
        let retryAfter: Int?
        let decision: RetryPolicy.Decision

        init(
            attempt: Int, spent: Int = 0, retryAfter: Int? = nil, _ decision: RetryPolicy.Decision
        ) {
            self.attempt = attempt
            self.spent = spent
            self.retryAfter = retryAfter
            self.decision = decision
        }

        var testDescription: String {
            let asked = retryAfter.map { ", Retry-After \($0) s" } ?? ""
            return "attempt \(attempt) of 8, \(spent) s of 1,000 s spent\(asked)"
        }
    }

    private var policy = RetryPolicy(
        maxAttempts: 8, base: .seconds(1), cap: .seconds(30), deadline: .seconds(1_000))
    private var generator = SeededGenerator(1)

    private mutating func wait(afterAttempt attempt: Int) throws -> Duration {
        let decision = policy.decision(
            afterAttempt: attempt, spent: .zero, retryAfter: nil, using: &generator)
        guard case .wait(let duration) = decision else { throw CancellationError() }
        return duration
    }

    @Test(
        "The wait is random, with a limit that doubles with each attempt up to the cap",
        arguments: [
            (attempt: 1, longestSeconds: 1), (2, 2), (3, 4), (4, 8), (5, 16), (6, 30), (7, 30),
        ])
    mutating func jitter(attempt: Int, longestSeconds: Int) throws {
        generator = SeededGenerator(UInt64(attempt))
        let most = Duration.seconds(longestSeconds)
        let shares = try (0..<2_000).map { _ in try wait(afterAttempt: attempt) / most }.sorted()
        // Full jitter: both ends are reached, and the mean is in the middle.
        #expect((0..<0.02).contains(shares[0]))
        #expect((0.98...1).contains(shares[1_999]))
        #expect(abs(shares.reduce(0, +) / 2_000 - 0.5) < 0.03)
    }

    @Test(
        "The wait is at least Retry-After; none follows the last attempt, or passes the deadline",
        arguments: [
            // Until the fourth attempt, chance never waits longer than seven seconds.
            Case(attempt: 1, retryAfter: 7, .wait(.seconds(7))),
            Case(attempt: 1, retryAfter: 120, .wait(.seconds(120))),
            Case(attempt: 1, spent: 400, retryAfter: 599, .wait(.seconds(599))),
            Case(attempt: 8, .giveUp(.attempts)),
            Case(attempt: 9, .giveUp(.attempts)),
            Case(attempt: 8, spent: 2_000, .giveUp(.attempts)),
            Case(attempt: 1, spent: 1_000, .giveUp(.deadline)),
            Case(attempt: 1, spent: 2_000, .giveUp(.deadline)),
            Case(attempt: 1, spent: 400, retryAfter: 600, .giveUp(.deadline)),
            Case(attempt: 1, retryAfter: 3_600, .giveUp(.deadline)),
        ])
    mutating func decides(example: Case) {
        let decision = policy.decision(
            afterAttempt: example.attempt, spent: .seconds(example.spent),
            retryAfter: example.retryAfter.map { .seconds($0) }, using: &generator)
        #expect(decision == example.decision)
    }

    @Test(
        "Extreme numbers do not trap",
        arguments: [
            (.zero, .zero), (.seconds(-1), .seconds(30)), (.seconds(90), .seconds(30)),
            (Duration(attoseconds: 1), .seconds(Int64.max)),
        ] as [(base: Duration, cap: Duration)])
    mutating func anyNumbers(base: Duration, cap: Duration) throws {
        policy = .init(maxAttempts: .max, base: base, cap: cap, deadline: .seconds(Int64.max))
        for attempt in [-1, 0, 1, 2, 64, 200, 1 << 40] {
            let wait = try wait(afterAttempt: attempt)
            #expect((.zero...max(.zero, cap)).contains(wait))
        }
    }
}
