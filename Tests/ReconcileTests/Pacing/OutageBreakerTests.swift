import Testing

@testable import Reconcile

@Suite("The outage circuit breaker")
struct OutageBreakerTests {
    private var watch = OutageBreaker(patience: .seconds(600), firstWait: .seconds(1))

    private mutating func note(
        _ count: Int, _ answer: AnswerClass, at now: Duration = .zero
    ) -> [OutageBreaker.Change] {
        (0..<count).compactMap { _ in watch.note(answer, at: now) }
    }

    @Test("The breaker opens no earlier than at the 50th answer")
    mutating func least() {
        #expect(note(49, .troubled).isEmpty)
        #expect(watch.admission(at: .zero) == .free)
        #expect(note(1, .sound) == [.began])
        #expect(!watch.isClosed)
    }

    @Test(
        "The breaker opens when half of the last 200 answers are troubled",
        arguments: [
            (0, 50, 50), (25, 25, 50), (26, 26, 52), (100, 100, 200), (1_000, 100, 1_100),
        ])
    mutating func half(sound: Int, troubled: Int, answers: Int) {
        #expect(note(sound, .sound).isEmpty)
        #expect(note(troubled - 1, .throttled).isEmpty)
        #expect(note(1, .troubled) == [.began])
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
        _ = note(50, .troubled, at: .seconds(100))
        #expect(watch.admission(at: .seconds(100)) == .wait(until: .seconds(101)))
        var now = Duration.seconds(101)
        for seconds in [2, 4, 8, 16, 30, 30, 30] {
            #expect(watch.admission(at: now) == .probe)
            #expect(watch.recordProbe(.troubled, at: now) == nil)
            let next = now + .seconds(seconds)
            #expect(watch.admission(at: now) == .wait(until: next))
            now = next
        }
    }

    @Test("The breaker lets no probe out before the server's Retry-After")
    mutating func retryAfter() {
        _ = note(50, .troubled)
        _ = watch.recordProbe(.throttled, retryAfter: .seconds(45), at: .seconds(1))
        #expect(watch.admission(at: .seconds(1)) == .wait(until: .seconds(46)))
        _ = watch.recordProbe(.throttled, retryAfter: .seconds(1), at: .seconds(46))
        #expect(watch.admission(at: .seconds(46)) == .wait(until: .seconds(50)))
    }

    @Test("The breaker closes after three successful probes in a row, which need not wait")
    mutating func ended() {
        _ = note(50, .troubled)
        _ = watch.recordProbe(.sound, at: .seconds(1))
        #expect(watch.admission(at: .seconds(1)) == .probe)
        _ = watch.recordProbe(.sound, at: .seconds(2))
        _ = watch.recordProbe(.troubled, at: .seconds(3))
        #expect(watch.admission(at: .seconds(3)) == .wait(until: .seconds(5)))
        #expect(watch.recordProbe(.sound, at: .seconds(5)) == nil)
        #expect(watch.recordProbe(.sound, at: .seconds(6)) == nil)
        #expect(watch.recordProbe(.sound, at: .seconds(7)) == .ended(after: .seconds(7)))
        #expect(watch.admission(at: .seconds(7)) == .free)
    }

    @Test("While the breaker is open, answers to requests that were in flight do not count")
    mutating func stragglers() {
        _ = note(50, .troubled)
        #expect(note(500, .sound).isEmpty)
        #expect(!watch.isClosed)
    }

    @Test("After the breaker closes, the answers from before do not count")
    mutating func anew() {
        _ = note(50, .troubled)
        for _ in 1...3 { _ = watch.recordProbe(.sound, at: .seconds(1)) }
        #expect(note(49, .troubled, at: .seconds(2)).isEmpty)
        #expect(note(1, .troubled, at: .seconds(2)) == [.began])
    }

    @Test("The breaker gives up for good after the patience, which each outage gets anew")
    mutating func patience() {
        _ = note(50, .troubled)
        #expect(watch.giveUpIfOverdue(at: .milliseconds(599_999)) == nil)
        for _ in 1...3 { _ = watch.recordProbe(.sound, at: .milliseconds(599_999)) }
        _ = note(50, .troubled, at: .seconds(600))
        #expect(watch.giveUpIfOverdue(at: .milliseconds(1_199_999)) == nil)
        _ = watch.recordProbe(.troubled, retryAfter: .seconds(3_600), at: .seconds(1_190))
        #expect(watch.admission(at: .seconds(1_190)) == .wait(until: .seconds(1_200)))
        #expect(watch.giveUpIfOverdue(at: .seconds(1_200)) == .gaveUp(.seconds(600)))
        #expect(watch.giveUpIfOverdue(at: .seconds(1_200)) == nil)
        #expect(watch.admission(at: .seconds(1_200)) == .never)
        #expect(watch.recordProbe(.sound, at: .seconds(1_201)) == nil)
        #expect(watch.admission(at: .seconds(9_999)) == .never)
    }

    @Test("The breaker never gives up while it is closed")
    mutating func calm() {
        #expect(watch.giveUpIfOverdue(at: .seconds(Int64.max)) == nil)
        #expect(watch.recordProbe(.troubled, at: .zero) == nil)
        #expect(watch.admission(at: .zero) == .free)
    }
}
