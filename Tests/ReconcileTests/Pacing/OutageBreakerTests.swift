import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The outage circuit breaker")
struct OutageBreakerTests {
    private var watch = OutageBreaker(patience: .seconds(600), firstWait: .seconds(1))

    private mutating func note(
        _ count: Int, _ answer: AnswerClass, at seconds: Int = 0
    ) -> [OutageBreaker.Change] {
        (0..<count).compactMap { _ in watch.note(answer, at: .seconds(seconds)) }
    }

    private mutating func probe(
        _ answer: AnswerClass, retryAfter: Duration? = nil, at seconds: Int
    ) -> OutageBreaker.Change? {
        watch.recordProbe(answer, retryAfter: retryAfter, at: .seconds(seconds))
    }

    private func admission(at seconds: Int) -> OutageBreaker.Admission {
        watch.admission(at: .seconds(seconds))
    }

    @Test(
        "The breaker opens when half of the last 200 answers are troubled, or of the first 50",
        arguments: [
            (0, 50, .troubled), (0, 49, .sound), (25, 25, .troubled), (26, 26, .troubled),
            (100, 100, .troubled), (1_000, 100, .troubled),
        ] as [(Int, Int, AnswerClass)])
    mutating func opens(sound: Int, troubled: Int, last: AnswerClass) {
        #expect(note(sound, .sound).isEmpty)
        #expect(note(last == .sound ? troubled : troubled - 1, .throttled).isEmpty)
        #expect(admission(at: 0) == .free)
        #expect(note(1, last) == [.began])
        #expect(!watch.isClosed)
    }

    @Test("The breaker stays closed while just less than half of the answers are troubled")
    mutating func lessThanHalf() {
        for _ in 0..<1_000 {
            #expect(note(12, .sound).isEmpty)
            #expect(note(10, .troubled).isEmpty)
        }
        // It never gives up, and ignores probes, while it is closed.
        #expect(watch.giveUpIfOverdue(at: .seconds(Int64.max)) == nil)
        #expect(probe(.troubled, at: 0) == nil)
        #expect(admission(at: 0) == .free && watch.isClosed)
    }

    @Test("While the breaker is open it lets probes out, with growing waits while they fail")
    mutating func probes() {
        _ = note(50, .troubled, at: 100)
        #expect(admission(at: 100) == .wait(until: .seconds(101)))
        var now = 101
        // None before the server's Retry-After.
        for (seconds, retryAfter) in [
            (2, nil), (4, 3), (8, 9), (16, nil), (30, nil), (30, nil), (45, 45),
        ] {
            #expect(admission(at: now) == .probe)
            #expect(probe(.troubled, retryAfter: retryAfter.map { .seconds($0) }, at: now) == nil)
            now += max(seconds, retryAfter ?? 0)
            #expect(admission(at: now - 1) == .wait(until: .seconds(now)))
        }
    }

    @Test("The breaker closes after three successful probes in a row, which need not wait")
    mutating func ended() {
        _ = note(50, .troubled)
        // Answers to requests that were in flight do not count.
        #expect(note(500, .sound).isEmpty && !watch.isClosed)
        _ = probe(.sound, at: 1)
        #expect(admission(at: 1) == .probe)
        _ = probe(.sound, at: 2)
        _ = probe(.troubled, at: 3)
        #expect(admission(at: 3) == .wait(until: .seconds(5)))
        for second in [5, 6] { #expect(probe(.sound, at: second) == nil) }
        #expect(probe(.sound, at: 7) == .ended(after: .seconds(7)))
        #expect(admission(at: 7) == .free)
        // The answers from before do not count.
        #expect(note(49, .troubled, at: 8).isEmpty)
        #expect(note(1, .troubled, at: 8) == [.began])
    }

    @Test("The breaker gives up for good after the patience, which each outage gets anew")
    mutating func patience() {
        _ = note(50, .troubled)
        #expect(watch.giveUpIfOverdue(at: .milliseconds(599_999)) == nil)
        for _ in 1...3 { _ = watch.recordProbe(.sound, at: .milliseconds(599_999)) }
        _ = note(50, .troubled, at: 600)
        #expect(watch.giveUpIfOverdue(at: .milliseconds(1_199_999)) == nil)
        _ = probe(.troubled, retryAfter: .seconds(3_600), at: 1_190)
        #expect(admission(at: 1_190) == .wait(until: .seconds(1_200)))
        #expect(watch.giveUpIfOverdue(at: .seconds(1_200)) == .gaveUp(.seconds(600)))
        #expect(watch.giveUpIfOverdue(at: .seconds(1_200)) == nil)
        #expect(probe(.sound, at: 1_201) == nil)
        for second in [1_200, 9_999] { #expect(admission(at: second) == .never) }
    }
}

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

    private mutating func wait(afterAttempt attempt: Int) -> Duration {
        let decision = decision(attempt)
        guard case .wait(let duration) = decision else {
            Issue.record("\(decision)")
            return .seconds(-1)
        }
        return duration
    }

    @Test(
        "The wait is random, with a limit that doubles with each attempt up to the cap",
        arguments: [(1, 1), (2, 2), (3, 4), (4, 8), (5, 16), (6, 30), (7, 30)])
    mutating func jitter(attempt: Int, longestSeconds: Int) {
        generator = SeededGenerator(UInt64(attempt))
        var waits: [Duration] = []
        for _ in 0..<2_000 { waits.append(wait(afterAttempt: attempt)) }
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
            (1, 0, 120, .wait(.seconds(120))), (8, 0, nil, .giveUp(.attempts)),
            (9, 0, nil, .giveUp(.attempts)), (8, 2_000, nil, .giveUp(.attempts)),
            (1, 1_000, nil, .giveUp(.deadline)), (1, 2_000, nil, .giveUp(.deadline)),
            (1, 400, 600, .giveUp(.deadline)), (1, 0, 3_600, .giveUp(.deadline)),
        ] as [(Int, Int, Int?, RetryPolicy.Decision)])
    mutating func decides(
        attempt: Int, spent: Int, retryAfter: Int?, expected: RetryPolicy.Decision
    ) {
        let wish = retryAfter.map { Duration.seconds($0) }
        #expect(decision(attempt, spent: .seconds(spent), retryAfter: wish) == expected)
    }

    @Test(
        "Extreme numbers do not trap",
        arguments: [
            (.zero, .zero), (.seconds(-1), .seconds(30)), (.seconds(90), .seconds(30)),
            (Duration(attoseconds: 1), .seconds(Int64.max)),
        ] as [(Duration, Duration)])
    mutating func anyNumbers(base: Duration, cap: Duration) {
        policy = RetryPolicy(
            maxAttempts: .max, base: base, cap: cap, deadline: .seconds(Int64.max))
        for attempt in [-1, 0, 1, 2, 64, 200, 1 << 40] {
            let wait = wait(afterAttempt: attempt)
            #expect(wait >= .zero && wait <= max(.zero, cap))
        }
    }
}
