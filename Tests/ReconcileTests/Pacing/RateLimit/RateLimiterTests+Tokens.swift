import Testing

@testable import Reconcile

// The tokens that the limiter holds.
extension RateLimiterTests {
    /// Tokens that were requested and received at once, at second 1 of both clocks.
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

    @Test("The tokens of a slice are used one after the other, each when it is due")
    func inTurn() {
        var ledger = Self.ledger(firstDue: .milliseconds(5))
        #expect(ledger.take(at: .seconds(1)) == .wait(.milliseconds(5)))
        #expect(ledger.take(at: .milliseconds(1_005)) == .go)
        #expect(ledger.take(at: .milliseconds(1_005)) == .wait(.milliseconds(10)))
        #expect(ledger.take(at: .milliseconds(1_015)) == .go)
        #expect(ledger.take(at: .milliseconds(1_025)) == .go)
        #expect(ledger.take(at: .milliseconds(1_025)) == .requestSlice)
    }

    @Test("Tokens that are already due are used together at once")
    func pastDue() {
        var ledger = Self.ledger(firstDue: .seconds(-9), apart: .milliseconds(10), count: 3)
        for _ in 0..<3 { #expect(ledger.take(at: .seconds(1)) == .go) }
        #expect(ledger.take(at: .seconds(1)) == .requestSlice)
    }

    @Test(
        "A token is forfeited 50 ms after it was due, counted from the request for it",
        arguments: [(1_050, true), (1_051, false), (9_000, false)] as [(Int64, Bool)])
    func forfeited(atMilliseconds: Int64, isGood: Bool) {
        var ledger = Self.ledger(firstDue: .zero, count: 1)
        #expect(ledger.take(at: .milliseconds(atMilliseconds)) == (isGood ? .go : .requestSlice))
        // The bucket may have given the token 40 ms before it arrived.
        var late = Self.ledger(firstDue: .zero, count: 1, askedAt: .milliseconds(960))
        #expect(late.take(at: .milliseconds(1_021)) == .requestSlice)
    }

    @Test("No token is used before it is due, for any possible difference of the clocks")
    func notEarly() {
        // The bucket's clock was read up to 40 ms ago.
        var ledger = Self.ledger(firstDue: .milliseconds(10), askedAt: .milliseconds(960))
        #expect(ledger.take(at: .seconds(1)) == .wait(.milliseconds(10)))
        #expect(ledger.take(at: .milliseconds(1_010)) == .go)
    }

    @Test("With slow responses the next tokens are requested earlier")
    func lead() {
        var ledger = Self.ledger(firstDue: .zero, count: 1)
        #expect(ledger.lead == .zero)
        func slice(takenAt milliseconds: Int64) -> TokenSlice {
            TokenSlice(
                takenAt: .milliseconds(milliseconds), firstDue: .zero, apart: .zero, count: 1)
        }
        // The response took 200 ms, too late for its token. The clocks are known to agree.
        ledger.add(
            slice(takenAt: 2_000), askedAt: .seconds(2), arrivedAt: .milliseconds(2_200))
        #expect(ledger.take(at: .milliseconds(2_200)) == .requestSlice)
        #expect(ledger.lead == .milliseconds(200))
        ledger.add(
            slice(takenAt: 3_000), askedAt: .seconds(3), arrivedAt: .milliseconds(3_200))
        #expect(ledger.take(at: .milliseconds(3_201)) == .go)
        ledger.add(slice(takenAt: 4_000), askedAt: .seconds(4), arrivedAt: .milliseconds(4_001))
        #expect(ledger.lead == .zero)
    }

    @Test("Tokens are used even if the fastest response takes longer than the slack")
    func farAway() {
        var ledger = Self.ledger(
            firstDue: .zero, count: 1, takenAt: .seconds(7), askedAt: .zero,
            arrivedAt: .milliseconds(300))
        #expect(ledger.take(at: .milliseconds(300)) == .go)
    }

    @Test("The fastest response fixes the difference of the clocks until one of them is set")
    func offset() {
        var offset = ClockOffset()
        offset.note(.seconds(100), askedAt: .seconds(1), answeredAt: .seconds(3))
        #expect(offset.least == .seconds(97) && offset.most == .seconds(99))
        offset.note(.seconds(102), askedAt: .seconds(3), answeredAt: .milliseconds(3_500))
        #expect(offset.least == .milliseconds(98_500) && offset.most <= .milliseconds(99_001))
        offset.note(.seconds(50), askedAt: .seconds(4), answeredAt: .seconds(5))
        #expect(offset.least == .seconds(45) && offset.most == .seconds(46))
    }

    @Test("After an empty slice the next call is made when the slice says so, and not before")
    func emptySlice() {
        var ledger = Self.ledger(firstDue: .milliseconds(80), apart: .zero, count: 0)
        #expect(ledger.take(at: .seconds(1)) == .wait(.milliseconds(80)))
        #expect(ledger.take(at: .milliseconds(1_079)) == .wait(.milliseconds(1)))
        #expect(ledger.take(at: .milliseconds(1_080)) == .requestSlice)
    }

    @Test("After a forfeit no token is left")
    func forfeit() {
        var ledger = Self.ledger(firstDue: .seconds(-9))
        #expect(ledger.take(at: .seconds(1)) == .go)
        ledger.forfeit()
        #expect(ledger.take(at: .seconds(1)) == .requestSlice)
    }
}
