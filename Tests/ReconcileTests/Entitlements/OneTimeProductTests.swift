import Testing

@testable import Reconcile

@Suite("A product bought once")
struct OneTimeProductTests {
    private func product(_ transactions: [Transaction]) -> OneTimeProduct {
        OneTimeProduct(purchases: Purchase.shown(transactions))
    }

    @Test("A lifetime purchase is owned, by the newest purchase, while one is not cancelled")
    func owned() {
        let standing = product([
            .once("1", "unlock", bought: -90), .once("3", "unlock", bought: -9, cancelled: -8),
            .once("2", "unlock", bought: -30),
        ]).ownership()
        #expect(standing?.state == .active)
        #expect(standing?.endsAt == nil)
        #expect(standing?.covering.id == "2")
    }

    @Test("The purchase that was cancelled last revokes the product")
    func revoked() {
        let standing = product([
            .once("1", "unlock", bought: -90, cancelled: -5),
            .once("2", "unlock", bought: -30, cancelled: -20),
        ]).ownership()
        #expect(standing?.state == .revoked)
        #expect(standing?.endsAt == .day(-5))
        #expect(standing?.covering.id == "1")
    }

    @Test("The product is family-revoked when the purchase cancelled last was a shared one")
    func familyRevoked() {
        let shared = Transaction.once(
            "1", "unlock", bought: -9, cancelled: -5, isFamilyShared: true)
        #expect(product([shared]).ownership()?.state == .familyRevoked)
    }

    @Test(
        "Passes add up in the order of purchase",
        arguments: [
            ([(-10.0, nil)], Grantor.State.active, 20.0),
            ([(-10, nil), (-40, nil)], .active, 20),
            ([(-20, nil), (-30, nil)], .active, 30),
            ([(-40, nil), (-40, nil)], .active, 20),
            ([(-90, nil), (-10, nil)], .active, 20),
            ([(-60, nil), (-60, nil)], .expired, 0),
            ([(-40, nil), (-35, -34.0)], .expired, -10),
            ([(-40, -39.0)], .revoked, -39),
        ] as [([(Double, Double?)], Grantor.State, Double)])
    func stacks(purchases: [(Double, Double?)], state: Grantor.State, end: Double) {
        let transactions = purchases.enumerated().map { place, purchase in
            Transaction.once(
                TransactionID("\(place + 1)"), "pass", bought: purchase.0, cancelled: purchase.1)
        }
        let standing = product(transactions).pass(
            lasting: CalendarInterval(days: 30), asOf: .asOf)
        #expect(standing?.state == state)
        #expect(standing?.endsAt == .day(end))
    }

    @Test("Of passes bought at one instant the greatest id, as a number, covers")
    func tie() {
        let standing = product([
            .once("9", "pass", bought: -5), .once("10", "pass", bought: -5),
        ]).pass(lasting: CalendarInterval(days: 30), asOf: .asOf)
        #expect(standing?.covering.id == "10")
    }

    @Test("The product has ended only when the last refunded purchase would have ended too")
    func gone() {
        let standing = product([
            .once("1", "pass", bought: -50), .once("2", "pass", bought: -45, cancelled: -0.5),
        ]).pass(lasting: CalendarInterval(days: 30), asOf: .asOf)
        #expect(standing?.state == .expired)
        #expect(standing?.goneAt == .day(-0.5))
    }

    @Test("A duration that overflows the calendar lasts forever")
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
        #expect(
            CalendarInterval(days: 7, milliseconds: 5).nominalDuration
                == days * 7 + .milliseconds(5))
        #expect(CalendarInterval(months: .max).nominalDuration > days * 1_000_000_000)
    }

    @Test("A pass lasts calendar months, ending on the last day of a shorter month")
    func months() throws {
        let start = try #require(Instant(rfc3339: "2026-01-31T12:00:00.500Z"))
        let end = CalendarInterval(months: 1).added(to: start)
        #expect(end == Instant(rfc3339: "2026-02-28T12:00:00.500Z"))
        #expect(
            CalendarInterval(months: 13, days: 1, milliseconds: 1).added(to: start)
                == Instant(rfc3339: "2027-03-01T12:00:00.501Z"))
    }
}
