/// The first sheet of the workbook, which is printed on one page: the run, its money, how old the
/// leak is, and the controls. Formulas recompute the sums from the other sheets.
struct SummarySheet {
    let summary: Summary
    private let outline: SummaryOutline
    let sheets: [Workbook.Sheet]
    private let sums: SheetSums
    private var rows: [[WorkbookCell]] = []

    static func rows(
        _ summary: Summary, codeVersion: String, sheets: [Workbook.Sheet]
    ) -> [[WorkbookCell]] {
        var sheet = SummarySheet(summary: summary, codeVersion: codeVersion, sheets: sheets)
        sheet.addRun()
        sheet.addMoney()
        sheet.addCounts()
        sheet.addMonth()
        sheet.addAges()
        sheet.addAgreement()
        sheet.addControls()
        return sheet.rows
    }

    private init(summary: Summary, codeVersion: String, sheets: [Workbook.Sheet]) {
        self.summary = summary
        outline = SummaryOutline(summary, codeVersion: codeVersion)
        self.sheets = sheets
        sums = SheetSums(sheets)
    }

    private mutating func add(_ cells: WorkbookCell...) { rows.append(cells) }

    private mutating func addHead(_ names: String...) {
        rows += SheetHead.rows(names)
    }

    // MARK: The run

    private mutating func addRun() {
        add(.title("Receipts against entitlements"))
        for row in Self.head.compactMap({ outline.row([$0]) }) {
            guard let cell = row.value.cell else { continue }
            if row.name == "previous_run" {
                let before = outline.row(["earlier_nights", "0", "as_of"])?.value.cell
                add(.text(row.label), cell == .empty ? .text("none") : cell, before ?? .empty)
            } else if case .integer(let number) = cell {
                add(.text(row.label), .text("\(number)"))
            } else {
                add(.text(row.label), cell)
            }
        }
        for notice in summary.notices { add(.sentence(notice)) }
        add(
            .sentence(
                "Money is an estimate, never revenue, and counts at most 365 days of a leak or a"
                    + " debt. The sheet Details says more."))
    }

    /// The rows of the outline that come first.
    private static let head = [
        "run_id", "as_of", "status", "scope", "previous_run", "rules_version", "code_version",
    ]

    // MARK: Money

    private mutating func addMoney() {
        addHead(
            "Money", "Currency", "Estimate", "Findings", "From the sheets", "From Totals",
            "Ties out", "Night before", "Change", "At recorded prices", "At list prices")
        for bucket in MoneyTally.Bucket.allCases {
            for money in outline.rows("money", bucket.rawValue).compactMap(\.value.amount) {
                let path = [bucket.rawValue, money.currency.code]
                let before = outline.row(["earlier_nights", "0", "money"] + path)
                let moved = outline.row(["change", "money"] + path)
                let row = rows.count + 1
                let fits = WorkbookCell.isNumber(money.text)
                let isSame = "AND(ROUND(C\(row)-E\(row),4)=0,ROUND(C\(row)-F\(row),4)=0)"
                add(
                    .text(bucket.title), .text(money.currency.code), .decimal(money.text),
                    .integer(outline.row(["money_counts"] + path)?.count ?? 0),
                    fits ? sums.findings(bucket, money) : .empty,
                    fits ? sums.totals(bucket, money) : .empty,
                    !fits
                        ? .text("over 15 digits")
                        : sums.isWhole ? check(isSame) : .text("not all rows are here"),
                    // Refunds are told once: those of two nights are not compared.
                    bucket == .refunded ? .empty : before?.value.cell ?? .empty,
                    moved?.value.cell ?? .empty,
                    part(.recordedPrice, of: path), part(.listPrice, of: path))
            }
        }
        if summary.money == MoneyTally() { add(.text("Nothing to estimate.")) }
    }

    /// Of a sum, what was calculated so.
    private func part(_ basis: AmountBasis, of sum: [String]) -> WorkbookCell {
        let path = ["money_by", MoneyBreakdown.Dimension.basis.rawValue, basis.rawValue] + sum
        return outline.row(path)?.value.cell ?? .empty
    }

    private func check(_ condition: String) -> WorkbookCell {
        .verdict(formula: "IF(\(condition),\"yes\",\"NO\")", text: "yes")
    }

    // MARK: How many, how old, and the month

    private mutating func addCounts() {
        addHead("How many carry an amount", "All", "With amount", "Without")
        for bucket in MoneyTally.Bucket.allCases {
            let count = summary.amountCount(bucket)
            let row = rows.count + 1
            add(
                .text(bucket == .refunded ? "Refunds" : "Findings: \(bucket.rawValue)"),
                .integer(count.findings), .integer(count.withAmount),
                .formula(
                    "B\(row)-C\(row)", decimal: "\(count.findings - count.withAmount)"))
        }
    }

    private mutating func addMonth() {
        guard let month = summary.facts.monthToDate else { return }
        addHead("Refunds in \(month.title) so far", "Currency", "Estimate", "Refunds")
        let refunds = WorkbookCell.integer(month.refunds)
        if month.money.isEmpty { add(.text("all"), .empty, .empty, refunds) }
        for (index, money) in month.money.enumerated() {
            add(
                .text("days in California"), .text(money.currency.code), .decimal(money.text),
                index == 0 ? refunds : .empty)
        }
    }

    private mutating func addAges() {
        for bucket in [MoneyTally.Bucket.leak, .owed] {
            let direction: Direction = bucket == .leak ? .leak : .owed
            let sums = summary.money.amounts(bucket).filter { $0.minorUnits > 0 }
            guard !sums.isEmpty else { continue }
            rows += SheetHead.rows(
                ["\(bucket == .leak ? "Leak" : "Owed") by age", "Currency"]
                    + Ageing.ages.map(Ageing.title) + ["Ties out"])
            for sum in sums {
                let row = rows.count + 1
                let parts = Ageing.ages.map { age in
                    self.sums.totals(
                        bucket, summary.ageing.sum(direction, age, in: sum.currency), aged: age)
                }
                rows.append(
                    [.text("estimate"), .text(sum.currency.code)] + parts + [
                        self.sums.isWhole && WorkbookCell.isNumber(sum.text)
                            ? check("ROUND(SUM(C\(row):G\(row))-\(sum.text),4)=0")
                            : .text("not all rows are here")
                    ])
            }
        }
    }

    // MARK: Agreement

    private mutating func addAgreement() {
        let compared = [
            ("source_agreement", "receipts verified by verifyReceipt and the App Store Server API"),
            ("status_agreement", "subscriptions with Apple's own status"),
        ].filter { name, _ in outline.rows(name).contains { $0.count > 0 } }
        guard !compared.isEmpty else { return }
        addHead("What Apple tells twice", "The same", "Otherwise")
        for (name, what) in compared {
            add(
                .text(what), .integer(outline.count(name, "agree")),
                .integer(outline.count(name, "differ")))
        }
    }

    // MARK: Controls

    private mutating func addControls() {
        for control in outline.rows("controls") {
            if case .sum(let total, let parts) = control.value {
                addControl(control.label, total, parts)
            }
        }
        if let coverage = summary.coverage { add(coverage) }
        addFindings()
    }

    private mutating func add(_ coverage: Coverage) {
        addHead("Compared with the views", "When cut", "Recorded", "When closed", "Ties out")
        for count in coverage.counts {
            let row = rows.count + 1
            func bound(_ name: String, _ sign: String) -> String {
                "\(name)(B\(row),D\(row))\(sign)MAX(10,INT(\(name)(B\(row),D\(row))/1000))"
            }
            let isCovered =
                "AND(C\(row)>=\(bound("MIN", "-")),C\(row)<=\(bound("MAX", "+")),"
                + "OR(B\(row)<20,D\(row)>=INT(B\(row)/2)))"
            add(
                .text(count.name), .integer(count.planned), .integer(count.recorded),
                .integer(count.atClose),
                .verdict(
                    formula: "IF(\(isCovered),\"yes\",\"NO\")",
                    text: count.tiesOut ? "yes" : "NO"))
        }
    }

    private mutating func addControl(
        _ name: String, _ total: Int, _ parts: [SummaryOutline.Row]
    ) {
        rows += SheetHead.rows(
            [name, "In scope"] + parts.map(\.label) + ["Parts added up", "Ties out"])
        let row = rows.count + 1
        let last = Workbook.letters(parts.count + 1)
        let sum = "\(Workbook.letters(parts.count + 2))\(row)"
        rows.append(
            [.text("each in one place"), .integer(total)] + parts.map { .integer($0.count) } + [
                .formula("SUM(C\(row):\(last)\(row))", decimal: "\(total)"),
                check("B\(row)=\(sum)"),
            ])
    }

    /// The findings counted again: the rows of their sheets, and the counts of Totals.
    private mutating func addFindings() {
        addHead("Findings", "Count", "Rows of the sheets", "From Totals", "Ties out")
        let total = outline.count("findings", "total")
        guard sums.isWhole else {
            return add(
                .text("all"), .integer(total), .empty, .empty, .text("not all rows are here"))
        }
        let row = rows.count + 1
        add(
            .text("all"), .integer(total), sums.findingCount(total), sums.totalCount(total),
            check("AND(B\(row)=C\(row),B\(row)=D\(row))"))
    }
}

extension SummaryOutline.Value {
    /// Nil for a value of several parts.
    var cell: WorkbookCell? {
        switch self {
        case .text(let text): text.map(WorkbookCell.text) ?? .empty
        case .count(let count): .integer(count)
        case .instant(let instant): instant.map(WorkbookCell.instant) ?? .empty
        case .amount(let money): .decimal(money.text)
        case .none, .texts, .truth, .rows, .sum, .list: nil
        }
    }
}
