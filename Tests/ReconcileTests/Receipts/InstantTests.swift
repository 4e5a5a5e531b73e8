import Testing

@testable import Reconcile

@Suite("An instant")
struct InstantTests {
    @Test(
        "RFC 3339 is read to the millisecond",
        arguments: [
            ("1970-01-01T00:00:00Z", 0),
            ("2026-11-20T02:00:00Z", 1_795_140_000_000),
            ("2026-11-20T03:00:00.123456+01:00", 1_795_140_000_123),
            ("2026-11-20t02:00:00.5z", 1_795_140_000_500),
            ("1969-12-31T23:59:59.999Z", -1),
            ("2024-02-29T00:00:00Z", 1_709_164_800_000),
        ] as [(String, Int64)])
    func reads(text: String, milliseconds: Int64) {
        #expect(Instant(rfc3339: text) == Instant(milliseconds: milliseconds))
    }

    @Test(
        "Text that is not an instant is refused",
        arguments: [
            "", "2026-11-20", "2026-11-20T02:00:00", "2026-02-30T00:00:00Z", "2023-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z", "2026-11-20T24:00:00Z", "2026-11-20T02:00:60Z",
            "2026-11-20T02:00:00.Z", "2026-11-20T02:00:00Z ", "26-11-20T02:00:00Z",
            "2026-11-20T02:00:00+25:00", "２026-11-20T02:00:00Z",
        ])
    func refuses(text: String) { #expect(Instant(rfc3339: text) == nil) }

    @Test(
        "An instant is printed in whole seconds, rounded down",
        arguments: [
            (1_795_140_000_999, "2026-11-20T02:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
            (-62_135_596_800_000, "0001-01-01T00:00:00Z"),
            (-99_999_999_999_000, "-1199-02-15T14:13:21Z"),
            (Int64.max, "infinity"), (Int64.min, "-infinity"),
        ] as [(Int64, String)])
    func prints(milliseconds: Int64, text: String) {
        #expect(Instant(milliseconds: milliseconds).description == text)
    }

    @Test("Every day of 900 years survives printing and reading")
    func roundTrip() {
        for day in stride(from: Int64(-200_000), to: 130_000, by: 7) {
            #expect(CivilDate(daysSince1970: day).daysSince1970 == day)
        }
    }
}
