import Testing

@testable import Reconcile
@testable import TestSupport

extension AnswerClass {
    static let named: [Substring: AnswerClass] = [
        "sound": .sound, "troubled": .troubled, "throttled": .throttled,
    ]
}

@Suite("The outage circuit breaker")
struct OutageBreakerTests {
    /// Twelve good answers and ten bad ones, a thousand times.
    private static let nearlyHalf =
        String(repeating: "0 sound 12, 0 troubled 10, ", count: 1_000).dropLast(2)

    /// A step is a second with a number of equal answers, with the answer to a probe (and its
    /// Retry-After), with the question whether patience is over, or with what is admitted; and the
    /// change that it causes.
    @Test(
        "The breaker opens when half of the answers fail, probes for the end, and may give up",
        arguments: textPairs(
            """
            half of the first 50 or last 200 | 0 throttled 49, 0 is free, 0 troubled 1 began
            the last one may be sound | 0 throttled 49, 0 is free, 0 sound 1 began
            of 50  | 0 sound 25, 0 throttled 24, 0 is free, 0 troubled 1 began
            of 52  | 0 sound 26, 0 throttled 25, 0 is free, 0 troubled 1 began
            of 200 | 0 sound 100, 0 throttled 99, 0 is free, 0 troubled 1 began
            of the last 200 | 0 sound 1000, 0 throttled 99, 0 is free, 0 troubled 1 began
            just less than half; closed, it never gives up and ignores probes | \
            \(nearlyHalf), 9e18 overdue, 0 probe troubled, 0 is free
            waits grow while probes fail, and none is less than Retry-After | \
            100 troubled 50 began, 100 is wait 101.0, 101 is probe, 101 probe troubled, \
            102 is wait 103.0, 103 is probe, 103 probe troubled 3, 106 is wait 107.0, \
            107 is probe, 107 probe troubled 9, 115 is wait 116.0, 116 is probe, \
            116 probe troubled, 131 is wait 132.0, 132 is probe, 132 probe troubled, \
            161 is wait 162.0, 162 is probe, 162 probe troubled, 191 is wait 192.0, \
            192 is probe, 192 probe troubled 45, 236 is wait 237.0
            three good probes in a row close it; answers from before and to others do not count | \
            0 troubled 50 began, 0 sound 500, 0 is wait 1.0, 1 probe sound, 1 is probe, \
            2 probe sound, 3 probe troubled, 3 is wait 5.0, 5 probe sound, 6 probe sound, \
            7 probe sound 0 ended 7.0, 7 is free, 8 troubled 49, 8 troubled 1 began
            it gives up for good after the patience, which each outage gets anew | \
            0 troubled 50 began, 599.999 overdue, 599.999 probe sound, 599.999 probe sound, \
            599.999 probe sound 0 ended 599.999, 600 troubled 50 began, 1199.999 overdue, \
            1190 probe troubled 3600, 1190 is wait 1200.0, 1200 overdue gaveUp 600.0, \
            1200 overdue, 1201 probe sound, 1200 is never, 9999 is never
            """))
    func follows(title: String, course: String) throws {
        var watch = OutageBreaker(patience: .seconds(600), firstWait: .seconds(1))
        for step in course.split(separator: ", ") {
            let words = step.split(separator: " ")
            let now = Duration.seconds(try #require(Double(words[0])))
            var changes: [OutageBreaker.Change?] = []
            var rest = words.dropFirst(2)
            switch words[1] {
            case "is":
                let admission = named(watch.admission(at: now))
                #expect(admission == rest.joined(separator: " "), "\(title): \(step)")
                #expect(watch.isClosed == (admission == "free"))
                continue
            case "overdue": changes = [watch.giveUpIfOverdue(at: now)]
            case "probe":
                let answer = try #require(AnswerClass.named[rest.removeFirst()])
                let wait = rest.popFirst().flatMap { Int($0) }.map { Duration.seconds($0) }
                changes = [watch.recordProbe(answer, retryAfter: wait, at: now)]
            default:
                let answer = try #require(AnswerClass.named[words[1]])
                let count = try #require(Int(rest.removeFirst()))
                changes = (0..<count).map { _ in watch.note(answer, at: now) }
            }
            let names = changes.compactMap { $0 }.map { named($0) }
            let expected = rest.isEmpty ? [] : [rest.joined(separator: " ")]
            #expect(names == expected, "\(title): \(step)")
        }
    }

    /// `wait(until: 2.0 seconds)` is "wait 2.0".
    private func named(_ value: some Any) -> String {
        "\(value)".replacing(#/\((?:.*: )?(.*) seconds\)/#) { " " + $0.1 }
    }
}

@Suite("A retry policy")
struct RetryPolicyTests {
    private struct GivenUp: Error {}

    private var policy = RetryPolicy(
        maxAttempts: 8, base: .seconds(1), cap: .seconds(30), deadline: .seconds(1_000))
    private var generator = SeededGenerator(1)

    private mutating func decision(
        _ attempt: Int, spent: Int = 0, retryAfter: Int? = nil
    ) -> RetryPolicy.Decision {
        policy.decision(
            afterAttempt: attempt, spent: .seconds(spent),
            retryAfter: retryAfter.map { .seconds($0) }, using: &generator)
    }

    private mutating func wait(afterAttempt attempt: Int) throws -> Duration {
        guard case .wait(let duration) = decision(attempt) else { throw GivenUp() }
        return duration
    }

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
            (1, 0, 120, .wait(.seconds(120))), (8, 0, nil, .giveUp(.attempts)),
            (9, 0, nil, .giveUp(.attempts)), (8, 2_000, nil, .giveUp(.attempts)),
            (1, 1_000, nil, .giveUp(.deadline)), (1, 2_000, nil, .giveUp(.deadline)),
            (1, 400, 600, .giveUp(.deadline)), (1, 0, 3_600, .giveUp(.deadline)),
        ] as [(Int, Int, Int?, RetryPolicy.Decision)])
    mutating func decides(attempt: Int, spent: Int, wish: Int?, expected: RetryPolicy.Decision) {
        #expect(decision(attempt, spent: spent, retryAfter: wish) == expected)
    }

    @Test(
        "Extreme numbers do not trap",
        arguments: [
            (.zero, .zero), (.seconds(-1), .seconds(30)), (.seconds(90), .seconds(30)),
            (Duration(attoseconds: 1), .seconds(Int64.max)),
        ] as [(Duration, Duration)])
    mutating func anyNumbers(base: Duration, cap: Duration) throws {
        policy = .init(maxAttempts: .max, base: base, cap: cap, deadline: .seconds(Int64.max))
        for attempt in [-1, 0, 1, 2, 64, 200, 1 << 40] {
            let wait = try wait(afterAttempt: attempt)
            #expect(wait >= .zero && wait <= max(.zero, cap))
        }
    }
}
