import Testing

@testable import Reconcile

@Suite("Days in California")
struct PacificDaysTests {
    @Test(
        "A day begins at its midnight in California, also around the changes of clocks",
        arguments: [
            (day: "2026-03-08", begins: "2026-03-08T08:00:00Z", hours: 23),
            (day: "2026-03-09", begins: "2026-03-09T07:00:00Z", hours: 24),
            (day: "2026-10-31", begins: "2026-10-31T07:00:00Z", hours: 24),
            (day: "2026-11-01", begins: "2026-11-01T07:00:00Z", hours: 25),
            (day: "2026-11-02", begins: "2026-11-02T08:00:00Z", hours: 24),
            (day: "2025-12-31", begins: "2025-12-31T08:00:00Z", hours: 24),
        ])
    func begins(day: String, begins: String, hours: Int64) throws {
        let first = try #require(Instant(day: day))
        let instants = try #require(PacificDays(first: first, last: first)).instants
        #expect(instants.lowerBound.description == begins)
        let length = instants.upperBound.milliseconds - instants.lowerBound.milliseconds
        #expect(length == hours * 3_600_000)
    }

    @Test("The first and the last instant of every day of thirty years are of that day")
    func inverse() throws {
        let first = try #require(Instant(day: "2008-01-02"))
        let last = try #require(Instant(day: "2038-01-01"))
        let days = try #require(PacificDays(first: first, last: last)).all
        #expect(days.count == 10_958)
        #expect(days.allSatisfy { $0.pacificMidnight.pacificDay == $0 })
        let before = days.map { $0.pacificMidnight.advanced(byMilliseconds: -1).pacificDay }
        #expect(before.dropFirst().elementsEqual(days.dropLast()))
    }

    @Test("What is no day is refused, and so is a last day before the first")
    func refuses() throws {
        let texts = [
            "", "2026-1-01", "2026-02-30", "2026-10-01T00:00:00Z", "2007-12-31", "26-10-01",
            " 2026-10-1",
        ]
        #expect(texts.compactMap { Instant(day: $0) }.isEmpty)
        let first = try #require(Instant(day: "2026-10-02"))
        let last = try #require(Instant(day: "2026-10-01"))
        #expect(PacificDays(first: first, last: last) == nil)
    }
}
