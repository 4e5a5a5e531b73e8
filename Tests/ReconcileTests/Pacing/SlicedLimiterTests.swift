import Testing

@testable import Reconcile

@Suite("Tokens taken in advance")
struct SlicedLimiterTests {
    /// Asked for and given at once, at a second of either clock.
    private static func ledger(
        firstDue: Duration, apart: Duration = .milliseconds(10), count: Int = 3,
        takenAt: Duration = .seconds(1), askedAt: Duration = .seconds(1),
        arrivedAt: Duration = .seconds(1)
    ) -> TokenLedger {
        var ledger = TokenLedger()
        ledger.add(
            TokenSlice(takenAt: takenAt, firstDue: firstDue, apart: apart, count: count),
            askedAt: askedAt, arrivedAt: arrivedAt)
        return ledger
    }

    @Test("are used one after the other, each when it falls due")
    func inTurn() {
        var ledger = Self.ledger(firstDue: .milliseconds(5))
        #expect(ledger.take(at: .seconds(1)) == .wait(.milliseconds(5)))
        #expect(ledger.take(at: .milliseconds(1_005)) == .go)
        #expect(ledger.take(at: .milliseconds(1_005)) == .wait(.milliseconds(10)))
        #expect(ledger.take(at: .milliseconds(1_015)) == .go)
        #expect(ledger.take(at: .milliseconds(1_025)) == .go)
        #expect(ledger.take(at: .milliseconds(1_025)) == .askForMore)
    }

    @Test("that are past due may be used at once, together")
    func burst() {
        var ledger = Self.ledger(firstDue: .seconds(-9), apart: .milliseconds(10), count: 3)
        for _ in 0..<3 { #expect(ledger.take(at: .seconds(1)) == .go) }
        #expect(ledger.take(at: .seconds(1)) == .askForMore)
    }

    @Test(
        "are forfeited 50 ms after they fell due, counted from when they were asked for",
        arguments: [(1_050, true), (1_051, false), (9_000, false)] as [(Int64, Bool)])
    func forfeited(atMilliseconds: Int64, isGood: Bool) {
        var ledger = Self.ledger(firstDue: .zero, count: 1)
        #expect(ledger.take(at: .milliseconds(atMilliseconds)) == (isGood ? .go : .askForMore))
        // It may have been given 40 ms before it came.
        var late = Self.ledger(firstDue: .zero, count: 1, askedAt: .milliseconds(960))
        #expect(late.take(at: .milliseconds(1_021)) == .askForMore)
    }

    @Test("are asked for ahead of the bucket's clock where its answers take long")
    func lead() {
        var ledger = Self.ledger(firstDue: .zero, count: 1)
        #expect(ledger.lead == .zero)
        func slice(takenAt milliseconds: Int64) -> TokenSlice {
            TokenSlice(
                takenAt: .milliseconds(milliseconds), firstDue: .zero, apart: .zero, count: 1)
        }
        // 200 ms on the way back: too late when it is here. The clocks are known to agree.
        ledger.add(
            slice(takenAt: 2_000), askedAt: .seconds(2), arrivedAt: .milliseconds(2_200))
        #expect(ledger.take(at: .milliseconds(2_200)) == .askForMore)
        #expect(ledger.lead == .milliseconds(200))
        ledger.add(
            slice(takenAt: 3_000), askedAt: .seconds(3), arrivedAt: .milliseconds(3_200))
        #expect(ledger.take(at: .milliseconds(3_201)) == .go)
        ledger.add(slice(takenAt: 4_000), askedAt: .seconds(4), arrivedAt: .milliseconds(4_001))
        #expect(ledger.lead == .zero)
    }

    @Test("are used even where the quickest answer takes longer than the slack")
    func farAway() {
        var ledger = Self.ledger(
            firstDue: .zero, count: 1, takenAt: .seconds(7), askedAt: .zero,
            arrivedAt: .milliseconds(300))
        #expect(ledger.take(at: .milliseconds(300)) == .go)
    }

    @Test("bound the difference of the clocks by the quickest answer, until one of them is set")
    func offset() {
        var offset = ClockOffset()
        offset.note(.seconds(100), askedAt: .seconds(1), answeredAt: .seconds(3))
        #expect(offset.least == .seconds(97) && offset.most == .seconds(99))
        offset.note(.seconds(102), askedAt: .seconds(3), answeredAt: .milliseconds(3_500))
        #expect(offset.least == .milliseconds(98_500) && offset.most <= .milliseconds(99_001))
        offset.note(.seconds(50), askedAt: .seconds(4), answeredAt: .seconds(5))
        #expect(offset.least == .seconds(45) && offset.most == .seconds(46))
    }

    @Test("never let more through than the law allows, whatever stops the workers")
    func law() {
        for seed in 1...20 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed)
            let (interval, burst) = (Duration.milliseconds(10), 5)
            var nextAt = Duration.zero
            var ledgers = Array(repeating: TokenLedger(), count: 3)
            var starts: [Duration] = []
            var now = Duration.seconds(1)
            while now < .seconds(20) {
                let worker = Int.random(in: 0..<3, using: &generator)
                switch ledgers[worker].take(at: now) {
                case .go: starts.append(now)
                case .wait: break
                case .askForMore:
                    // What the bucket's statement does, some time after it was asked.
                    let delay = Duration.milliseconds(Int.random(in: 0...30, using: &generator))
                    let takenAt = now + delay / 2
                    let clock = takenAt + ledgers[worker].lead
                    let count = Int.random(in: 1...8, using: &generator)
                    let first = max(nextAt, clock - interval * (burst - 1))
                    nextAt = first + interval * count
                    ledgers[worker].add(
                        TokenSlice(
                            takenAt: takenAt, firstDue: first - clock, apart: interval,
                            count: count),
                        askedAt: now, arrivedAt: now + delay)
                }
                let isStopped = Int.random(in: 0..<400, using: &generator) == 0
                now += isStopped ? .milliseconds(700) : .milliseconds(1)
            }
            // Windows of a second: rate · w + burst, and what the slack of 50 ms allows.
            let most =
                starts.indices.map { first in
                    starts[first...].prefix { $0 < starts[first] + .seconds(1) }.count
                }.max() ?? 0
            #expect(most <= 100 + burst + 5, "seed \(seed)")
            #expect(starts.count > 400, "seed \(seed)")
        }
    }
}
