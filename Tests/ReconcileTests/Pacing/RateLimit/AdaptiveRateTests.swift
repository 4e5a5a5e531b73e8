import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("An adaptive rate")
struct AdaptiveRateTests {
    /// Equal answers at one time, the changes of the rate that they cause, and the rate then.
    struct Step: Sendable {
        let count: Int
        let answer: AnswerClass
        let milliseconds: Int
        var changes: [AdaptiveRate.Change] = []
        /// Not compared if nil.
        let rate: Double?

        static func same(
            _ count: Int, _ answer: AnswerClass, atMilliseconds: Int, rate: Double?
        ) -> Step {
            Step(count: count, answer: answer, milliseconds: atMilliseconds, rate: rate)
        }

        static func halved(
            _ count: Int, _ answer: AnswerClass, atMilliseconds: Int, to rate: Double
        ) -> Step {
            Step(
                count: count, answer: answer, milliseconds: atMilliseconds,
                changes: [.halved(rate)], rate: rate)
        }

        static func restored(
            _ count: Int, _ answer: AnswerClass, atMilliseconds: Int, to rate: Double
        ) -> Step {
            Step(
                count: count, answer: answer, milliseconds: atMilliseconds,
                changes: [.restored(rate)], rate: rate)
        }
    }

    /// To add a case, copy a course: the steps follow each other, from a rate of 100.
    private static let courses: [Course<Step>] = [
        Course(
            "It stays while at most a fifth of the last hundred answers are troubled",
            .same(20, .troubled, atMilliseconds: 0, rate: 100),
            .same(500, .sound, atMilliseconds: 0, rate: 100),
            .same(20, .troubled, atMilliseconds: 9_000, rate: 100)),
        Course(
            "The answer that makes it more than a fifth halves it",
            .same(79, .sound, atMilliseconds: 0, rate: 100),
            .same(20, .troubled, atMilliseconds: 1_000, rate: 100),
            .halved(1, .troubled, atMilliseconds: 1_000, to: 50)),
        Course(
            "It is halved once in 5 s at most, and never below a tenth",
            .halved(30, .throttled, atMilliseconds: 10_000, to: 50),
            .same(30, .throttled, atMilliseconds: 14_999, rate: 50),
            .halved(30, .throttled, atMilliseconds: 15_000, to: 25),
            .halved(1, .troubled, atMilliseconds: 20_000, to: 12.5),
            .halved(1, .troubled, atMilliseconds: 25_000, to: 10),
            .same(500, .throttled, atMilliseconds: 99_000, rate: 10)),
        Course(
            "A single 429 halves it; it recovers by a twentieth a second, and never above 100",
            .halved(1, .throttled, atMilliseconds: 0, to: 50),
            .same(0, .sound, atMilliseconds: 1_000, rate: 55),
            .same(0, .sound, atMilliseconds: 60_000, rate: 100),
            .same(1, .sound, atMilliseconds: 4_000, rate: 70),
            .same(1, .sound, atMilliseconds: 9_900, rate: nil),
            .restored(1, .sound, atMilliseconds: 10_000, to: 100),
            .same(1, .sound, atMilliseconds: 60_000, rate: 100)),
        Course(
            "It recovers only when the oldest of more than a fifth has left the hundred",
            .halved(21, .troubled, atMilliseconds: 0, to: 50),
            .same(79, .sound, atMilliseconds: 4_000, rate: 50),
            .same(1, .sound, atMilliseconds: 4_000, rate: 50),
            .same(0, .sound, atMilliseconds: 5_000, rate: 55)),
        Course(
            "A partly recovered rate is halved from where it is",
            .halved(1, .throttled, atMilliseconds: 0, to: 50),
            .halved(1, .throttled, atMilliseconds: 6_000, to: 40),
            .restored(1, .sound, atMilliseconds: 18_000, to: 100)),
    ]

    @Test("The rate of 100 is halved by trouble, and recovers", arguments: courses)
    func follows(course: Course<Step>) {
        var adaptive = AdaptiveRate(100)
        for step in course.steps {
            let now = Duration.milliseconds(step.milliseconds)
            let changes = (0..<step.count).compactMap { _ in adaptive.note(step.answer, at: now) }
            #expect(changes == step.changes, "\(step)")
            if let rate = step.rate { #expect(adaptive.rate(at: now) == rate, "\(step)") }
        }
    }

    @Test(
        "Whatever the answers are, the rate is within its bounds, and halved once in 5 s at most",
        arguments: [100, 3, 0.5], UInt64(1)...7)
    func bounds(whole: Double, seed: UInt64) {
        var generator = SeededGenerator(whole.bitPattern &+ seed)
        var rate = AdaptiveRate(whole)
        var now = Duration.zero
        var halvings: [Duration] = []
        for number in 1...3_000 {
            now += .seconds(Double.random(in: 0...4 / whole, using: &generator))
            let isClosed = (number / 600).isMultiple(of: 2)
            let answer = isClosed || Bool.random(using: &generator) ? AnswerClass.sound : .troubled
            let change = rate.note(number % 250 == 0 ? .throttled : answer, at: now)
            if case .halved = change { halvings.append(now) }
            #expect((whole / 10...whole).contains(rate.rate(at: now)))
        }
        #expect(halvings.count > 5)
        #expect(zip(halvings, halvings.dropFirst()).allSatisfy { $1 - $0 >= .seconds(5) })
    }
}
