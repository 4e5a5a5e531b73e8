import Testing

@testable import Reconcile

@Suite("Tokens taken in advance")
struct SlicedLimiterTests {
    private static func ledger(
        firstDue: Duration, apart: Duration = .milliseconds(10), count: Int = 3,
        askedAt: Duration = .seconds(1), arrivedAt: Duration = .seconds(1)
    ) -> TokenLedger {
        var ledger = TokenLedger()
        ledger.add(
            TokenSlice(firstDue: firstDue, apart: apart, count: count), askedAt: askedAt,
            arrivedAt: arrivedAt)
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
        // Asked for 40 ms before: the bucket may have given them then.
        var late = Self.ledger(firstDue: .zero, count: 1, askedAt: .milliseconds(960))
        #expect(late.take(at: .milliseconds(1_011)) == .askForMore)
    }

    @Test("are asked for ahead of the bucket's clock where its answers take long")
    func lead() {
        var ledger = Self.ledger(firstDue: .zero, count: 1, askedAt: .milliseconds(800))
        #expect(ledger.lead == .milliseconds(300))
        #expect(ledger.take(at: .seconds(1)) == .askForMore)
        ledger.add(
            TokenSlice(firstDue: .zero, apart: .zero, count: 1), askedAt: .seconds(2),
            arrivedAt: .milliseconds(2_200))
        #expect(ledger.take(at: .milliseconds(2_200)) == .wait(.milliseconds(300)))
        #expect(ledger.take(at: .milliseconds(2_340)) == .wait(.milliseconds(160)))
        ledger.add(
            TokenSlice(firstDue: .zero, apart: .zero, count: 1), askedAt: .seconds(3),
            arrivedAt: .milliseconds(3_001))
        #expect(ledger.lead == .zero)
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
                    let clock = now + delay / 2 + ledgers[worker].lead
                    let count = Int.random(in: 1...8, using: &generator)
                    let first = max(nextAt, clock - interval * (burst - 1))
                    nextAt = first + interval * count
                    ledgers[worker].add(
                        TokenSlice(firstDue: first - clock, apart: interval, count: count),
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
