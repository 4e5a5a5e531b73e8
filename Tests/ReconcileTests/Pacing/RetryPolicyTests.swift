import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A retry policy")
struct RetryPolicyTests {
    private var policy = RetryPolicy(
        maxAttempts: 8, base: .seconds(1), cap: .seconds(30), deadline: .seconds(1_000))
    private var generator = SeededGenerator(1)

    private mutating func decision(
        _ attempt: Int, spent: Duration = .zero, retryAfter: Duration? = nil
    ) -> RetryPolicy.Decision {
        policy.decision(
            afterAttempt: attempt, spent: spent, retryAfter: retryAfter, using: &generator)
    }

    private mutating func wait(afterAttempt attempt: Int) throws -> Duration {
        guard case .wait(let duration) = decision(attempt) else { throw Unexpected() }
        return duration
    }

    private struct Unexpected: Error {}

    @Test(
        "The wait is random, with a limit that doubles with each attempt up to the cap",
        arguments: [(1, 1), (2, 2), (3, 4), (4, 8), (5, 16), (6, 30), (7, 30)])
    mutating func jitter(attempt: Int, longestSeconds: Int) throws {
        generator = SeededGenerator(UInt64(attempt))
        var waits: [Duration] = []
        for _ in 0..<2_000 { waits.append(try wait(afterAttempt: attempt)) }
        let longest = Duration.seconds(longestSeconds)
        #expect(waits.allSatisfy { $0 >= .zero && $0 <= longest })
        // Full jitter: both ends are reached, and the mean is in the middle.
        #expect(waits.contains { $0 < longest / 50 } && waits.contains { $0 > longest * 0.98 })
        let mean = waits.reduce(.zero, +) / waits.count
        #expect(mean > longest * 0.47 && mean < longest * 0.53)
    }

    @Test(
        "The wait is at least Retry-After; none follows the last attempt, or passes the deadline",
        arguments: [
            (1, .zero, .seconds(120), .wait(.seconds(120))),
            (8, .zero, nil, .giveUp(.attempts)), (9, .zero, nil, .giveUp(.attempts)),
            (8, .seconds(2_000), nil, .giveUp(.attempts)),
            (1, .seconds(1_000), nil, .giveUp(.deadline)),
            (1, .seconds(2_000), nil, .giveUp(.deadline)),
            (1, .seconds(400), .seconds(600), .giveUp(.deadline)),
            (1, .zero, .seconds(3_600), .giveUp(.deadline)),
        ] as [(Int, Duration, Duration?, RetryPolicy.Decision)])
    mutating func decides(
        attempt: Int, spent: Duration, retryAfter: Duration?, expected: RetryPolicy.Decision
    ) {
        #expect(decision(attempt, spent: spent, retryAfter: retryAfter) == expected)
    }

    @Test(
        "Extreme numbers do not trap",
        arguments: [
            (.zero, .zero), (.seconds(-1), .seconds(30)), (.seconds(90), .seconds(30)),
            (Duration(attoseconds: 1), .seconds(Int64.max)),
        ] as [(Duration, Duration)])
    mutating func anyNumbers(base: Duration, cap: Duration) throws {
        policy = RetryPolicy(
            maxAttempts: .max, base: base, cap: cap, deadline: .seconds(Int64.max))
        for attempt in [-1, 0, 1, 2, 64, 200, 1 << 40] {
            let wait = try wait(afterAttempt: attempt)
            #expect(wait >= .zero && wait <= max(.zero, cap))
        }
    }
}
