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
        let price = cells[2].split(separator: " ").map(String.init)
        let period = try text(3).map { try #require(Self.periods[$0]) }
        let product = CatalogProduct(
            id: "p", kind: productKind, accessDuration: productKind == .nonRenewing ? period : nil,
            billingPeriod: productKind == .autoRenewable ? period : nil,
            listPrice: price.count == 2 ? price[0] : nil,
            currency: price.count == 2 ? price[1] : nil)
        let judge = Judge(
            catalog: Catalog(products: [product]), settings: JudgingSettings(asOf: .asOf))
        let cause = try #require(Double(cells[4]))
        let world = try #require(Self.worlds.first { $0.kind == cells[0] })
        let receipts = world.receipts.replacing("A", with: "-\(cause)")
            .replacing("B", with: "-\(cause + 30)").replacing("NOTE", with: cells[5])
            .replacing(#/\.\.\S+/#) { productKind == .autoRenewable ? $0.output : "" }
        let rows = world.rows.replacing("A", with: "-\(cause)")
        let finding = try judge.judgement(receipts, rows).only(kind)
        var priced = [ReportedFinding(id: "f", finding: finding, firstSeen: .asOf)]
        priced.price()
        return priced[0]
    }

    private static let periods = [
        "1 year": CalendarInterval(months: 12), "1 month": CalendarInterval(months: 1),
        "30 days": CalendarInterval(days: 30), "7 days": CalendarInterval(days: 7),
        "36 hours": CalendarInterval(milliseconds: 36 * 3_600_000),
    ]

    /// Receipts and rows for each kind: A is the day of the cause, B 30 days before. Only a
    /// subscription has the end after "..".
    private static let worlds: [(kind: String, receipts: String, rows: String)] = textTriples(
        """
        expired_still_granted        | p B..A NOTE                | p to 9 changed -500
        billing_retry_still_granted  | p B..A NOTE, renewal retry | p to 9 changed -500
        refunded_still_granted       | p B..20 cancelled A NOTE   | p to 9 changed -500
        family_revoked_still_granted | p B..20 cancelled A NOTE   | p to 9 changed -500
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
        catalog: Catalog(products: [
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
        ]), settings: JudgingSettings(asOf: .asOf))

    private func amount(_ kind: FindingKind, _ receipts: String, _ row: String) throws -> String {
        try Self.judge.judgement(receipts, row).amount(of: kind)
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
        let ended = Self.judge.judgement("pro -40 \(words)", "pro to 20")
        #expect(try ended.amount(of: .expiredStillGranted) == expected)
        #expect(try ended.only(.expiredStillGranted).estimate?.exposureDays == 10)
        #expect(try amount(.activeNotGranted, "pro -10 \(words)", "pro off to 20") == expected)
        if !isFamily { #expect(try amount(.refundRecorded, refund, "pro to 20") == refunded) }
    }

    @Test(
        "The amount of a refund is the list price times the quantity, and a row is worth one",
        arguments: textTable(
            """
            refund_recorded        | coins -20 cancelled -10 quantity 10 |           | 19.90 USD
            refund_recorded        | coins -20 cancelled -10 quantity 1  |           | 1.99 USD
            refund_recorded        | coins -20 cancelled -10             |           | 1.99 USD
            refund_recorded        | gems -20 cancelled -10 quantity 10  |           | -
            refund_recorded        | pass -20 cancelled -10 quantity 2   |           | 12.00 USD
            family_revocation_recorded | coins -20 cancelled -10 quantity 10 family |           | -
            refunded_still_granted | unlock -20 cancelled -10 quantity 2 | unlock    | 29.00 USD
            refund_recorded        | RESTORED                            | unlock    | 29.00 USD
            refunded_still_granted | RESTORED                            | unlock    | 29.00 USD
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

    @Test("A quantity may be a number")
    func number() throws {
        let line = AppleLine.once("5", "coins", bought: -20, cancelled: -10).dropLast()
        let answer = AppleLine.answer(inApp: [line + #","quantity":3}"#])
        let judgement = Self.judge.judgement(of: [.answered(answer)], [])
        #expect(try judgement.amount(of: .refundRecorded) == "5.97 USD")
    }
}
