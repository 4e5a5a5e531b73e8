import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("An adaptive rate")
struct AdaptiveRateTests {
    /// Equal answers at one instant in milliseconds, the change that they cause, and the rate then.
    typealias Step = (Int, AnswerClass, at: Int, AdaptiveRate.Change?, rate: Double?)

    @Test(
        "The rate of 100 is halved by trouble, and recovers",
        arguments: [
            (
                "It stays while at most a fifth of the last hundred answers are troubled",
                [
                    (20, .troubled, 0, nil, 100), (500, .sound, 0, nil, 100),
                    (20, .troubled, 9_000, nil, 100),
                ]
            ),
            (
                "The answer that makes it more than a fifth halves it",
                [
                    (79, .sound, 0, nil, 100), (20, .troubled, 1_000, nil, 100),
                    (1, .troubled, 1_000, .halved(50), 50),
                ]
            ),
            (
                "It is halved once in 5 s at most, and never below a tenth",
                [
                    (30, .throttled, 10_000, .halved(50), 50), (30, .throttled, 14_999, nil, 50),
                    (30, .throttled, 15_000, .halved(25), 25),
                    (1, .troubled, 20_000, .halved(12.5), 12.5),
                    (1, .troubled, 25_000, .halved(10), 10), (500, .throttled, 99_000, nil, 10),
                ]
            ),
            (
                "A single 429 halves it; it recovers by a twentieth a second, and never above 100",
                [
                    (1, .throttled, 0, .halved(50), 50), (0, .sound, 1_000, nil, 55),
                    (0, .sound, 60_000, nil, 100), (1, .sound, 4_000, nil, 70),
                    (1, .sound, 9_900, nil, nil), (1, .sound, 10_000, .restored(100), 100),
                    (1, .sound, 60_000, nil, 100),
                ]
            ),
            (
                "It recovers only when the oldest of more than a fifth has left the hundred",
                [
                    (21, .troubled, 0, .halved(50), 50), (79, .sound, 4_000, nil, 50),
                    (1, .sound, 4_000, nil, 50), (0, .sound, 5_000, nil, 55),
                ]
            ),
            (
                "A partly recovered rate is halved from where it is",
                [
                    (1, .throttled, 0, .halved(50), 50), (1, .throttled, 6_000, .halved(40), 40),
                    (1, .sound, 18_000, .restored(100), 100),
                ]
            ),
        ] as [(String, [Step])])
    func follows(course: String, steps: [Step]) {
        var adaptive = AdaptiveRate(100)
        for (count, answer, milliseconds, change, rate) in steps {
            let now = Duration.milliseconds(milliseconds)
            let changes = (0..<count).compactMap { _ in adaptive.note(answer, at: now) }
            #expect(changes == (change.map { [$0] } ?? []), "\(course), at \(now)")
            #expect(rate == nil || adaptive.rate(at: now) == rate, "\(course), at \(now)")
        }
    }

    @Test(
        "The limit of the full rate holds in every window, and the rate stays within its bounds",
        arguments: [(100, 7), (3, 1), (0.5, 2)] as [(Double, Int)],
        1...7 as ClosedRange<UInt64>)
    func law(limit: (whole: Double, burst: Int), seed: UInt64) {
        let (whole, burst) = limit
        var generator = SeededGenerator(whole.bitPattern &+ seed)
        var (rate, bucket) = (AdaptiveRate(whole), TokenBucket(rate: whole, burst: burst))
        var (now, takes, halvings) = (Duration.zero, [Duration](), [Duration]())
        while takes.count < 3_000 {
            bucket.setRate(rate.rate(at: now), at: now)
            let wait = bucket.take(at: now)
            if wait > .zero {
                now += wait * Double.random(in: 0.2...1.3, using: &generator)
                continue
            }
            takes.append(now)
            let isClosed = (takes.count / 600).isMultiple(of: 2)
            let answer = isClosed || Bool.random(using: &generator) ? AnswerClass.sound : .troubled
            let change = rate.note(takes.count % 250 == 0 ? .throttled : answer, at: now)
            if case .halved = change { halvings.append(now) }
            #expect((whole / 10...whole).contains(rate.rate(at: now)))
        }
        #expect(takes.mostOver(rate: whole, burst: burst) <= 1e-6)
        #expect(halvings.count > 5)
        #expect(zip(halvings, halvings.dropFirst()).allSatisfy { $1 - $0 >= .seconds(5) })
    }
}
