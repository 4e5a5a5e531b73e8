import Testing

@testable import Reconcile
@testable import TestSupport

/// `RepeatedPurchaseTests` shows what several answers and lines about one purchase mean.
@Suite("What a user's purchases give")
struct StandingTests {
    /// Products, those with an end followed by its day.
    @Test(
        "A receipt unlocks products by the rules of the nightly run",
        arguments: choices(
            """
            answer / unlock -3 cancelled -1 / pro -40 / pro -40, renewal retry / pass -31 |
            coins -3 cancelled -2 / mystery -3 / answer version 4.11 |
            unlock -3 / unlock -3 cancelled -1, unlock -1 | unlock
            pro -10                           | pro.monthly 20
            pro -32, renewal grace 5          | pro.monthly 5
            pass -10                          | pass 20
            coins -3 cancelled -2, coins -3   | coins
            answer version 4.9                | full
            answer sandbox version 1.0, unlock -3 | unlock
            """))
    func unlocks(cells: [String]) throws {
        let found = try unlocked(cells[0])
        let texts = found.products.map { $0.id.text + ($0.endsAt.map { " " + $0.inDays } ?? "") }
        #expect(texts.joined(separator: ", ") == cells[1])
        #expect(found.earliestEnd == found.products.compactMap(\.endsAt).min())
    }

    private func unlocked(_ text: String) throws -> UnlockedProducts {
        let receipt = try #require(shown(text)[0].verified?.receipt)
        return UnlockedProducts(of: receipt, catalog: .acme, at: .asOf)
    }

    @Test("An unlocked product has its refund's references, and one outside the catalogue a name")
    func references() throws {
        let found = try unlocked(
            "unlock -3, pro -10 id 3 of 2 order w3, coins -3 id 9 cancelled -1, mystery -3")
        #expect(found.products.map(\.refundReferences) == [["w3"], ["1"]])
        #expect(found.refundReferences == ["1", "4", "w3"] && found.unknown == ["mystery"])
    }

    /// A pass lasts 30 days. It is gone only when the last refunded purchase would have ended too;
    /// and of passes bought at one instant the greatest id, as a number, covers. The last cell has
    /// the state, the end, the covering transaction and the day since when it is gone.
    @Test(
        "A right's purchases, in order, and a renewal decide its state, end and transaction",
        arguments: choices(
            """
            active until its expiry      | pro -40, pro -10                 | active 20 by 2
            expired at its very expiry   | pro -30                          | expired 0 by 1, gone 0
            until the greatest expiry    | pro -5 id 2, pro -20 id 1        | active 25 by 2
            active by an older period    | pro -20..11, pro -5 cancelled -2 | active 11 by 1
            revoked by a running refund  | pro -40, pro -10 cancelled -4    | revoked -4 by 2
            revoked by an older refund   | pro -60 cancelled -50            | revoked -50 by 1
            expired if refunded after it | pro -60 cancelled -20  | expired -30 by 1, gone -20
            family-revoked when shared   | pro -10 cancelled -4 family   | family_revoked -4 by 1
            in grace while that lasts    | pro -32, renewal grace 4 retry   | grace 4 by 1
            over as grace ends   | pro -32, renewal grace 0 | expired -2 by 1, gone 0
            in retry after grace | pro -40, renewal grace -4 retry | billing_retry -10 by 1, gone -4
            in retry without grace | pro -40, renewal retry | billing_retry -10 by 1, gone -10
            not in grace when refunded | pro -32 cancelled -5, renewal grace 4 | revoked -5 by 1
            active although it will end  | pro -10, renewal off             | active 20 by 1
            without an upgraded period   | pro -20..345 upgraded, pro -10   | active 20 by 2
            nothing when all upgraded    | pro -10 upgraded                 | nothing
            by the live one | pro -40 id 2 cancelled -39, pro -40 id 1 | expired -10 by 1, gone -10
            nothing without an expiry    | pro -10..                        | nothing
            owned | unlock -90, unlock -9 id 3 cancelled -8, unlock -30 id 2 | active always by 2
            last refunded | unlock -90 cancelled -5, unlock -30 cancelled -20 | revoked -5 by 1
            family-revoked | unlock -9 cancelled -5 family | family_revoked -5 by 1
            with days that overlap, or not | pass -10 / pass -10, pass -40   | active 20 by 1
            with days that add up        | pass -20, pass -30               | active 30 by 1
            with days that add up | pass -40, pass -40 / pass -90, pass -10 | active 20 by 2
            ended after two              | pass -60, pass -60         | expired 0 by 2, gone 0
            ended despite refund  | pass -40, pass -35 cancelled -34 | expired -10 by 1, gone -10
            refunded later        | pass -50, pass -45 cancelled -0.5 | expired -20 by 1, gone -0.5
            revoked, of a pass           | pass -40 cancelled -39           | revoked -39 by 1
            of ten passes at once | pass -5, pass -5, pass -5, pass -5, pass -5, pass -5, pass -5, \
            pass -5, pass -5, pass -5    | active 295 by 10
            """))
    func standing(cells: [String]) throws {
        let row = cells[1].prefix { $0 != " " } + " to 20"
        let right = try #require(Judge.acme.judgement(cells[1], String(row)).rights.first)
        let standing = right.apple.map { apple in
            let end = apple.endsAt?.inDays ?? "always"
            let gone = apple.goneAt.map { ", gone \($0.inDays)" } ?? ""
            return "\(apple.state.rawValue) \(end) by \(apple.transaction)\(gone)"
        }
        #expect(standing ?? "nothing" == cells[2])
    }
}

@Suite("An app version and a transaction id")
struct NumericTextTests {
    @Test("Numeric ids are compared as numbers of any length")
    func ids() {
        let ids: [TransactionID] = ["9", "10", "010", "a", "b"]
        let less = ids.map { id in ids.filter { id.isNumericallyLess(than: $0) }.map(\.text) }
        #expect(less == [["10", "010", "a", "b"], ["a", "b"], ["a", "b"], ["b"], []])
    }

    @Test("Versions are compared part by part as numbers, and are undecidable if one is none")
    func versions() throws {
        for (left, right, isLess) in [
            ("1.9", "1.10", true), ("2", "2.0", false), ("010", "10", false), ("0", "0.0.1", true),
            ("1.0", "1.0.1", true), ("99999999999999999999", "100000000000000000000", true),
        ] {
            let pair = (try #require(AppVersion(left)), try #require(AppVersion(right)))
            #expect((pair.0 < pair.1) == isLess && !(pair.1 < pair.0), "\(left) \(right)")
        }
        for text in ["", "1.", ".1", "1.0b2", "72e87690", "１"] { #expect(AppVersion(text) == nil) }
    }
}

@Suite("A calendar interval")
struct CalendarIntervalTests {
    @Test("A duration that overflows the calendar lasts until the end of time")
    func endless() {
        let ages = CalendarInterval(months: 170_000_000 * 12)
        for longest in [ages, CalendarInterval(days: .max), CalendarInterval(milliseconds: .max)] {
            #expect(longest.added(to: .asOf) == .distantFuture)
        }
        #expect(CalendarInterval(months: .min).added(to: .asOf) == .distantPast)
        #expect(ages.added(to: ages.added(to: .asOf)) == .distantFuture)
    }

    @Test("Where durations are compared a month has 30 days and a year 365")
    func nominal() {
        let day = Duration.seconds(86_400)
        let long = CalendarInterval(months: 14, days: 2, milliseconds: 5)
        #expect(long.nominalDuration == day * 427 + .milliseconds(5))
        #expect(CalendarInterval(months: .max).nominalDuration > day * 1_000_000_000)
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
