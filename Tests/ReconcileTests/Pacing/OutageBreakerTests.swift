import Testing

@testable import Reconcile

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
        #expect(watch.isClosed)
    }

    @Test("While the breaker is open it lets probes out, with growing waits while they fail")
    mutating func probes() {
        _ = note(50, .troubled, at: 100)
        #expect(admission(at: 100) == .wait(until: .seconds(101)))
        var now = 101
        for seconds in [2, 4, 8, 16, 30, 30, 30] {
            #expect(admission(at: now) == .probe)
            #expect(probe(.troubled, at: now) == nil)
            #expect(admission(at: now) == .wait(until: .seconds(now + seconds)))
            now += seconds
        }
    }

    @Test("The breaker lets no probe out before the server's Retry-After")
    mutating func retryAfter() {
        _ = note(50, .troubled)
        _ = probe(.throttled, retryAfter: .seconds(45), at: 1)
        #expect(admission(at: 1) == .wait(until: .seconds(46)))
        _ = probe(.throttled, retryAfter: .seconds(1), at: 46)
        #expect(admission(at: 46) == .wait(until: .seconds(50)))
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
        #expect(probe(.sound, at: 5) == nil)
        #expect(probe(.sound, at: 6) == nil)
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
        #expect(admission(at: 1_200) == .never)
        #expect(probe(.sound, at: 1_201) == nil)
        #expect(admission(at: 9_999) == .never)
    }

    @Test("The breaker never gives up while it is closed")
    mutating func calm() {
        #expect(watch.giveUpIfOverdue(at: .seconds(Int64.max)) == nil)
        #expect(probe(.troubled, at: 0) == nil)
        #expect(admission(at: 0) == .free)
    }
}
