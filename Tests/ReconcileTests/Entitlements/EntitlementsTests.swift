import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("An app version and a transaction id")
struct NumericTextTests {
    @Test("Numeric ids are compared as numbers of any length")
    func ids() {
        let ids: [TransactionID] = ["9", "10", "010", "a", "b"]
        let less = ids.map { id in ids.filter { id.isNumericallyLess(than: $0) }.map(\.text) }
        #expect(less == [["10", "010", "a", "b"], ["a", "b"], ["a", "b"], ["b"], []])
    }

    /// To add a pair, copy a line: the version on the left is never the greater one.
    struct Pair: Sendable, CustomTestStringConvertible {
        let left: String
        let right: String
        let isLess: Bool

        init(_ left: String, _ right: String, isLess: Bool) {
            self.left = left
            self.right = right
            self.isLess = isLess
        }

        var testDescription: String { "\(left) and \(right)" }
    }

    @Test(
        "Versions are compared part by part as numbers",
        arguments: [
            Pair("1.9", "1.10", isLess: true), Pair("2", "2.0", isLess: false),
            Pair("010", "10", isLess: false), Pair("0", "0.0.1", isLess: true),
            Pair("1.0", "1.0.1", isLess: true),
            Pair("99999999999999999999", "100000000000000000000", isLess: true),
        ])
    func versions(pair: Pair) throws {
        let left = try #require(AppVersion(pair.left))
        let right = try #require(AppVersion(pair.right))
        #expect((left < right) == pair.isLess)
        #expect(!(right < left))
    }

    @Test(
        "A version is undecidable if a part is no number",
        arguments: ["", "1.", ".1", "1.0b2", "72e87690", "１"])
    func undecidable(version: String) {
        #expect(AppVersion(version) == nil)
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
