import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("An amount of money")
struct MoneyTests {
    @Test(
        "An amount is printed with all decimals of its currency",
        arguments: [
            (0, "USD", "0.00"), (5, "USD", "0.05"), (999, "usd", "9.99"), (-5, "EUR", "-0.05"),
            (980, "JPY", "980"), (0, "JPY", "0"), (250, "KWD", "0.250"), (1, "CLF", "0.0001"),
            (123_456, "XYZ", "1234.56"),
        ])
    func printed(units: Int, code: String, text: String) throws {
        let currency = try #require(Currency(code))
        let money = Money(minorUnits: Int128(units), in: currency)
        #expect(money.text == text)
        if units >= 0 { #expect(Money(text, in: currency) == money) }
    }

    @Test("Text that is no amount is refused, and so is a currency without three letters")
    func unreadable() throws {
        let usd = try #require(Currency("USD"))
        for text in ["", ".", "1.", ".5", "1.001", "1e3", "-1"] {
            #expect(Money(text, in: usd) == nil)
        }
        for code in ["", "US", "USDX", "U$D", "12A", "ÄÖÜ"] { #expect(Currency(code) == nil) }
    }

    @Test(
        "An amount is rounded half to even",
        arguments: [
            (5, 10, 0), (15, 10, 2), (25, 10, 2), (35, 10, 4), (24, 10, 2), (26, 10, 3),
            (0, 7, 0), (1, 3, 0), (2, 3, 1), (7, 1, 7),
        ])
    func rounded(number: Int, divisor: Int, expected: Int) {
        #expect(Int128(number).dividedHalfEven(by: Int128(divisor)) == Int128(expected))
    }

    @Test(
        "A price is rounded to the decimals of the currency, and an invalid one gives no amount",
        arguments: [
            ("9.985000", "USD", "9.98"), ("0.5", "JPY", "0"), ("-1", "USD", nil), ("1", "", nil),
            ("1", "dollar", nil), ("1" + String(repeating: "0", count: 27), "USD", nil),
            ("0.0000000000000000000000000001", "USD", nil), ("one", "USD", nil),
        ])
    func price(price: String, currency: String, whole: String?) {
        let product = CatalogProduct(
            id: "p", kind: .nonConsumable, listPrice: price, currency: currency)
        #expect(Price(of: product)?.whole?.text == whole)
        #expect((Price(of: product) == nil) == (whole == nil))
    }

    @Test("A period that is too short or too long gives no end", arguments: [0, -1, 40_000_000])
    func period(days: Int64) {
        let product = CatalogProduct(
            id: "p", kind: .autoRenewable, billingPeriod: CalendarInterval(days: days),
            listPrice: "1", currency: "USD")
        let price = Price(of: product)
        #expect(price?.span == .unknown && price?.charge(forDays: 3) == nil)
    }
}

@Suite("The money of a user's rows")
struct PricingTests {
    /// Findings in words: an id, the kind if it is no end, the cents, `of` a right, `accepted`.
    private func rows(_ text: String) throws -> [ReportedFinding] {
        let usd = try #require(Currency("USD"))
        var rows = text.split(separator: ",").map { text in
            let words = text.split(separator: " ").map(String.init)
            let kind = words.lazy.compactMap(FindingKind.init).first ?? .expiredStillGranted
            let weight = FindingKind.Weight(severity: .high, direction: .leak)
            var finding = Finding(kind: kind, weight: weight, user: "u", explanation: "Text.")
            finding.entitlement = EntitlementID(words[0])
            let isOfNone = words.contains("none")
            finding.estimate = Estimate(
                right: isOfNone ? nil : words.contains("x") ? .product("x") : .group("G"),
                exposureDays: 3, amount: Int128(words[1]).map { Money(minorUnits: $0, in: usd) })
            return ReportedFinding(
                id: words[0], finding: finding,
                lifecycle: words.contains("accepted") ? .accepted : .new, firstSeen: .asOf)
        }
        rows.price()
        return rows
    }

    @Test(
        "A right has one amount, on its first row in report order that has one and is not accepted",
        arguments: textPairs(
            """
            b 1, a 2 | countedElsewhere, 3 0.02
            b 1, a 2, c 3 billing_retry_still_granted, d 4 of x | countedElsewhere, \
            countedElsewhere, 3 0.03, 3 0.04
            a 1 accepted, b 2           | accepted, 3 0.02
            a -, b 2, c 1               | countedElsewhere, 3 0.02, countedElsewhere
            a -, b -                    | 3 -, countedElsewhere
            a 0, b 2                    | 3 0.00, countedElsewhere
            a 100 of none, b 100 of none | 3 1.00, 3 1.00
            """))
    func once(findings: String, expected: String) throws {
        let priced = try rows(findings).map { row in
            row.exposureDays.map { "\($0) \(row.estimatedAmount ?? "-")" }
                ?? row.noAmount.map { "\($0)" } ?? ""
        }
        #expect(priced.joined(separator: ", ") == expected)
    }

    @Test("Amounts add up by bucket and currency, and other text is refused")
    func tally() throws {
        let rows = try rows("a 100, b 100 refund_recorded of none")
        var tally = MoneyTally()
        for row in rows + rows { try tally.add(row) }
        #expect(tally.description == "leak 2.00 USD, refunded 2.00 USD")
        var broken = rows[0]
        broken.estimatedAmount = "1.001"
        #expect(throws: MoneyTally.Unsummable.self) { try tally.add(broken) }
        broken.estimatedAmount = "1.00"
        broken.finding.kind = .labelStale
        let error = #expect(throws: MoneyTally.Unsummable.self) { try tally.add(broken) }
        #expect(error?.description.hasSuffix("report it with this line.") == true)
    }
}
