import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("An adaptive rate")
struct AdaptiveRateTests {
    private var rate = AdaptiveRate(100)

    private mutating func note(
        _ count: Int, _ answer: AnswerClass, at now: Duration
    ) -> [AdaptiveRate.Change] {
        (0..<count).compactMap { _ in rate.note(answer, at: now) }
    }

    @Test("The full rate is used while at most a fifth of the last hundred answers are troubled")
    mutating func calm() {
        #expect(note(20, .troubled, at: .zero).isEmpty)
        #expect(note(500, .sound, at: .zero).isEmpty)
        #expect(note(20, .troubled, at: .seconds(9)).isEmpty)
        #expect(rate.rate(at: .seconds(9)) == 100)
    }

    @Test("The answer that makes it more than a fifth halves the rate")
    mutating func troubled() {
        #expect(note(79, .sound, at: .zero).isEmpty)
        #expect(note(20, .troubled, at: .seconds(1)).isEmpty)
        #expect(note(1, .troubled, at: .seconds(1)) == [.halved(50)])
        #expect(rate.rate(at: .seconds(1)) == 50)
    }

    @Test("A single 429 halves the rate")
    mutating func throttled() {
        #expect(note(1, .throttled, at: .zero) == [.halved(50)])
    }

    @Test("The rate is halved once in 5 s at most, and never below a tenth")
    mutating func limits() {
        #expect(note(30, .throttled, at: .seconds(10)) == [.halved(50)])
        #expect(note(30, .throttled, at: .milliseconds(14_999)).isEmpty)
        #expect(note(30, .throttled, at: .seconds(15)) == [.halved(25)])
        #expect(note(1, .troubled, at: .seconds(20)) == [.halved(12.5)])
        #expect(note(1, .troubled, at: .seconds(25)) == [.halved(10)])
        #expect(note(500, .throttled, at: .seconds(99)).isEmpty)
        #expect(rate.rate(at: .seconds(99)) == 10)
    }

    @Test("The rate recovers by a twentieth of the full rate a second, and never above it")
    mutating func restored() {
        #expect(note(1, .throttled, at: .zero) == [.halved(50)])
        #expect(rate.rate(at: .seconds(1)) == 55)
        #expect(rate.rate(at: .seconds(60)) == 100)
        #expect(note(1, .sound, at: .seconds(4)).isEmpty)
        #expect(rate.rate(at: .seconds(4)) == 70)
        #expect(note(1, .sound, at: .milliseconds(9_900)).isEmpty)
        #expect(note(1, .sound, at: .seconds(10)) == [.restored(100)])
        #expect(note(1, .sound, at: .seconds(60)).isEmpty)
        #expect(rate.rate(at: .seconds(60)) == 100)
    }

    @Test("The rate does not recover while more than a fifth of the answers are troubled")
    mutating func stays() {
        #expect(note(21, .troubled, at: .zero) == [.halved(50)])
        #expect(note(79, .sound, at: .seconds(4)).isEmpty)
        #expect(rate.rate(at: .seconds(4)) == 50)
        // The oldest troubled answer leaves the window, and the recovery starts.
        #expect(note(1, .sound, at: .seconds(4)).isEmpty)
        #expect(rate.rate(at: .seconds(4)) == 50)
        #expect(rate.rate(at: .seconds(5)) == 55)
    }

    @Test("A partly recovered rate is halved from where it is")
    mutating func again() {
        #expect(note(1, .throttled, at: .zero) == [.halved(50)])
        #expect(note(1, .throttled, at: .seconds(6)) == [.halved(40)])
        #expect(note(1, .sound, at: .seconds(18)) == [.restored(100)])
    }

    @Test(
        "The rate stays within its bounds under random answers",
        arguments: 1...20 as ClosedRange<UInt64>)
    mutating func bounds(seed: UInt64) {
        var generator = SeededGenerator(seed)
        var now = Duration.zero
        var halvings: [Duration] = []
        for number in 0..<5_000 {
            now += .milliseconds(Int.random(in: 0...50, using: &generator))
            let isClosed = (number / 800).isMultiple(of: 2)
            let answers =
                isClosed ? [AnswerClass.sound] : [.sound, .sound, .sound, .troubled, .throttled]
            let answer = answers.randomElement(using: &generator) ?? .sound
            if case .halved = rate.note(answer, at: now) { halvings.append(now) }
            #expect((10...100).contains(rate.rate(at: now)))
        }
        #expect(halvings.count > 5)
        #expect(zip(halvings, halvings.dropFirst()).allSatisfy { $1 - $0 >= .seconds(5) })
    }

    @Test(
        "The limit of the full rate holds in every window, however the rate changes",
        arguments: [(100, 7), (3, 1), (0.5, 2)] as [(Double, Int)])
    func law(whole: Double, burst: Int) {
        var generator = SeededGenerator(whole.bitPattern)
        var (rate, bucket) = (AdaptiveRate(whole), TokenBucket(rate: whole, burst: burst))
        var (now, takes) = (Duration.zero, [Duration]())
        while takes.count < 2_000 {
            bucket.setRate(rate.rate(at: now), at: now)
            let wait = bucket.take(at: now)
            if wait > .zero {
                now += wait * Double.random(in: 0.2...1.3, using: &generator)
                continue
            }
            takes.append(now)
            let isClosed = (takes.count / 300).isMultiple(of: 2)
            let answer = isClosed || Bool.random(using: &generator) ? AnswerClass.sound : .troubled
            _ = rate.note(takes.count % 250 == 0 ? .throttled : answer, at: now)
        }
        for first in takes.indices {
            for last in takes[first...].indices.prefix(300) {
                let allowed = Double(burst) + whole * ((takes[last] - takes[first]) / .seconds(1))
                #expect(Double(last - first + 1) <= allowed + 1e-6)
            }
        }
    }
}
