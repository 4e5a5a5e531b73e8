import Testing

@testable import Reconcile

/// A tolerance, Apple's units, and how many ours may be off: of sales and of refunds.
///
/// To add a case: a row.
private struct Allowed: CustomTestStringConvertible, Sendable {
    let within: String
    let apple: Int
    let sold: Int
    let refunded: Int

    var testDescription: String { "\(within) of \(apple)" }

    static let all = [
        Allowed(within: "0.5%", apple: 0, sold: 0, refunded: 0),
        Allowed(within: "0.5%", apple: 1, sold: 1, refunded: 0),
        Allowed(within: "0.5%", apple: 200, sold: 1, refunded: 1),
        Allowed(within: "0.5%", apple: 201, sold: 2, refunded: 1),
        Allowed(within: "0%", apple: 1_000_000, sold: 0, refunded: 0),
        Allowed(within: "100%", apple: 7, sold: 7, refunded: 7),
        Allowed(within: "12.5%", apple: 8, sold: 1, refunded: 1),
        Allowed(within: "33.333333%", apple: 3, sold: 1, refunded: 0),
        Allowed(within: "0.000000001%", apple: 1, sold: 1, refunded: 0),
        Allowed(
            within: "99.999999999%", apple: 1_000_000_000_000_000_000,
            sold: 999_999_999_990_000_000, refunded: 999_999_999_990_000_000),
    ]
}

@Suite("The tolerance of a tie-out")
struct ToleranceTests {
    @Test(
        "It is a share of Apple's units, rounded up for sales, down for refunds",
        arguments: Allowed.all)
    private func allows(row: Allowed) throws {
        let tolerance = try #require(Tolerance(row.within))
        #expect(tolerance.units(of: row.apple, .sold) == row.sold)
        #expect(tolerance.units(of: row.apple, .refunded) == row.refunded)
    }

    @Test(
        "What is no percentage up to 100 % is none",
        arguments: [
            "", "%", "5", "-1%", "x%", "1,5%", ".5%", "5.%", "100.1%", "101%", "0.5 %", "1e1%",
            "0.0000000001%", "9999999999999999999999%", "٣%",
        ])
    func refuses(text: String) { #expect(Tolerance(text) == nil) }

    @Test("The usual one is the default of --within")
    func usual() { #expect(Tolerance("0.5%") == .usual) }

    @Test(
        "A share has four decimals, rounded half-even, and a percentage is rounded down",
        arguments: [
            (1, 1, "1.0000", "100.0"), (0, 3, "0.0000", "0.0"), (2, 3, "0.6667", "66.6"),
            (1, 20_000, "0.0000", "0.0"), (3, 20_000, "0.0002", "0.0"), (8, 7, "1.1429", "114.2"),
            (1_999, 2_000, "0.9995", "99.9"), (19_999, 20_000, "1.0000", "99.9"),
            (44, 1, "44.0000", "4400.0"),
            (999_999_999_999_999, 1_000_000_000_000_000, "1.0000", "99.9"),
        ])
    func shares(part: Int, whole: Int, text: String, percent: String) {
        let share = UnitShare(of: part, in: whole)
        #expect(share?.text == text)
        #expect(share?.percent == percent)
    }

    @Test("There is no share of nothing")
    func nothing() { #expect(UnitShare(of: 3, in: 0) == nil) }
}
