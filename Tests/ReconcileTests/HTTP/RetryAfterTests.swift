import Testing

@testable import Reconcile

@Suite("The header line Retry-After")
struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT
    private static let now: Int64 = 784_111_777_000

    @Test(
        "Seconds, HTTP dates and UNIX milliseconds are read in every valid form, and nothing else",
        arguments: [
            (["0"], 0), (["120"], 120_000), ([" 7\t"], 7_000), (["3600"], 3_600_000),
            (["3601"], 3_600_000), (["999999999"], 3_600_000), (["784111777000"], 0),
            (["784111782500"], 5_500), (["784111700000"], 0), (["99999999999999"], 3_600_000),
            (["Sun, 06 Nov 1994 08:49:47 GMT"], 10_000),
            (["Sunday, 06-Nov-94 08:50:37 GMT"], 60_000), (["Sun Nov  6 08:49:38 1994"], 1_000),
            (["Sun, 06 Nov 1994 08:00:00 GMT"], 0),
            (["Fri, 31 Dec 1999 23:59:59 GMT"], 3_600_000),
            // Seconds of any size; UNIX time in seconds if it is close to now.
            (["1234567890"], 3_600_000), (["12345678901"], 3_600_000),
            (["123456789012345"], 3_600_000), (["99999999999999999999999"], 3_600_000),
            (["784111787"], 3_600_000), (["0784111787"], 10_000),
            // The greatest value of a list counts.
            (["5,6"], 6_000), (["120, 60"], 120_000), (["soon, 7"], 7_000),
            (["3, Sun, 06 Nov 1994 08:49:47 GMT"], 10_000),
            (["3", "9", "5"], 9_000), (["nonsense", "4"], 4_000), (["9", "-1"], 9_000),
            ([], nil), ([""], nil), ([" "], nil), (["-1"], nil), (["+5"], nil), (["1.5"], nil),
            (["1e3"], nil), (["0x10"], nil), (["5 seconds"], nil), (["５"], nil), (["soon"], nil),
            (["5 6"], nil), ([","], nil),
        ] as [([String], Int64?)])
    func reads(values: [String], milliseconds: Int64?) {
        let delay = RetryAfter.delay(values, date: nil, nowMilliseconds: Self.now)
        #expect(delay == milliseconds.map { .milliseconds($0) })
    }

    @Test(
        "A date is measured from the server's own clock, if its Date line can be read",
        arguments: [
            ("784111782500", "Sun, 06 Nov 1994 08:49:40 GMT", 2_500),
            ("Sun, 06 Nov 1994 08:49:47 GMT", "Sun, 06 Nov 1994 08:49:40 GMT", 7_000),
            ("Sun, 06 Nov 1994 08:49:47 GMT", "yesterday", 10_000),
            ("30", "Sun, 06 Nov 1994 08:49:40 GMT", 30_000),
        ] as [(String, String, Int64)])
    func serverClock(value: String, date: String, milliseconds: Int64) {
        let delay = RetryAfter.delay([value], date: date, nowMilliseconds: Self.now)
        #expect(delay == .milliseconds(milliseconds))
    }
}

@Suite("An HTTP date")
struct HTTPDateTests {
    @Test(
        "A date that has another form, or does not exist, is refused",
        arguments: [
            "", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 06 Nov 1994 08:49:37 GMT ", " Sun, 06 Nov 1994 08:49:37 GMT",
            "Mon, 06 Nov 1994 08:49:37 GMT", "Wed, 30 Feb 1994 08:49:37 GMT",
            "Sun, 6 Nov 1994 08:49:37 GMT", "sun, 06 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
            "Sun, 06 Nov 1994 08:49:60 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
            "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
            "Sun Nov 06 08:49:37 94", "1994-11-06T08:49:37Z", "Sun, 06 Nov +994 08:49:37 GMT",
        ])
    func refused(text: String) {
        #expect(HTTPDate.milliseconds(text, nowMilliseconds: 784_111_777_000) == nil)
    }

    @Test(
        "A year of two digits is at most 50 years ahead",
        arguments: [
            // now, date, expected
            (1_795_140_000_000, "Friday, 20-Nov-26 00:00:00 GMT", 1_795_132_800_000),
            (1_795_140_000_000, "Thursday, 01-Jan-70 00:00:00 GMT", nil),
            (1_795_140_000_000, "Wednesday, 01-Jan-70 00:00:00 GMT", 3_155_760_000_000),
            (784_111_777_000, "Thursday, 01-Jan-70 00:00:00 GMT", 0),
        ] as [(Int64, String, Int64?)])
    func century(now: Int64, text: String, milliseconds: Int64?) {
        #expect(HTTPDate.milliseconds(text, nowMilliseconds: now) == milliseconds)
    }
}
