import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The age of a finding")
struct AgeTests {
    /// A cause so long ago. To add one, copy a line.
    struct Cause: Sendable {
        let days: Double
        let age: Age
    }

    @Test(
        "It counts whole days from the cause",
        arguments: [
            Cause(days: -1, age: .under30), Cause(days: 0, age: .under30),
            Cause(days: 29.999, age: .under30), Cause(days: 30, age: .under90),
            Cause(days: 89.999, age: .under90), Cause(days: 90, age: .upTo365),
            Cause(days: 365.999, age: .upTo365), Cause(days: 366, age: .over365),
            Cause(days: 9_000, age: .over365),
        ])
    func counts(cause: Cause) {
        var finding = ReportedFinding.sample().finding
        finding.eventAt = .day(-cause.days)
        #expect(Age(of: finding, asOf: .asOf) == cause.age)
    }

    @Test("An event has none, nor has a finding of which it is unknown since when")
    func hasNone() {
        var event = ReportedFinding.sample(.refundRecorded).finding
        event.eventAt = .day(-3)
        #expect(Age(of: event, asOf: .asOf) == nil)
        var finding = ReportedFinding.sample().finding
        #expect(Age(of: finding, asOf: .asOf) == nil)
        finding.eventAt = .distantPast
        #expect(Age(of: finding, asOf: .asOf) == nil)
    }

    @Test("Fractions of a second, which no report prints, decide nothing")
    func seconds() {
        var finding = ReportedFinding.sample().finding
        finding.eventAt = .day(-30).advanced(byMilliseconds: 999)
        #expect(Age(of: finding, asOf: .asOf) == .under90)
    }
}
