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
        let period = try text(3).map(interval)
        let product = CatalogProduct(
            id: "p", kind: productKind, accessDuration: productKind == .nonRenewing ? period : nil,
            billingPeriod: productKind == .autoRenewable ? period : nil,
            listPrice: price.count == 2 ? price[0] : nil,
            currency: price.count == 2 ? price[1] : nil)
        let judge = Judge(
            catalog: Catalog(products: [product]), settings: JudgingSettings(asOf: .asOf))
        let finding = try judge.judgement(receipts(of: productKind), row).only(kind)
        var rows = [ReportedFinding(id: "f", finding: finding, firstSeen: .asOf)]
        rows.price()
        return rows[0]
    }

    private var row: String {
        switch cells[0] {
        case "active_not_granted", "grace_not_granted", "owned_not_granted", "refund_recorded",
            "expired":
            ""
        case "grant_without_transaction": "p to 9 changed -\(cells[4])"
        case "expiry_missing": "p"
        default: "p to 9 changed -500"
        }
    }

    private func receipts(of product: ProductKind) throws -> String {
        let cause = try #require(Double(cells[4]))
        let isCancelled = cells[0].hasPrefix("refund") || cells[0].hasPrefix("family")
        let word = isCancelled ? "cancelled -\(cause) \(cells[5])" : cells[5]
        switch (cells[0], product) {
        case ("grant_without_transaction", _): return "answer"
        case ("owned_not_granted", _): return "p -\(cause) \(word)"
        case ("active_not_granted", _), ("expiry_missing", _): return "p -\(cause)..20 \(word)"
        case ("billing_retry_still_granted", _):
            return "p \(-cause - 30)..-\(cause) \(word), renewal retry"
        case ("grace_not_granted", _):
            return "p \(-cause - 30)..-\(cause) \(word), renewal grace 5"
        case (_, .autoRenewable):
            return "p \(-cause - 30)..\(isCancelled ? 20 : -cause) \(word)"
        default: return "p \(-cause - 30) \(word)"
        }
    }

    private func interval(_ text: String) throws -> CalendarInterval {
        let words = text.split(separator: " ")
        let number = try #require(Int64(words[0]))
        return switch words[1] {
        case "year": CalendarInterval(months: 12 * number)
        case "hours": CalendarInterval(milliseconds: 3_600_000 * number)
        case "month": CalendarInterval(months: number)
        default: CalendarInterval(days: number)
        }
    }

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
        #expect(try amount(.expiredStillGranted, "pro -40 \(words)", "pro to 20") == expected)
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
        let receipts =
            switch cells[1] {
            case "RESTORED": "unlock -200 cancelled -10, unlock -100 id 6 of 1 cancelled -10"
            case "AFTER AN OFFER": "pro -40 introductory, pro -10 cancelled -10"
            default: cells[1]
            }
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

    @Test("An offer has its days, but no amount since its price is unknown")
    func days() throws {
        let finding = try Self.judge.judgement("pro -40 promotion winback", "pro to 20")
            .only(.expiredStillGranted)
        #expect(finding.estimate?.exposureDays == 10)
    }
}
