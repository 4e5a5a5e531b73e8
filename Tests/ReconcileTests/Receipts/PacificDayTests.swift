internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Days in Pacific time")
struct PacificDayTests {
    @Test(
        "A day begins at 07:00 UTC in summer and at 08:00 UTC in winter",
        arguments: [
            ("2026-07-01T06:59:59Z", "2026-06-30"), ("2026-07-01T07:00:00Z", "2026-07-01"),
            ("2026-12-01T07:59:59Z", "2026-11-30"), ("2026-12-01T08:00:00Z", "2026-12-01"),
            ("2007-12-31T23:59:59Z", "2007-12-31"), ("2008-01-01T07:59:59Z", "2007-12-31"),
            ("1969-12-31T01:00:00Z", "1969-12-31"),
        ])
    func examples(instant: String, day: String) throws {
        #expect(try #require(Instant(rfc3339: instant)).pacificDay.dayText == day)
    }

    @Test("An interval without an end has no days")
    func infinite() {
        #expect(Instant.distantFuture.pacificDay.dayText == "infinity")
        #expect(Instant.distantPast.day.dayText == "-infinity")
    }

    /// PostgreSQL has the time zone from the IANA's tables.
    @Test("The days equal PostgreSQL's at every hour from 2008 to 2045")
    func agree() async throws {
        try await TestDatabase.with(.nothing) { test in
            let hours = try await test.texts(
                """
                select extract(epoch from hour)::bigint || ' '
                    || to_char(hour at time zone 'America/Los_Angeles', 'YYYY-MM-DD')
                from generate_series('2008-01-01T00:00:00Z'::timestamptz,
                    '2045-12-31T23:00:00Z'::timestamptz, '1 hour') as hour
                """)
            #expect(hours.count > 330_000)
            let wrong = hours.filter { line in
                let parts = (line ?? "").split(separator: " ")
                let instant = Instant(milliseconds: (Int64(parts[0]) ?? 0) * 1_000)
                return instant.pacificDay.dayText != parts[1]
            }
            #expect(wrong.isEmpty)
        }
    }
}
