import Testing

@testable import Reconcile
@testable import TestSupport

/// To add an example, add a row to the table in docs/money.md. One of another kind than those there
/// needs its smallest user in `evidence`.
@Suite("The money of a finding in the examples of docs/money.md")
struct DocumentedAmountTests {
    @Test(
        "Each row of the examples has the amount that the job computes",
        arguments: DocumentedAmount.all)
    func example(example: DocumentedAmount) throws {
        let row = try example.reported()
        #expect(row.exposureDays.map { "\($0)" } == example["exposure_days"])
        #expect(row.estimatedAmount.map { "\($0) \(row.currency ?? "")" } == example["amount"])
        #expect((row.currency == nil) == (row.estimatedAmount == nil))
        let basis = example["in the explanation"]
        #expect(row.finding.explanation.hasSuffix((basis.map { " (estimate: \($0))" } ?? "") + "."))
        #expect(row.finding.explanation.contains("estimate") == (basis != nil))
    }

    @Test("The rows of the examples add up to the printed totals")
    func totals() throws {
        var tally = MoneyTally()
        for example in DocumentedAmount.all { try tally.add(example.reported()) }
        let totals = MoneyTally.Bucket.allCases.flatMap { bucket in
            tally.amounts(bucket).map {
                ["money": bucket.rawValue, "currency": $0.currency.code, "total": $0.text]
            }
        }
        #expect(totals == DocumentedAmount.rows(under: "money"))
        #expect(DocumentedAmount.all.count >= 20)
    }
}

/// A row of the examples. A dash in the table is nothing.
struct DocumentedAmount: Sendable, CustomTestStringConvertible {
    static let all = rows(under: "finding").map { DocumentedAmount(columns: $0) }

    /// By the headings of the table.
    private let columns: [String: String]

    subscript(_ heading: String) -> String? { columns[heading].flatMap { $0 == "–" ? nil : $0 } }

    var testDescription: String {
        ["finding", "product", "price", "a", "cause", "note"].compactMap { self[$0] }
            .filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// The rows of the table whose first heading that is.
    static func rows(under heading: String) -> [[String: String]] {
        let page = (try? SourceTree.file(at: "docs/money.md"))?.text ?? ""
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        let table = lines.drop { !$0.hasPrefix("| \(heading) |") }.prefix { $0.hasPrefix("|") }
            .map { line in
                line.split(separator: "|").map { cell in
                    cell.split(separator: " ").joined(separator: " ")
                }
            }
        let headings = table.first ?? []
        return table.dropFirst(2).map { cells in
            Dictionary(zip(headings, cells), uniquingKeysWith: { $1 })
        }
    }

    /// The finding of the smallest user who has it.
    func reported() throws -> ReportedFinding {
        let kind = try #require(FindingKind(rawValue: self["finding"] ?? ""))
        let judge = Judge(Catalog(products: [try product()]))
        let (receipt, row) = try evidence(of: kind)
        let judgement = judge.judgement([receipt], rows: row.map { [$0] } ?? [])
        let finding = try judgement.only(kind)
        return UserHistory().reported([finding], judgedAt: .asOf)[0]
    }

    private func product() throws -> CatalogProduct {
        let kind = try #require(ProductKind(rawValue: self["product"] ?? ""))
        let price = self["price"]?.split(separator: " ").map(String.init)
        let period = try self["a"].map(interval)
        return CatalogProduct(
            id: "p", kind: kind, accessDuration: kind == .nonRenewing ? period : nil,
            billingPeriod: kind == .autoRenewable ? period : nil, listPrice: price?.first,
            currency: price?.last)
    }

    /// For example of `36 hours`.
    private func interval(_ text: String) throws -> CalendarInterval {
        let words = text.split(separator: " ")
        let count = try #require(words.first.flatMap { Int64($0) })
        switch words.last {
        case "year": return CalendarInterval(months: 12 * count)
        case "month": return CalendarInterval(months: count)
        case "days": return CalendarInterval(days: count)
        default:
            try #require(words.last == "hours")
            return CalendarInterval(milliseconds: count * 3_600_000)
        }
    }

    private func evidence(of kind: FindingKind) throws -> (ShownReceipt, Row?) {
        let cause = -(try #require(Double(self["cause"] ?? "")))
        let granted = Row.p(until: 9, changed: -500)
        switch kind {
        case .expiredStillGranted: return (.answer(bought(cause - 30, until: cause)), granted)
        case .billingRetryStillGranted:
            return (.answer(bought(cause - 30, until: cause), .renewal(.retry)), granted)
        case .refundedStillGranted, .familyRevokedStillGranted:
            return (.answer(bought(cause - 30, until: 20, cancelled: cause)), granted)
        case .grantWithoutTransaction: return (.answer(), .p(until: 9, changed: cause))
        case .expiryMissing: return (.answer(bought(cause, until: 20)), .p())
        case .activeNotGranted, .ownedNotGranted: return (.answer(bought(cause, until: 20)), nil)
        case .graceNotGranted:
            let grace = ShownLine.renewal(.grace(until: 5))
            return (.answer(bought(cause - 30, until: cause), grace), nil)
        case .refundRecorded:
            return (.answer(bought(cause - 30, until: 20, cancelled: cause)), nil)
        default:
            try #require(kind == .expired)
            return (.answer(bought(cause - 30, until: cause)), nil)
        }
    }

    /// Only a subscription has the end.
    private func bought(_ day: Double, until end: Double, cancelled: Double? = nil) -> ShownLine {
        .p(
            bought: day, until: self["product"] == "auto_renewable" ? end : nil,
            cancelled: cancelled, ownership: self["note"] == "family" ? .familyShared : nil,
            isTrial: self["note"] == "trial")
    }
}

extension NamedProducts {
    fileprivate static var p: Builder { builder(of: "p", days: nil) }
}
