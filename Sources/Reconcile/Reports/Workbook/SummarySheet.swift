/// The first sheet of the workbook: the run, its money, findings without an amount, and the
/// controls. Formulas recompute the sums from the other sheets.
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
        sheet.addMissing()
        sheet.addProducts()
        sheet.addAgreement()
        sheet.addControls()
        sheet.addKinds()
        sheet.addSheets()
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
        rows.append([])
        rows.append(
            names.enumerated().map { index, name in
                index == 0 || Self.textColumns.contains(name)
                    ? .heading(name) : .numberHeading(name)
            })
    }

    private static let textColumns: Set = ["Currency", "Bucket", "Ties out", "File"]

    // MARK: The run

    private mutating func addRun() {
        add(.title("Receipts against entitlements"))
        for row in Self.head.compactMap({ outline.row([$0]) }) {
            guard let cell = row.value.cell else { continue }
            if row.name == "previous_run" {
                let before = outline.row(["earlier_nights", "0", "as_of"])?.value.cell
                add(.text(row.label), cell == .empty ? .text("none") : cell, before ?? .empty)
            } else {
                add(.text(row.label), cell)
            }
        }
        for notice in summary.notices + Self.notes { add(.text(notice)) }
    }

    /// The rows of the outline that come first.
    private static let head = [
        "run_id", "as_of", "status", "scope", "previous_run", "rules_version", "code_version",
    ]

    private static let notes = [
        "Money is an estimate, never revenue: at the price that Apple recorded of a transaction"
            + " where an answer of the App Store Server API has one, else at the list price.",
        "Leak and owed are as of the night: a finding is in every night's sum until it is"
            + " corrected, so nights must not be added up.",
        "Refunded counts each refund in the one night that recorded it: nights may be added up."
            + " Refunds that Apple reversed later are not subtracted.",
        "A sum has the rows whose money_bucket it names: direction is also set on findings"
            + " that carry no money.",
        "Cleared rows show the amount of the night that reported them last; no sum here has them.",
        "Times are UTC. event_day_pacific is the day in Los Angeles, by which Apple reports.",
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
                    before?.value.cell ?? .empty, moved?.value.cell ?? .empty,
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

    // MARK: What has no amount

    private mutating func addMissing() {
        addHead("Findings without an amount, and why", "Bucket", "Findings")
        var missing = 0
        for bucket in MoneyTally.Bucket.allCases {
            missing += outline.count("money_without_amount", bucket.rawValue, "findings")
            for row in outline.rows("money_without_amount", bucket.rawValue, "by_reason") {
                let why = Estimate.NoAmount(rawValue: row.name)?.sentence ?? row.label
                add(.text(why), .text(bucket.title), .integer(row.count))
            }
        }
        let priced = outline.rows("money_counts").flatMap(\.value.rows).reduce(0) { $0 + $1.count }
        add(
            .text("of a kind that carries no money"), .text("none"),
            .integer(outline.count("findings", "total") - priced - missing))
    }

    // MARK: Products

    private static let mostProducts = 10

    private mutating func addProducts() {
        for money in summary.money.amounts(.leak) where money.minorUnits > 0 {
            let amounts = summary.breakdown.leaks(by: .product, in: money.currency)
            addHead("Leak by product, the \(Self.mostProducts) most costly", "Currency", "Estimate")
            for (product, amount) in amounts.prefix(Self.mostProducts) {
                add(.text(product), .text(amount.currency.code), .decimal(amount.text))
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
        addHead(name, "Count", "Parts added up", "Ties out")
        let first = rows.count + 2
        add(
            .text("in scope"), .integer(total),
            .formula("SUM(B\(first):B\(first + parts.count - 1))", decimal: "\(total)"),
            check("B\(first - 1)=C\(first - 1)"))
        for part in parts { add(.text(part.label), .integer(part.count)) }
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

    // MARK: Kinds

    private mutating func addKinds() {
        addHead("Findings", "Total", "new", "persisting", "reopened", "accepted", "cleared")
        for kind in outline.kinds {
            let cells: [WorkbookCell] = [.text(kind.kind.title), .integer(kind.total)]
            rows.append(
                cells + (kind.lifecycles.map(\.count) + [kind.cleared]).map { .integer($0) })
        }
    }

    private mutating func addSheets() {
        addHead("Sheet", "Rows here", "Rows of the table", "File")
        for sheet in sheets {
            add(
                .text(sheet.title), .integer(sheet.rows), .integer(sheet.tableRows),
                .text(sheet.table + ".csv"))
        }
        if sheets.contains(where: { !$0.isWhole }) {
            add(.text("Not all rows are in this workbook: the sheets hold the most severe ones."))
        }
    }
}

extension SummaryOutline.Value {
    /// Nil for a value of several parts.
    fileprivate var cell: WorkbookCell? {
        switch self {
        case .text(let text): text.map(WorkbookCell.text) ?? .empty
        case .count(let count): .integer(count)
        case .instant(let instant): instant.map(WorkbookCell.instant) ?? .empty
        case .amount(let money): .decimal(money.text)
        case .none, .texts, .truth, .rows, .sum, .list: nil
        }
    }
}
