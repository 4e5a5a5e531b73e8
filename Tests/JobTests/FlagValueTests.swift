import Testing

@testable import reconcile_job

@Suite("A flag's value")
struct FlagValueTests {
    @Test(
        "A duration is one number and one unit",
        arguments: [
            ("250ms", .milliseconds(250)), ("15s", .seconds(15)), ("1.5h", .seconds(5_400)),
            ("0.5ms", .milliseconds(1)), ("10m", .seconds(600)), ("90d", .seconds(7_776_000)),
            ("0s", .zero),
        ] as [(String, Duration)])
    func durations(text: String, duration: Duration) throws {
        #expect(try FlagValue.duration(.zero)(text) == duration)
    }

    @Test(
        "An incomplete or ambiguous duration is refused",
        arguments: [
            "", "5", "s", "5 s", " 5s", "5s ", "-5s", "+5s", "1h30m", "5S", "1e3s", ".5s", "5.s",
            "1,5s", "5µs", "٥s", "36501d", "99999999999999999999d",
        ])
    func badDurations(text: String) {
        #expect(throws: InvalidValue.self) { try FlagValue.duration(.zero)(text) }
    }

    @Test("A time limit of zero is refused", arguments: ["0s", "0.4ms"])
    func noDuration(text: String) {
        #expect(throws: InvalidValue.self) {
            try FlagValue.duration(.milliseconds(1))(text)
        }
    }

    @Test(
        "A rate is a decimal above 0, without sign or exponent",
        arguments: [
            ("10", 10), ("0.1", 0.1), ("0", nil), ("0.0", nil), ("-1", nil), ("1e3", nil),
            ("nan", nil), ("inf", nil), ("0x10", nil), ("", nil), ("100001", nil), ("1.2.3", nil),
        ] as [(String, Double?)])
    func rates(text: String, number: Double?) {
        #expect((try? FlagValue.number(atLeast: 0)(text)) == number)
    }

    @Test(
        "A limit is a percentage or a count",
        arguments: [
            ("1%", .percent(1)), ("0%", .percent(0)), ("0.5%", .percent(0.5)), ("50", .count(50)),
            ("0", .count(0)), ("0.05", .percent(5)), ("1.0", .percent(100)), ("100.1%", nil),
            ("-1", nil), ("1.5", nil), ("%", nil), ("", nil),
        ] as [(String, Allowance?)])
    func allowances(text: String, allowance: Allowance?) {
        #expect((try? FlagValue.allowance(text)) == allowance)
    }

    @Test(
        "A whole number must be within its bounds",
        arguments: [("1", 1), ("9", 9), ("0", nil), ("10", nil), ("1.0", nil), ("+1", nil)]
            as [(String, Int?)])
    func wholeNumbers(text: String, number: Int?) {
        #expect((try? FlagValue.wholeNumber(1...9)(text)) == number)
    }
}

@Suite("A suggestion")
struct SuggestionTests {
    @Test(
        "The nearest name is suggested if one is near",
        arguments: [
            ("rat", "rate"), ("rtae", "rate"), ("RATE", "rate"), ("bust", "burst"),
            ("report", "reports"), ("sandbox", "sandbox-rate"), ("frobnicate", nil), ("x", nil),
        ] as [(String, String?)])
    func nearest(word: String, name: String?) {
        let names = ["rate", "burst", "reports", "sandbox-rate", "max-unverified"]
        #expect(Suggestion.nearest(to: word, in: names) == name)
    }

    @Test(
        "The distance between two names counts typing errors",
        arguments: [
            ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "acb", 1),
            ("kitten", "sitting", 3),
        ])
    func distance(left: String, right: String, slips: Int) {
        #expect(Suggestion.distance(left, right) == slips)
    }
}
