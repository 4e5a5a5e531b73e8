/// Formulas of the first sheet that add up the rows of the others.
struct SheetSums {
    private let findingSheets: [Workbook.Sheet]
    private let totalSheets: [Workbook.Sheet]

    init(_ sheets: [Workbook.Sheet]) {
        findingSheets = sheets.filter { FindingFile(rawValue: $0.table) != nil }
        totalSheets = sheets.filter { $0.table == "totals" }
    }

    /// Whether the sheets of findings and of totals have all rows.
    var isWhole: Bool { (findingSheets + totalSheets).allSatisfy(\.isWhole) }

    // MARK: Money

    /// The sum from the sheets of findings; empty when rows are missing there.
    func findings(_ bucket: MoneyTally.Bucket, _ money: Money) -> WorkbookCell {
        sum(
            of: "estimated_amount", in: findingSheets, where: "money_bucket", is: [bucket.rawValue],
            money)
    }

    /// The same sum from the sheet Totals, which has no column for the bucket: `refunded` is one
    /// kind, and each line with an amount in `leak` or `owed` has that direction.
    func totals(_ bucket: MoneyTally.Bucket, _ money: Money) -> WorkbookCell {
        guard bucket == .refunded else {
            return sum(
                of: "amount", in: totalSheets, where: "direction", is: [bucket.rawValue], money)
        }
        let refunds = FindingKind.allCases.filter { $0.moneyBucket(of: .none) == .refunded }
        return sum(
            of: "amount", in: totalSheets, where: "kind", is: refunds.map(\.rawValue), money)
    }

    /// The part of such a sum that is so old; nil: it is unknown since when.
    func totals(_ bucket: MoneyTally.Bucket, _ money: Money, aged age: Age?) -> WorkbookCell {
        guard WorkbookCell.isNumber(money.text), isWhole else { return .decimal(money.text) }
        let terms = totalSheets.filter { $0.rows > 0 }.map { sheet in
            "SUMIFS(\(sheet.range(of: "amount")),\(sheet.range(of: "direction")),"
                + "\"\(bucket.rawValue)\",\(sheet.range(of: "currency")),"
                + "\"\(money.currency.code)\",\(sheet.range(of: "age")),"
                + "\"\(age?.rawValue ?? "=")\")"
        }
        return .formula(
            "ROUND(\(added(terms)),\(money.currency.decimals))", decimal: money.text)
    }

    private func sum(
        of amounts: String, in sheets: [Workbook.Sheet], where column: String,
        is values: [String], _ money: Money
    ) -> WorkbookCell {
        guard isWhole else { return .empty }
        let terms = sheets.filter { $0.rows > 0 }.flatMap { sheet in
            values.map { value in
                "SUMIFS(\(sheet.range(of: amounts)),\(sheet.range(of: column)),\"\(value)\","
                    + "\(sheet.range(of: "currency")),\"\(money.currency.code)\")"
            }
        }
        return .formula(
            "ROUND(\(added(terms)),\(money.currency.decimals))", decimal: money.text)
    }

    // MARK: Counts

    /// The number of rows in the sheets of findings, which is `count`.
    func findingCount(_ count: Int) -> WorkbookCell {
        self.count("COUNTA", "finding_id", findingSheets, count)
    }

    /// The number of findings in the sheet Totals, which is `count`.
    func totalCount(_ count: Int) -> WorkbookCell {
        self.count("SUM", "count", totalSheets, count)
    }

    private func count(
        _ function: String, _ column: String, _ sheets: [Workbook.Sheet], _ count: Int
    ) -> WorkbookCell {
        let terms = sheets.filter { $0.rows > 0 }.map { sheet in
            "\(function)(\(sheet.range(of: column)))"
        }
        return .formula(added(terms), decimal: "\(count)")
    }

    private func added(_ terms: [String]) -> String {
        terms.isEmpty ? "0" : terms.joined(separator: "+")
    }
}

extension Workbook.Sheet {
    /// The cells of a column, in a formula of another sheet.
    func range(of column: String) -> String {
        let letters = Workbook.letters(columns.firstIndex(of: column) ?? 0)
        return "'\(title)'!$\(letters)$2:$\(letters)$\(rows + 1)"
    }
}
