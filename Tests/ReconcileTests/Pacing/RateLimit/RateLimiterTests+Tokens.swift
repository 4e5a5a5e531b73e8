import Testing

@testable import Reconcile

// The tokens that the limiter holds. Times are in milliseconds.
extension RateLimiterTests {
    /// Tokens that were requested and received at once, at second 1 of both clocks.
    private static func ledger(
        firstDue: Int, apart: Int = 10, count: Int = 3, takenAt: Int = 1_000,
        askedAt: Int = 1_000, arrivedAt: Int = 1_000
    ) -> TokenLedger {
        var ledger = TokenLedger()
        ledger.add(
            firstDue, apart, count, takenAt: takenAt, askedAt: askedAt, arrivedAt: arrivedAt)
        return ledger
    }

    @Test(
        "Tokens are used in turn, each when it is due, and then the next slice is requested",
        arguments: [
            (
                ledger(firstDue: 5),
                [
                    (1_000, .wait(.milliseconds(5))), (1_005, .go),
                    (1_005, .wait(.milliseconds(10))), (1_015, .go), (1_025, .go),
                    (1_025, .requestSlice),
                ]
            ),
            // Tokens that are already due.
            (
                ledger(firstDue: -9_000),
                [(1_000, .go), (1_000, .go), (1_000, .go), (1_000, .requestSlice)]
            ),
            // The bucket's clock was read up to 40 ms ago: no token is used before it is due, for
            // any possible difference of the clocks.
            (
                ledger(firstDue: 10, askedAt: 960),
                [(1_000, .wait(.milliseconds(10))), (1_010, .go)]
            ),
            // An empty slice says when to ask again.
            (
                ledger(firstDue: 80, apart: 0, count: 0),
                [
                    (1_000, .wait(.milliseconds(80))), (1_079, .wait(.milliseconds(1))),
                    (1_080, .requestSlice),
                ]
            ),
            // A token is forfeited 50 ms after it was due, counted from the request for it.
            (ledger(firstDue: 0, count: 1), [(1_050, .go)]),
            (ledger(firstDue: 0, count: 1), [(1_051, .requestSlice)]),
            (ledger(firstDue: 0, count: 1), [(9_000, .requestSlice)]),
            (ledger(firstDue: 0, count: 1, askedAt: 960), [(1_021, .requestSlice)]),
            // The fastest response takes longer than these 50 ms.
            (
                ledger(firstDue: 0, count: 1, takenAt: 7_000, askedAt: 0, arrivedAt: 300),
                [(300, .go)]
            ),
        ] as [(TokenLedger, [(Int, TokenLedger.Step)])])
    func inTurn(tokens: TokenLedger, steps: [(Int, TokenLedger.Step)]) {
        var ledger = tokens
        for (instant, step) in steps { #expect(ledger.take(at: .milliseconds(instant)) == step) }
    }

    @Test("With slow responses the next tokens are requested earlier")
    func lead() {
        var ledger = Self.ledger(firstDue: 0, count: 1)
        #expect(ledger.lead == .zero)
        // The response took 200 ms, too late for its token. The clocks are known to agree.
        ledger.add(0, 0, 1, takenAt: 2_000, askedAt: 2_000, arrivedAt: 2_200)
        #expect(ledger.take(at: .milliseconds(2_200)) == .requestSlice)
        #expect(ledger.lead == .milliseconds(200))
        ledger.add(0, 0, 1, takenAt: 3_000, askedAt: 3_000, arrivedAt: 3_200)
        #expect(ledger.take(at: .milliseconds(3_201)) == .go)
        ledger.add(0, 0, 1, takenAt: 4_000, askedAt: 4_000, arrivedAt: 4_001)
        #expect(ledger.lead == .zero)
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

    @Test("After a forfeit no token is left")
    func forfeit() {
        var ledger = Self.ledger(firstDue: -9_000)
        #expect(ledger.take(at: .seconds(1)) == .go)
        ledger.forfeit()
        #expect(ledger.take(at: .seconds(1)) == .requestSlice)
    }
}

extension TokenLedger {
    fileprivate mutating func add(
        _ firstDue: Int, _ apart: Int, _ count: Int, takenAt: Int, askedAt: Int,
        arrivedAt: Int
    ) {
        let slice = TokenSlice(
            takenAt: .milliseconds(takenAt), firstDue: .milliseconds(firstDue),
            apart: .milliseconds(apart), count: count)
        add(slice, askedAt: .milliseconds(askedAt), arrivedAt: .milliseconds(arrivedAt))
    }
}
