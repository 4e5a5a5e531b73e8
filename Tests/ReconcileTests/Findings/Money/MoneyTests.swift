import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("An amount of money")
struct MoneyTests {
    struct Printed: Sendable, CustomTestStringConvertible {
        let units: Int128
        let currency: String
        let text: String

        init(_ units: Int128, _ currency: String, _ text: String) {
            self.units = units
            self.currency = currency
            self.text = text
        }

        var testDescription: String { "\(units) \(currency)" }
    }

    /// To add an amount, copy a line: the minor units, the currency, and the text.
    @Test(
        "An amount is printed with all decimals of its currency, and read",
        arguments: [
            Printed(0, "USD", "0.00"), Printed(5, "USD", "0.05"), Printed(999, "usd", "9.99"),
            Printed(980, "JPY", "980"), Printed(0, "JPY", "0"), Printed(250, "KWD", "0.250"),
            Printed(1, "CLF", "0.0001"), Printed(123_456, "XYZ", "1234.56"),
        ])
    func printed(amount: Printed) throws {
        let money = Money(minorUnits: amount.units, in: try #require(Currency(amount.currency)))
        #expect(money.text == amount.text)
        #expect(Money(amount.text, in: money.currency) == money)
    }

    @Test("A negative amount is printed with a minus")
    func negative() throws {
        let euros = try #require(Currency("EUR"))
        #expect(Money(minorUnits: -5, in: euros).text == "-0.05")
    }

    @Test(
        "Other text is no amount", arguments: ["", ".", "1.", ".5", "1.001", "1e3", "-1"])
    func refused(text: String) throws {
        #expect(Money(text, in: try #require(Currency("USD"))) == nil)
    }

    @Test(
        "A currency is three Latin letters", arguments: ["", "US", "USDX", "U$D", "12A", "ÄÖÜ"])
    func noCurrency(code: String) {
        #expect(Currency(code) == nil)
    }

    @Test(
        "A price is rounded to the decimals of the currency, and an invalid one gives no amount",
        arguments: [
            ("0", "JPY", "0"), ("0.5", "JPY", "0"), ("1.5", "JPY", "2"), ("2.4", "JPY", "2"),
            ("2.5", "JPY", "2"), ("2.6", "JPY", "3"), ("3.5", "JPY", "4"), ("7", "JPY", "7"),
            ("9.985000", "USD", "9.98"), ("-1", "USD", nil), ("1", "", nil), ("1", "dollar", nil),
            ("1" + String(repeating: "0", count: 27), "USD", nil),
            ("0.0000000000000000000000000001", "USD", nil), ("one", "USD", nil),
        ])
    func price(price: String, currency: String, whole: String?) {
        let price = Price(
            of: .init(id: "p", kind: .consumable, listPrice: price, currency: currency))
        #expect(price?.whole?.text == whole)
        #expect((price == nil) == (whole == nil))
    }

    @Test("A period that is too short or too long gives no end", arguments: [0, -1, 40_000_000])
    func period(days: Int64) {
        let price = Price(of: .subscription("p", per: .days(days), usd: "1"))
        #expect(price?.span == .unknown)
        #expect(price?.charge(forDays: 3) == nil)
    }
}

/// To add a case, copy a list of findings; each says what its row shows.
@Suite("The amounts of a user's findings")
struct UserAmountTests {
    /// A finding with an estimate, and the days and the amount that its row shows, or why not.
    struct Estimated: Sendable {
        var id: String
        var cents: Int128?
        var kind = FindingKind.expiredStillGranted
        var right: Right? = .group("G")
        var lifecycle = Lifecycle.new
        let shows: Shown

        func reported() throws -> ReportedFinding {
            let usd = try #require(Currency("USD"))
            var finding = Finding(kind: kind, weight: .highLeak, user: "u", explanation: "Text.")
            finding.entitlement = EntitlementID(id)
            finding.estimate = Estimate(
                right: right, exposureDays: 3, amount: cents.map { Money(minorUnits: $0, in: usd) })
            return ReportedFinding(
                id: id, finding: finding, lifecycle: lifecycle, firstSeen: .asOf)
        }
    }

    enum Shown: Equatable, Sendable {
        /// The three days, and the amount, if it is known.
        case estimate(String?)
        case nothing(Estimate.NoAmount?)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let findings: [Estimated]

        init(_ label: String, _ findings: Estimated...) {
            testDescription = label
            self.findings = findings
        }
    }

    private static let elsewhere = Shown.nothing(.countedElsewhere)

    @Test(
        "A right has one amount, on its first row in report order that has one and is not accepted",
        arguments: [
            Case(
                "two rows of one right", Estimated(id: "b", cents: 1, shows: elsewhere),
                Estimated(id: "a", cents: 2, shows: .estimate("0.02"))),
            Case(
                "a later row of a kind that is reported first",
                Estimated(id: "b", cents: 1, shows: elsewhere),
                Estimated(id: "a", cents: 2, shows: elsewhere),
                Estimated(
                    id: "c", cents: 3, kind: .billingRetryStillGranted, shows: .estimate("0.03"))),
            Case(
                "rows of two rights", Estimated(id: "b", cents: 1, shows: .estimate("0.01")),
                Estimated(id: "d", cents: 4, right: .product("x"), shows: .estimate("0.04"))),
            Case(
                "an accepted row",
                Estimated(id: "a", cents: 1, lifecycle: .accepted, shows: .nothing(.accepted)),
                Estimated(id: "b", cents: 2, shows: .estimate("0.02"))),
            Case(
                "a first row without an amount", Estimated(id: "a", shows: elsewhere),
                Estimated(id: "b", cents: 2, shows: .estimate("0.02")),
                Estimated(id: "c", cents: 1, shows: elsewhere)),
            Case(
                "two rows without an amount", Estimated(id: "a", shows: .estimate(nil)),
                Estimated(id: "b", shows: elsewhere)),
            Case(
                "a first row with the amount zero",
                Estimated(id: "a", cents: 0, shows: .estimate("0.00")),
                Estimated(id: "b", cents: 2, shows: elsewhere)),
            Case(
                "rows of no right",
                Estimated(id: "a", cents: 100, right: nil, shows: .estimate("1.00")),
                Estimated(id: "b", cents: 100, right: nil, shows: .estimate("1.00"))),
        ])
    func once(example: Case) throws {
        var rows = try example.findings.map { try $0.reported() }
        rows.price()
        for (row, finding) in zip(rows, example.findings) {
            let shown =
                row.exposureDays == nil
                ? Shown.nothing(row.noAmount) : .estimate(row.estimatedAmount)
            #expect(shown == finding.shows, "\(finding.id)")
            if row.exposureDays != nil { #expect(row.exposureDays == 3, "\(finding.id)") }
        }
    }

    @Test("An amount in other text, or of a kind without money, is refused by the sums")
    func tally() throws {
        var tally = MoneyTally()
        var broken = try Estimated(id: "a", cents: 100, shows: .estimate("1.00")).reported()
        broken.currency = "USD"
        broken.estimatedAmount = "1.001"
        #expect(throws: MoneyTally.Unsummable.self) { try tally.add(broken) }
        broken.estimatedAmount = "1.00"
        #expect(throws: Never.self) { try tally.add(broken) }
        broken.finding.kind = .labelStale
        let error = #expect(throws: MoneyTally.Unsummable.self) { try tally.add(broken) }
        #expect(error?.description.hasSuffix("report it with this line.") == true)
    }
}
