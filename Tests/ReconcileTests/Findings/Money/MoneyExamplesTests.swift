import Foundation
import Testing

@testable import Reconcile

@Suite("The examples of docs/money.md")
struct MoneyExamplesTests {
    @Test(
        "Each row of the examples has the amount that the job computes", arguments: MoneyExample.all
    )
    func examples(example: MoneyExample) throws {
        let row = try example.reported()
        #expect(row.exposureDays.map { String($0) } == example.exposureDays)
        let amount = row.estimatedAmount.map { "\($0) \(row.currency ?? "")" }
        #expect(amount == example.amount)
        #expect((row.currency == nil) == (row.estimatedAmount == nil))
        let explanation = row.finding.explanation
        if let basis = example.basis {
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
        #expect(totals == MoneyExample.totals)
        #expect(MoneyExample.all.count >= 20)
    }
}

/// A row of the page's table, and the smallest world with that finding.
struct MoneyExample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let kind: FindingKind
    private let product: CatalogProduct
    private let cause: Double
    private let note: String
    /// Nil for an empty cell.
    let exposureDays: String?
    /// For example `3.33 USD`.
    let amount: String?
    /// For example `10 days at 9.99 USD per month = 3.33 USD`.
    let basis: String?

    static let all = rows(beneath: "| finding |").compactMap(MoneyExample.init)
    static let totals = rows(beneath: "| money |")

    private init?(_ cells: [String]) {
        guard cells.count == 10, let kind = FindingKind(rawValue: cells[0]),
            let productKind = ProductKind(rawValue: cells[1]), let cause = Double(cells[4])
        else {
            Issue.record("unreadable: \(cells)")
            return nil
        }
        testDescription = cells.dropLast(2).joined(separator: " | ")
        let price = cells[2].split(separator: " ").map(String.init)
        let period = Self.interval(cells[3])
        self.kind = kind
        self.cause = cause
        note = cells[5]
        product = CatalogProduct(
            id: "p", kind: productKind,
            accessDuration: productKind == .nonRenewing ? period : nil,
            billingPeriod: productKind == .autoRenewable ? period : nil,
            listPrice: price.count == 2 ? price[0] : nil,
            currency: price.count == 2 ? price[1] : nil)
        exposureDays = cells[6] == "–" ? nil : cells[6]
        amount = cells[7] == "–" ? nil : cells[7]
        basis = cells[9] == "–" ? nil : cells[9]
    }

    func reported() throws -> ReportedFinding {
        let judge = Judge(
            catalog: Catalog(products: [product]), settings: JudgingSettings(asOf: .asOf))
        let renewals =
            kind == .billingRetryStillGranted
            ? billingRetry : kind == .graceNotGranted ? inGrace : []
        let receipt = Receipt.showing(transactions, renewals: renewals)
        let finding = try judge.judgement(of: verified(receipt), stored).only(kind)
        var rows = [ReportedFinding(id: "f", finding: finding, firstSeen: .asOf)]
        rows.price()
        return rows[0]
    }

    private var stored: [StoredEntitlement] {
        switch kind {
        case .activeNotGranted, .graceNotGranted, .ownedNotGranted, .refundRecorded, .expired: []
        case .grantWithoutTransaction: [.row("e", "p", expires: 9, updated: -cause)]
        case .expiryMissing: [.row("e", "p")]
        default: [.row("e", "p", expires: 9, updated: -500)]
        }
    }

    private var transactions: [Transaction] {
        var transaction = Transaction.once("1", "p", bought: -cause - 30)
        switch (kind, product.kind) {
        case (.grantWithoutTransaction, _): return []
        case (.ownedNotGranted, _): transaction.purchasedAt = .day(-cause)
        case (.activeNotGranted, _), (.expiryMissing, _):
            transaction.purchasedAt = .day(-cause)
            transaction.expiresAt = .day(20)
        case (_, .autoRenewable) where !isCancelled: transaction.expiresAt = .day(-cause)
        case (_, .autoRenewable): transaction.expiresAt = .day(20)
        default: break
        }
        if isCancelled { transaction.cancelledAt = .day(-cause) }
        transaction.isTrial = note == "trial"
        transaction.ownership = note == "family" ? .familyShared : .purchased
        return [transaction]
    }

    private var isCancelled: Bool {
        [.refundedStillGranted, .familyRevokedStillGranted, .refundRecorded].contains(kind)
    }

    private static func interval(_ text: String) -> CalendarInterval? {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 2, let number = Int64(words[0]) else { return nil }
        switch words[1] {
        case "year", "years": return CalendarInterval(months: 12 * number)
        case "hours": return CalendarInterval(milliseconds: 3_600_000 * number)
        case "month", "months": return CalendarInterval(months: number)
        default: return CalendarInterval(days: number)
        }
    }

    private static func rows(beneath header: String) -> [[String]] {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("docs/money.md")
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        let lines = text.components(separatedBy: "\n").drop { !$0.hasPrefix(header) }
        return lines.dropFirst(2).prefix { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }
}
