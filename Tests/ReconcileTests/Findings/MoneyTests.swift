import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The money of a finding, also in the examples of docs/money.md")
struct EstimateTests {
    private static let examples = rows(below: "| finding |")

    @Test("Each row of the examples has the amount that the job computes", arguments: examples)
    func example(cells: [String]) throws {
        let row = try reported(cells)
        let amount = row.estimatedAmount.map { "\($0) \(row.currency ?? "")" } ?? "–"
        #expect([row.exposureDays.map { "\($0)" } ?? "–", amount] == Array(cells[6...7]))
        #expect((row.currency == nil) == (row.estimatedAmount == nil))
        let basis = cells[9] == "–" ? "" : " (estimate: \(cells[9]))"
        #expect(row.finding.explanation.hasSuffix(basis + "."))
        #expect(row.finding.explanation.contains("estimate") == !basis.isEmpty)
    }

    @Test("The rows of the examples add up to the printed totals")
    func totals() throws {
        var tally = MoneyTally()
        for example in Self.examples { try tally.add(try reported(example)) }
        let totals = MoneyTally.Bucket.allCases.flatMap { bucket in
            tally.amounts(bucket).map { [bucket.rawValue, $0.currency.code, $0.text] }
        }
        #expect(totals == Self.rows(below: "| money |"))
        #expect(Self.examples.count >= 20)
    }

    /// The finding in the smallest world that shows it.
    private func reported(_ cells: [String]) throws -> ReportedFinding {
        #expect(cells.count == 10)
        let period = cells[3].replacing(" ", with: "-")
        let product = "p \(cells[1]) \(period) price \(cells[2].replacing(" ", with: " in "))"
        let catalog = Catalog(product.replacing(#/(price )?–/#, with: ""))
        let cause = try #require(Double(cells[4]))
        let world = try #require(Self.worlds.first { $0[0] == cells[0] }).map { text in
            text.replacing("A", with: "-\(cause)").replacing("B", with: "-\(cause + 30)")
                .replacing("NOTE", with: cells[5])
                .replacing(#/\.\.\S+/#) { cells[1] == "auto_renewable" ? $0.output : "" }
        }
        let kind = try #require(FindingKind(rawValue: cells[0]))
        let finding = try Judge(catalog).judgement(world[1], world[2]).only(kind)
        return UserHistory().reported([finding], judgedAt: .asOf)[0]
    }

    /// Receipts and rows for each kind: A is the day of the cause, B 30 days before. Only a
    /// subscription has the end after "..".
    private static let worlds = choices(
        """
        expired_still_granted        | p B..A NOTE                | p to 9 changed -500
        billing_retry_still_granted  | p B..A NOTE, renewal retry | p to 9 changed -500
        refunded_still_granted / family_revoked_still_granted | p B..20 cancelled A NOTE \
        | p to 9 changed -500
        grant_without_transaction    | answer                     | p to 9 changed A
        expiry_missing               | p A..20 NOTE               | p
        active_not_granted           | p A..20 NOTE               |
        grace_not_granted            | p B..A NOTE, renewal grace 5 |
        owned_not_granted            | p A NOTE                   |
        refund_recorded              | p B..20 cancelled A NOTE   |
        expired                      | p B..A NOTE                |
        """)

    private static func rows(below header: String) -> [[String]] {
        let page = (try? SourceTree.file(at: "docs/money.md"))?.text ?? ""
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.drop { !$0.hasPrefix(header) }.dropFirst(2).prefix { $0.hasPrefix("|") }
            .map { Array(String($0).rows[0].dropFirst().dropLast()) }
    }

    private static let judge = Judge(
        Catalog(
            """
            pro auto_renewable group G 1-month price 9.00 in USD,
            pass non_renewing 30-days price 6.00 in USD, unlock non_consumable price 29.00 in USD,
            coins consumable price 1.99 in USD, gems consumable
            """))

    /// A leak and a debt have the amount of 10 days, and an event the whole.
    @Test(
        "Offers have no amount, trials and shares zero, all else the price, a refund by quantity",
        arguments: scenes(
            """
            CUT = pro -10 cancelled -10 id 5 of 1
            BOTH = refunded_still_granted / refund_recorded
            AFTER = pro -40 introductory, pro -10 cancelled -10
            refunded_still_granted | CUT / CUT promotion - / AFTER | pro to 20 | 3.00 USD
            refund_recorded        | CUT / CUT promotion - / AFTER | pro to 20 | 9.00 USD
            BOTH | CUT introductory / CUT promotion winback / CUT code SPRING26 | pro to 20 | -
            BOTH                         | CUT trial  | pro to 20 | 0.00 USD
            family_revoked_still_granted | CUT family | pro to 20 | 0.00 USD
            expired_still_granted | pro -40 / pro -40 promotion - | pro to 20 | 3.00 USD
            expired_still_granted | pro -40 introductory / pro -40 promotion winback | pro to 20 | -
            expired_still_granted | pro -40 code SPRING26 | pro to 20 | -
            expired_still_granted | pro -40 trial / pro -40 family | pro to 20 | 0.00 USD
            active_not_granted | pro -10 / pro -10 promotion - | pro off to 20 | 3.00 USD
            active_not_granted | pro -10 introductory / pro -10 code SPRING26 | pro off to 20 | -
            active_not_granted | pro -10 promotion winback | pro off to 20 | -
            active_not_granted | pro -10 trial / pro -10 family | pro off to 20 | 0.00 USD
            COINS = coins -20 cancelled -10
            refund_recorded | COINS quantity 10 |  | 19.90 USD
            refund_recorded | COINS quantity 1 / COINS |  | 1.99 USD
            refund_recorded | gems -20 cancelled -10 quantity 10 |  | -
            refund_recorded | pass -20 cancelled -10 quantity 2 |  | 12.00 USD
            family_revocation_recorded | COINS quantity 10 family |  | -
            refunded_still_granted | unlock -20 cancelled -10 quantity 2 | unlock | 29.00 USD
            BOTH | unlock -99 cancelled -10, unlock -95 id 6 of 1 cancelled -10 | unlock | 29.00 USD
            """))
    func amount(cells: [String]) throws {
        let kind = try #require(FindingKind(rawValue: cells[0]))
        let estimate = try Self.judge.judgement(cells[1], cells[2]).only(kind).estimate
        #expect(estimate?.amount.map { "\($0.text) \($0.currency.code)" } ?? "-" == cells[3])
        if kind == .expiredStillGranted { #expect(estimate?.exposureDays == 10) }
    }
}

@Suite("An amount of money, alone and on a user's rows")
struct MoneyTests {
    @Test("An amount is printed with all decimals of its currency, and read; other text is refused")
    func printed() throws {
        for (units, code, text) in [
            (0, "USD", "0.00"), (5, "USD", "0.05"), (999, "usd", "9.99"), (-5, "EUR", "-0.05"),
            (980, "JPY", "980"), (0, "JPY", "0"), (250, "KWD", "0.250"), (1, "CLF", "0.0001"),
            (123_456, "XYZ", "1234.56"),
        ] {
            let money = Money(minorUnits: Int128(units), in: try #require(Currency(code)))
            #expect(money.text == text)
            if units >= 0 { #expect(Money(text, in: money.currency) == money) }
        }
        let usd = try #require(Currency("USD"))
        let other = ["", ".", "1.", ".5", "1.001", "1e3", "-1"]
        #expect(other.compactMap { Money($0, in: usd) }.isEmpty)
        #expect(["", "US", "USDX", "U$D", "12A", "ÄÖÜ"].compactMap { Currency($0) }.isEmpty)
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
        #expect(price?.whole?.text == whole && (price == nil) == (whole == nil))
    }

    @Test("A period that is too short or too long gives no end", arguments: [0, -1, 40_000_000])
    func period(days: Int64) {
        let product = CatalogProduct(
            id: "p", kind: .autoRenewable, billingPeriod: CalendarInterval(days: days),
            listPrice: "1", currency: "USD")
        let price = Price(of: product)
        #expect(price?.span == .unknown && price?.charge(forDays: 3) == nil)
    }

    /// Findings in words: an id, the kind if it is no end, the cents, `of` a right, `accepted`.
    private func rows(_ text: String) throws -> [ReportedFinding] {
        let usd = try #require(Currency("USD"))
        var rows = text.split(separator: ",").map { text in
            let words = text.split(separator: " ").map(String.init)
            let kind = words.lazy.compactMap(FindingKind.init).first ?? .expiredStillGranted
            let weight = FindingKind.Weight(severity: .high, direction: .leak)
            var finding = Finding(kind: kind, weight: weight, user: "u", explanation: "Text.")
            finding.entitlement = EntitlementID(words[0])
            let right = words.contains("x") ? Right.product("x") : .group("G")
            finding.estimate = Estimate(
                right: words.contains("none") ? nil : right,
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
        arguments: """
            b 1, a 2 | countedElsewhere, 3 0.02
            b 1, a 2, c 3 billing_retry_still_granted | countedElsewhere, countedElsewhere, 3 0.03
            b 1, d 4 of x               | 3 0.01, 3 0.04
            a 1 accepted, b 2           | accepted, 3 0.02
            a -, b 2, c 1               | countedElsewhere, 3 0.02, countedElsewhere
            a -, b -                    | 3 -, countedElsewhere
            a 0, b 2                    | 3 0.00, countedElsewhere
            a 100 of none, b 100 of none | 3 1.00, 3 1.00
            """.pairs)
    func once(findings: String, expected: String) throws {
        let priced = try rows(findings).map { row in
            row.exposureDays.map { "\($0) \(row.estimatedAmount ?? "-")" }
                ?? row.noAmount.map { "\($0)" } ?? ""
        }
        #expect(priced.joined(separator: ", ") == expected)
    }

    @Test("An amount in other text, or of a kind without money, is refused by the sums")
    func tally() throws {
        var tally = MoneyTally()
        var broken = try rows("a 100")[0]
        broken.estimatedAmount = "1.001"
        #expect(throws: MoneyTally.Unsummable.self) { try tally.add(broken) }
        broken.estimatedAmount = "1.00"
        broken.finding.kind = .labelStale
        let error = #expect(throws: MoneyTally.Unsummable.self) { try tally.add(broken) }
        #expect(error?.description.hasSuffix("report it with this line.") == true)
    }
}
