import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A subscription")
struct SubscriptionTests {
    /// A standing is the state, the day of its end, the covering transaction and, of an ended
    /// right, the day since when it is gone.
    @Test(
        "Its transactions and its renewal decide its state, end and covering transaction",
        arguments: textTriples(
            """
            is active until its expiry       | pro -40, pro -10                 | active 20 by 2
            is expired at its very expiry    | pro -30 | expired 0 by 1, gone 0
            ends at the greatest expiry      | pro -5 id 2, pro -20 id 1        | active 25 by 2
            is active by an older period     | pro -20..11, pro -5 cancelled -2 | active 11 by 1
            is revoked by the running refund | pro -40, pro -10 cancelled -4    | revoked -4 by 2
            is revoked by an older refund    | pro -60 cancelled -50            | revoked -50 by 1
            is expired if refunded after it  | pro -60 cancelled -20 | expired -30 by 1, gone -20
            is family-revoked when shared    | pro -10 cancelled -4 family | family_revoked -4 by 1
            is in grace while that lasts     | pro -32, renewal grace 4 retry   | grace 4 by 1
            is in billing retry after grace   | pro -40, renewal grace -4 retry \
            | billing_retry -10 by 1, gone -4
            is so without a grace period | pro -40, renewal retry | billing_retry -10 by 1, gone -10
            has no grace when refunded | pro -32 cancelled -5, renewal grace 4 | revoked -5 by 1
            is active although it will end   | pro -10, renewal off             | active 20 by 1
            leaves out an upgraded period    | pro -20..345 upgraded, pro -10   | active 20 by 2
            gives nothing when all upgraded  | pro -10 upgraded                 | nothing
            prefers the uncancelled alike     | pro -40 id 2 cancelled -39, pro -40 id 1 \
            | expired -10 by 1, gone -10
            gives nothing without an expiry  | pro -10..                        | nothing
            """))
    func stands(title: String, chain: String, expected: String) {
        let receipt = Receipt.inWords(chain)
        let chain = Subscription(
            transactions: Purchase.shown(receipt.transactions), renewal: receipt.renewals.first)
        #expect(chain.standing(asOf: .asOf).inWords == expected)
    }
}

@Suite("A product bought once")
struct OneTimeProductTests {
    @Test(
        "It is owned by the newest purchase, while one stands; the one cancelled last revokes it",
        arguments: textPairs(
            """
            unlock -90, unlock -9 id 3 cancelled -8, unlock -30 id 2 | active always by 2
            unlock -90 cancelled -5, unlock -30 cancelled -20        | revoked -5 by 1
            unlock -9 cancelled -5 family                            | family_revoked -5 by 1
            """))
    func isOwned(purchases: String, expected: String) {
        let bought = Purchase.shown(Receipt.inWords(purchases).transactions)
        #expect(OneTimeProduct(purchases: bought).ownership().inWords == expected)
    }

    /// A pass lasts 30 days. It is gone only when the last refunded purchase would have ended too;
    /// and of passes bought at one instant the greatest id, as a number, covers.
    @Test(
        "Passes add up in the order of purchase",
        arguments: textPairs(
            """
            pass -10                          | active 20 by 1
            pass -10, pass -40                | active 20 by 1
            pass -20, pass -30                | active 30 by 1
            pass -40, pass -40                | active 20 by 2
            pass -90, pass -10                | active 20 by 2
            pass -60, pass -60                | expired 0 by 2, gone 0
            pass -40, pass -35 cancelled -34  | expired -10 by 1, gone -10
            pass -40 cancelled -39            | revoked -39 by 1
            pass -50, pass -45 cancelled -0.5 | expired -20 by 1, gone -0.5
            pass -5, pass -5, pass -5, pass -5, pass -5, pass -5, pass -5, pass -5, pass -5, \
            pass -5                          | active 295 by 10
            """))
    func stacks(purchases: String, expected: String) {
        let bought = Purchase.shown(Receipt.inWords(purchases).transactions)
        let standing = OneTimeProduct(purchases: bought)
            .pass(lasting: CalendarInterval(days: 30), asOf: .asOf)
        #expect(standing.inWords == expected)
    }
}

extension Standing? {
    fileprivate var inWords: String {
        guard let standing = self else { return "nothing" }
        func day(_ instant: Instant) -> String {
            let days = Double(instant.milliseconds - Instant.asOf.milliseconds) / 86_400_000
            return days == days.rounded() ? "\(Int(days))" : "\(days)"
        }
        let end = standing.endsAt.map(day) ?? "always"
        let gone = standing.goneAt.map { ", gone \(day($0))" } ?? ""
        return "\(standing.state.rawValue) \(end) by \(standing.covering.id)\(gone)"
    }
}

@Suite("A calendar interval")
struct CalendarIntervalTests {
    @Test("A duration that overflows the calendar lasts until the end of time")
    func endless() {
        let ages = CalendarInterval(months: 170_000_000 * 12)
        #expect(ages.added(to: .asOf) == .distantFuture)
        #expect(CalendarInterval(days: .max).added(to: .asOf) == .distantFuture)
        #expect(CalendarInterval(milliseconds: .max).added(to: .asOf) == .distantFuture)
        #expect(CalendarInterval(months: .min).added(to: .asOf) == .distantPast)
        #expect(ages.added(to: ages.added(to: .asOf)) == .distantFuture)
    }

    @Test("Where durations are compared a month has 30 days and a year 365")
    func nominal() {
        let days = Duration.seconds(86_400)
        #expect(CalendarInterval(months: 1).nominalDuration == days * 30)
        #expect(CalendarInterval(months: 14, days: 2).nominalDuration == days * 427)
        let week = CalendarInterval(days: 7, milliseconds: 5)
        #expect(week.nominalDuration == days * 7 + .milliseconds(5))
        #expect(CalendarInterval(months: .max).nominalDuration > days * 1_000_000_000)
    }

    @Test("A pass lasts calendar months, ending on the last day of a shorter month")
    func months() throws {
        let start = try #require(Instant(rfc3339: "2026-01-31T12:00:00.500Z"))
        let end = CalendarInterval(months: 1).added(to: start)
        #expect(end == Instant(rfc3339: "2026-02-28T12:00:00.500Z"))
        let later = CalendarInterval(months: 13, days: 1, milliseconds: 1).added(to: start)
        #expect(later == Instant(rfc3339: "2027-03-01T12:00:00.501Z"))
    }
}
