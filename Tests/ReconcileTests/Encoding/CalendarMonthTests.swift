import Testing

@testable import Reconcile

/// To add a fiscal month: copy a row. Apple's own calendars name the first and the last day.
@Suite("A month, and Apple's fiscal month of the same name")
struct CalendarMonthTests {
    @Test(
        "A fiscal month has its first and last day, also in years of 53 weeks",
        arguments: [
            (month: "2025-01", first: "2024-12-29", last: "2025-02-01"),
            (month: "2022-10", first: "2022-09-25", last: "2022-10-29"),
            (month: "2022-11", first: "2022-10-30", last: "2022-11-26"),
            (month: "2022-12", first: "2022-11-27", last: "2022-12-31"),
            (month: "2023-01", first: "2023-01-01", last: "2023-02-04"),
            (month: "2023-09", first: "2023-09-03", last: "2023-09-30"),
            (month: "2016-12", first: "2016-11-27", last: "2016-12-31"),
            (month: "2024-04", first: "2024-03-31", last: "2024-05-04"),
            (month: "2026-10", first: "2026-09-27", last: "2026-10-31"),
            (month: "2026-11", first: "2026-11-01", last: "2026-11-28"),
            (month: "2028-01", first: "2028-01-02", last: "2028-02-05"),
        ])
    func fiscal(month: String, first: String, last: String) throws {
        let days = try #require(CalendarMonth(month)).fiscalDays
        #expect(days.firstText == first)
        #expect(days.lastText == last)
        #expect(days.fiscalMonth?.text == month)
    }

    @Test("Fiscal months follow each other without a gap, and mostly lie in their month")
    func whole() throws {
        let months = try (2009...2060).flatMap { year in
            try (1...12).map { month in
                try #require(CalendarMonth("\(year)-\(month < 10 ? "0" : "")\(month)"))
            }
        }
        for (month, next) in zip(months, months.dropFirst()) {
            let end = month.fiscalDays.last.advanced(byMilliseconds: Instant.millisecondsPerDay)
            #expect(end == next.fiscalDays.first, "\(month.text)")
            let days = month.fiscalDays.all
            let inside = days.count { CalendarMonth(of: $0) == month }
            #expect(inside * 2 > days.count, "\(month.text)")
        }
    }

    @Test("A calendar month has all its days, and its name")
    func calendar() throws {
        let month = try #require(CalendarMonth("2028-02"))
        #expect(month.days.firstText == "2028-02-01")
        #expect(month.days.lastText == "2028-02-29")
        #expect(month.days.month == month)
        #expect(month.days.fiscalMonth == nil)
        #expect(month.name == "February 2028")
    }

    @Test("Days lie in the months from that of the first to that of the last")
    func months() throws {
        let first = try #require(Instant(day: "2026-11-30"))
        let last = try #require(Instant(day: "2027-02-01"))
        let days = try #require(PacificDays(first: first, last: last))
        #expect(days.months.map(\.text) == ["2026-11", "2026-12", "2027-01", "2027-02"])
        #expect(days.count == 64)
        let day = try #require(PacificDays(first: first, last: first))
        #expect(day.months.map(\.text) == ["2026-11"])
    }

    @Test("What is no month is refused")
    func refuses() {
        let texts = [
            "", "2026-13", "2026-00", "2026-1", "october", "2026-10-01", "2007-12", "26-10",
        ]
        #expect(texts.compactMap { CalendarMonth($0) }.isEmpty)
    }
}
