import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a row with a text and its milliseconds since 1970 (nil: it is refused), or an
/// instant and its Pacific day.
@Suite("An instant, a timestamp in Apple's answer, and a day in Pacific time")
struct InstantTests {
    @Test("RFC 3339 is read to the millisecond, and text that is not an instant is refused")
    func reads() {
        for (text, milliseconds) in [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-20T02:00:00Z", 1_795_140_000_000),
            ("2026-11-20T03:00:00.123456+01:00", 1_795_140_000_123),
            ("2026-11-20t02:00:00.5z", 1_795_140_000_500), ("1969-12-31T23:59:59.999Z", -1),
            ("2024-02-29T00:00:00Z", 1_709_164_800_000),
        ] {
            #expect(Instant(rfc3339: text)?.milliseconds == Int64(milliseconds), "\(text)")
        }
        let others = [
            "", "2026-11-20", "2026-11-20T02:00:00", "2026-02-30T00:00:00Z", "2023-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z", "2026-11-20T24:00:00Z", "2026-11-20T02:00:60Z",
            "2026-11-20T02:00:00.Z", "2026-11-20T02:00:00Z ", "26-11-20T02:00:00Z",
            "2026-11-20T02:00:00+25:00", "２026-11-20T02:00:00Z",
        ]
        #expect(others.compactMap { Instant(rfc3339: $0) }.isEmpty)
    }

    @Test(
        "An instant is printed in whole seconds, rounded down",
        arguments: [
            (1_795_140_000_999, "2026-11-20T02:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
            (-62_135_596_800_000, "0001-01-01T00:00:00Z"),
            (-99_999_999_999_000, "-1199-02-15T14:13:21Z"),
            (Int64.max, "infinity"), (Int64.min, "-infinity"),
        ] as [(milliseconds: Int64, text: String)])
    func prints(milliseconds: Int64, text: String) {
        let instant = Instant(milliseconds: milliseconds)
        #expect(instant.description == text)
        let days = [instant.day.dayText, instant.pacificDay.dayText]
        if text.hasSuffix("infinity") { #expect(days == [text, text]) }
    }

    @Test("Every day of 900 years survives printing and reading")
    func roundTrip() {
        let days = Int64(-200_000)..<130_000
        #expect(days.allSatisfy { CivilDate(daysSince1970: $0).daysSince1970 == $0 })
    }

    @Test("In Apple's answer milliseconds and text in GMT are read, and anything else is refused")
    func appleTime() {
        for (text, expected) in [
            ("1613766826665", 1_613_766_826_665), ("0", 0), ("1000.999", 1000), ("-1", -1),
            ("-1.5", -2), ("253402300799999", 253_402_300_799_999), ("", nil), ("-", nil),
            ("1.", nil), (".5", nil), ("1e12", nil), ("12a", nil), (" 1", nil), ("+1", nil),
            ("253402300800000", nil), ("9999999999999999999999", nil), ("NaN", nil),
        ] as [(String, Int64?)] {
            let read = AppleTimestamp.instant(milliseconds: text.utf8)
            #expect(read?.milliseconds == expected, "\(text)")
        }
        for (text, expected) in [
            ("2019-05-21 17:33:21 Etc/GMT", 1_558_460_001_000),
            ("2019-05-21T17:33:21Z", 1_558_460_001_000), ("1558460001000", 1_558_460_001_000),
            ("2019-05-21 10:33:21 America/Los_Angeles", nil), ("9999-99-99 99:99:99 Etc/GMT", nil),
            ("2019-02-30 17:33:21 Etc/GMT", nil), ("21.05.2019", nil), ("", nil),
        ] as [(String, Int64?)] {
            #expect(AppleTimestamp.instant(text: text.utf8)?.milliseconds == expected, "\(text)")
        }
    }

    @Test(
        "A day begins at 07:00 UTC in summer and at 08:00 UTC in winter",
        arguments: [
            (instant: "2026-07-01T06:59:59Z", day: "2026-06-30"),
            ("2026-07-01T07:00:00Z", "2026-07-01"),
            ("2026-12-01T07:59:59Z", "2026-11-30"), ("2026-12-01T08:00:00Z", "2026-12-01"),
            ("2007-12-31T23:59:59Z", "2007-12-31"), ("2008-01-01T07:59:59Z", "2007-12-31"),
            ("1969-12-31T01:00:00Z", "1969-12-31"),
        ])
    func examples(instant: String, day: String) throws {
        #expect(try #require(Instant(rfc3339: instant)).pacificDay.dayText == day)
    }

    /// PostgreSQL has the time zone from the IANA's tables.
    @Test("The days equal PostgreSQL's at every hour from 2008 to 2045")
    func agree() async throws {
        try await TestDatabase.with(.nothing) { test in
            let days = try await test.texts(
                """
                select to_char(hour at time zone 'America/Los_Angeles', 'YYYY-MM-DD')
                from generate_series('2008-01-01T00:00:00Z'::timestamptz,
                    '2045-12-31T23:00:00Z'::timestamptz, '1 hour') as hour order by hour
                """)
            #expect(days.count > 330_000)
            let first = try #require(Instant(rfc3339: "2008-01-01T00:00:00Z"))
            let wrong = days.indices.filter {
                (first + .seconds($0 * 3_600)).pacificDay.dayText != days[$0]
            }
            #expect(wrong.isEmpty)
        }
    }
}
