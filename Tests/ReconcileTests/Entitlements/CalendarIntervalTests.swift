import Testing

@testable import Reconcile

@Suite("A calendar interval")
struct CalendarIntervalTests {
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
