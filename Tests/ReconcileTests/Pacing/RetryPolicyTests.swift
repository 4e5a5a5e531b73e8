import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A retry policy")
struct RetryPolicyTests {
    private let policy = RetryPolicy(
        maxAttempts: 8, base: .seconds(1), cap: .seconds(30), deadline: .seconds(1_000))

    @Test(
        "The wait is random, with a limit that doubles with each attempt up to the cap",
        arguments: [(1, 1), (2, 2), (3, 4), (4, 8), (5, 16), (6, 30), (7, 30)])
    func jitter(attempt: Int, longestSeconds: Int) throws {
        var generator = SeededGenerator(UInt64(attempt))
        let waits = try (0..<2_000).map { _ in
            try wait(
                policy.decision(
                    afterAttempt: attempt, spent: .zero, retryAfter: nil, using: &generator))
        }
        let longest = Duration.seconds(longestSeconds)
        #expect(waits.allSatisfy { $0 >= .zero && $0 <= longest })
        // Full jitter: both ends are reached, and the mean is in the middle.
        #expect(waits.contains { $0 < longest / 50 } && waits.contains { $0 > longest * 0.98 })
        let mean = waits.reduce(.zero, +) / waits.count
        #expect(mean > longest * 0.47 && mean < longest * 0.53)
    }

    @Test("The wait is at least the server's Retry-After, even beyond the cap")
    func retryAfter() {
        var generator = SeededGenerator(1)
        let decision = policy.decision(
            afterAttempt: 1, spent: .zero, retryAfter: .seconds(120), using: &generator)
        #expect(decision == .wait(.seconds(120)))
    }

    @Test(
        "The policy gives up at the last attempt, and when the wait would pass the deadline",
        arguments: [
            (8, .zero, nil, .attempts), (9, .zero, nil, .attempts),
            (8, .seconds(2_000), nil, .attempts),
            (1, .seconds(1_000), nil, .deadline), (1, .seconds(2_000), nil, .deadline),
            (1, .seconds(400), .seconds(600), .deadline),
            (1, .zero, .seconds(3_600), .deadline),
        ] as [(Int, Duration, Duration?, RetryPolicy.Reason)])
    func givesUp(
        attempt: Int, spent: Duration, retryAfter: Duration?, reason: RetryPolicy.Reason
    ) {
        var generator = SeededGenerator(1)
        let decision = policy.decision(
            afterAttempt: attempt, spent: spent, retryAfter: retryAfter, using: &generator)
        #expect(decision == .giveUp(reason))
    }

    @Test(
        "Extreme numbers do not trap",
        arguments: [
            (.zero, .zero), (.seconds(-1), .seconds(30)), (.seconds(90), .seconds(30)),
            (Duration(attoseconds: 1), .seconds(Int64.max)),
        ] as [(Duration, Duration)])
    func anyNumbers(base: Duration, cap: Duration) throws {
        let policy = RetryPolicy(
            maxAttempts: .max, base: base, cap: cap, deadline: .seconds(Int64.max))
        var generator = SeededGenerator(3)
        for attempt in [-1, 0, 1, 2, 64, 200, 1 << 40] {
            let wait = try wait(
                policy.decision(
                    afterAttempt: attempt, spent: .zero, retryAfter: nil, using: &generator))
            #expect(wait >= .zero && wait <= max(.zero, cap))
        }
    }

    private func wait(_ decision: RetryPolicy.Decision) throws -> Duration {
        guard case .wait(let duration) = decision else { throw Unexpected(decision: decision) }
        return duration
    }

    private struct Unexpected: Error { let decision: RetryPolicy.Decision }
}
