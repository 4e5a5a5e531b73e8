import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The examples of docs/money.md")
struct MoneyExamplesTests {
    @Test(
        "Each row of the examples has the amount that the job computes", arguments: MoneyExample.all
    )
    func examples(example: MoneyExample) throws {
        let row = try example.reported()
        #expect(row.exposureDays.map { String($0) } == example.text(6))
        #expect(row.estimatedAmount.map { "\($0) \(row.currency ?? "")" } == example.text(7))
        #expect((row.currency == nil) == (row.estimatedAmount == nil))
        let explanation = row.finding.explanation
        if let basis = example.text(9) {
            #expect(explanation.hasSuffix(" (estimate: \(basis))."))
        } else {
            #expect(!explanation.contains("estimate") && explanation.hasSuffix("."))
        }
    }

    @Test("The rows of the examples add up to the printed totals")
    func totals() throws {
        var tally = MoneyTally()
        for example in MoneyExample.all { try tally.add(try example.reported()) }
        let totals = MoneyTally.Bucket.allCases.flatMap { bucket in
            tally.amounts(bucket).map { [bucket.rawValue, $0.currency.code, $0.text] }
        }
        #expect(totals == MoneyExample.rows(below: "| money |"))
        #expect(MoneyExample.all.count >= 20)
    }
}

/// A row of the page's table, and the smallest world with that finding.
struct MoneyExample: Sendable, CustomTestStringConvertible {
    static let all = rows(below: "| finding |").map(MoneyExample.init)

    let cells: [String]

    var testDescription: String { cells.dropLast(2).joined(separator: " | ") }

    /// Nil for an empty cell.
    func text(_ column: Int) -> String? { cells[column] == "–" ? nil : cells[column] }

    func reported() throws -> ReportedFinding {
        #expect(cells.count == 10)
        let kind = try #require(FindingKind(rawValue: cells[0]))
        let productKind = try #require(ProductKind(rawValue: cells[1]))
        let price = text(2)?.split(separator: " ").map(String.init)
        let period = try text(3).map { try #require(Self.periods[$0]) }
        let product = CatalogProduct(
            id: "p", kind: productKind, accessDuration: productKind == .nonRenewing ? period : nil,
            billingPeriod: productKind == .autoRenewable ? period : nil,
            listPrice: price?[0], currency: price?[1])
        let cause = try #require(Double(cells[4]))
        let world = try #require(Self.worlds.first { $0[0] == cells[0] })
        let receipts = world[1].replacing("A", with: "-\(cause)")
            .replacing("B", with: "-\(cause + 30)").replacing("NOTE", with: cells[5])
            .replacing(#/\.\.\S+/#) { productKind == .autoRenewable ? $0.output : "" }
        let rows = world[2].replacing("A", with: "-\(cause)")
        let judgement = Judge(Catalog(products: [product])).judgement(receipts, rows)
        return UserHistory().reported([try judgement.only(kind)], judgedAt: .asOf)[0]
    }

    private static let periods = [
        "1 year": CalendarInterval(months: 12), "1 month": CalendarInterval(months: 1),
        "30 days": CalendarInterval(days: 30), "7 days": CalendarInterval(days: 7),
        "36 hours": CalendarInterval(milliseconds: 36 * 3_600_000),
    ]

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

    static func rows(below header: String) -> [[String]] {
        let page = (try? SourceTree.file(at: "docs/money.md"))?.text ?? ""
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.drop { !$0.hasPrefix(header) }.dropFirst(2).prefix { $0.hasPrefix("|") }
            .map { Array(textTable(String($0))[0].dropFirst().dropLast()) }
    }
}

@Suite("The money of an offer, a trial and a quantity")
struct MoneyOfOffersTests {
    private static let judge = Judge(
        Catalog(products: [
            CatalogProduct(
                id: "pro.monthly", kind: .autoRenewable, group: "G",
                billingPeriod: CalendarInterval(months: 1), listPrice: "9.00", currency: "USD"),
            CatalogProduct(
                id: "pass", kind: .nonRenewing, accessDuration: CalendarInterval(days: 30),
                listPrice: "6.00", currency: "USD"),
            CatalogProduct(
                id: "unlock", kind: .nonConsumable, listPrice: "29.00", currency: "USD"),
            CatalogProduct(id: "coins", kind: .consumable, listPrice: "1.99", currency: "USD"),
            CatalogProduct(id: "gems", kind: .consumable),
        ]))

    /// The amount and currency of the only finding of `kind`; `-` without an amount.
    private func amount(_ kind: FindingKind, _ receipts: String, _ row: String) throws -> String {
        let amount = try Self.judge.judgement(receipts, row).only(kind).estimate?.amount
        return amount.map { "\($0.text) \($0.currency.code)" } ?? "-"
    }

    /// A refund, an end and a debt have the amount of 10 days, and the event of the refund another.
    @Test(
        "An amount is unknown for an offer, zero for a trial or a family member, else the price",
        arguments: textTriples(
            """
                              | 3.00 USD | 9.00 USD
            promotion -       | 3.00 USD | 9.00 USD
            introductory      | -        | -
            promotion winback | -        | -
            code SPRING26     | -        | -
            trial             | 0.00 USD | 0.00 USD
            family            | 0.00 USD |
            """))
    func offer(words: String, expected: String, refunded: String) throws {
        let refund = "pro -10 cancelled -10 id 5 of 1 \(words)"
        let isFamily = refunded.isEmpty
        let cancelled: FindingKind = isFamily ? .familyRevokedStillGranted : .refundedStillGranted
        #expect(try amount(cancelled, refund, "pro to 20") == expected)
        let ended = "pro -40 \(words)"
        #expect(try amount(.expiredStillGranted, ended, "pro to 20") == expected)
        let leak = try Self.judge.judgement(ended, "pro to 20").only(.expiredStillGranted)
        #expect(leak.estimate?.exposureDays == 10)
        #expect(try amount(.activeNotGranted, "pro -10 \(words)", "pro off to 20") == expected)
        if !isFamily { #expect(try amount(.refundRecorded, refund, "pro to 20") == refunded) }
    }

    @Test(
        "The amount of a refund is the list price times the quantity, and a row is worth one",
        arguments: choices(
            """
            refund_recorded | coins -20 cancelled -10 quantity 10 |  | 19.90 USD
            refund_recorded | coins -20 cancelled -10 quantity 1 / coins -20 cancelled -10 |  \
            | 1.99 USD
            refund_recorded | gems -20 cancelled -10 quantity 10  |  | -
            refund_recorded | pass -20 cancelled -10 quantity 2   |  | 12.00 USD
            family_revocation_recorded | coins -20 cancelled -10 quantity 10 family |  | -
            refunded_still_granted | unlock -20 cancelled -10 quantity 2 | unlock    | 29.00 USD
            refund_recorded / refunded_still_granted | RESTORED          | unlock    | 29.00 USD
            refunded_still_granted | AFTER AN OFFER                      | pro to 20 | 3.00 USD
            refund_recorded        | AFTER AN OFFER                      | pro to 20 | 9.00 USD
            """))
    func refund(cells: [String]) throws {
        let restored = "unlock -200 cancelled -10, unlock -100 id 6 of 1 cancelled -10"
        let receipts = cells[1].replacing("RESTORED", with: restored)
            .replacing("AFTER AN OFFER", with: "pro -40 introductory, pro -10 cancelled -10")
        let kind = try #require(FindingKind(rawValue: cells[0]))
        #expect(try amount(kind, receipts, cells[2]) == cells[3])
    }
}

@Suite("An amount of money")
struct MoneyTests {
    @Test("An amount is printed with all decimals of its currency, and read; other text is refused")
    func printed() throws {
        for (units, code, text) in [
            (0, "USD", "0.00"), (5, "USD", "0.05"), (999, "usd", "9.99"), (-5, "EUR", "-0.05"),
            (980, "JPY", "980"), (0, "JPY", "0"), (250, "KWD", "0.250"), (1, "CLF", "0.0001"),
            (123_456, "XYZ", "1234.56"),
        ] {
            let currency = try #require(Currency(code))
            let money = Money(minorUnits: Int128(units), in: currency)
            #expect(money.text == text)
            if units >= 0 { #expect(Money(text, in: currency) == money) }
        }
        let usd = try #require(Currency("USD"))
        for text in ["", ".", "1.", ".5", "1.001", "1e3", "-1"] {
            #expect(Money(text, in: usd) == nil)
        }
        for code in ["", "US", "USDX", "U$D", "12A", "ÄÖÜ"] { #expect(Currency(code) == nil) }
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
