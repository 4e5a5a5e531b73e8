/// The first sheet of the workbook: the run, its money, what has no amount, and the controls, which
/// formulas add up again from the other cells.
struct SummarySheet {
    let summary: RunSummary
    let codeVersion: String
    /// Those of the workbook.
    let sheets: [Workbook.Sheet]
    private var rows: [[WorkbookCell]] = []

    static func rows(
        _ summary: RunSummary, codeVersion: String, sheets: [Workbook.Sheet]
    ) -> [[WorkbookCell]] {
        var sheet = SummarySheet(summary: summary, codeVersion: codeVersion, sheets: sheets)
        sheet.addRun()
        sheet.addMoney()
        sheet.addMissing()
        sheet.addControls()
        sheet.addKinds()
        sheet.addSheets()
        return sheet.rows
    }

    private init(summary: RunSummary, codeVersion: String, sheets: [Workbook.Sheet]) {
        self.summary = summary
        self.codeVersion = codeVersion
        self.sheets = sheets
    }

    private mutating func add(_ cells: WorkbookCell...) { rows.append(cells) }

    private mutating func addHead(_ names: String...) {
        rows.append([])
        rows.append(names.map { .heading($0) })
    }

    // MARK: The run

    private mutating func addRun() {
        let run = summary.run
        add(.title("Receipts against entitlements"))
        add(.text("Run"), .text(run.id.text))
        add(.text("Judged as of (UTC)"), .instant(run.asOf))
        add(.text("Status"), .text(summary.status.rawValue))
        add(.text("Scope"), .text(run.scopeMark ?? run.scope.name))
        add(.text("Night before"), .text(summary.facts.previousRun?.text ?? "none"))
        add(.text("Rules, code"), .text("\(Run.rulesVersion), \(codeVersion)"))
        for notice in summary.notices { add(.text(notice)) }
        add(
            .text(
                "Money is an estimate from list prices, as of this night: Apple's answers carry no"
                    + " price. Leak and owed of several nights are not to be added up."))
    }

    // MARK: Money

    private mutating func addMoney() {
        addHead(
            "Money", "Currency", "Estimate", "Findings with an amount", "Added up from the sheets",
            "Ties out", "Change since the night before")
        let change = summary.facts.earlierNights.first.map { summary.money.subtracting($0.money) }
        for bucket in MoneyTally.Bucket.allCases {
            for money in summary.money.amounts(bucket) {
                let count = summary.breakdown.counts[bucket]?[money.currency] ?? 0
                let moved = change?.amounts(bucket).first { $0.currency == money.currency }
                let row = rows.count + 1
                add(
                    .text(bucket.title), .text(money.currency.code), .decimal(money.text),
                    .integer(count), sum(of: bucket, money),
                    isWhole ? check("ROUND(C\(row)-E\(row),4)=0") : .text("not all rows are here"),
                    moved.map { .decimal($0.text) } ?? .empty)
            }
        }
        if summary.money == MoneyTally() { add(.text("Nothing to estimate.")) }
    }

    private var isWhole: Bool { findingSheets.allSatisfy(\.isWhole) }

    private var findingSheets: [Workbook.Sheet] {
        sheets.filter { FindingFile(rawValue: $0.table) != nil }
    }

    private func sum(of bucket: MoneyTally.Bucket, _ money: Money) -> WorkbookCell {
        guard isWhole else { return .empty }
        let terms = findingSheets.filter { $0.rows > 0 }.map { sheet in
            "SUMIFS(\(range("estimated_amount", of: sheet)),"
                + "\(range("money_bucket", of: sheet)),\"\(bucket.rawValue)\","
                + "\(range("currency", of: sheet)),\"\(money.currency.code)\")"
        }
        let formula = terms.isEmpty ? "0" : terms.joined(separator: "+")
        return .formula(
            "ROUND(\(formula),\(money.currency.decimals))", decimal: money.text)
    }

    private func range(_ column: String, of sheet: Workbook.Sheet) -> String {
        let letters = Workbook.letters(sheet.columns.firstIndex(of: column) ?? 0)
        return "'\(sheet.title)'!$\(letters)$2:$\(letters)$\(sheet.rows + 1)"
    }

    private func check(_ condition: String) -> WorkbookCell {
        .verdict(formula: "IF(\(condition),\"yes\",\"NO\")", text: "yes")
    }

    // MARK: What has no amount

    private mutating func addMissing() {
        addHead("Findings without an estimate", "Bucket", "Findings")
        for bucket in MoneyTally.Bucket.allCases {
            let counts = summary.breakdown.noAmounts[bucket] ?? [:]
            for why in Estimate.NoAmount.allCases {
                guard let count = counts[why], count > 0 else { continue }
                add(.text(why.sentence), .text(bucket.title), .integer(count))
            }
        }
    }

    // MARK: Controls

    private mutating func addControls() {
        let receipts = summary.receipts
        addControl(
            "Receipts", receipts.inScope,
            [
                ("verified", receipts.verified), ("rejected", receipts.rejected),
                ("unusable", receipts.unusable), ("unverified", receipts.unverified),
            ])
        let rights = summary.entitlements
        addControl(
            "Entitlements", rights.inScope,
            [
                ("consistent", rights.consistent), ("with a finding", rights.withFinding),
                ("settling", rights.settling), ("unverified", rights.unverified),
                ("not judged", rights.notJudged),
            ])
    }

    private mutating func addControl(_ name: String, _ total: Int, _ parts: [(String, Int)]) {
        addHead(name, "Count", "Parts added up", "Ties out")
        let first = rows.count + 2
        add(
            .text("in scope"), .integer(total),
            .formula("SUM(B\(first):B\(first + parts.count - 1))", decimal: "\(total)"),
            check("B\(first - 1)=C\(first - 1)"))
        for (name, count) in parts { add(.text(name), .integer(count)) }
    }

    // MARK: Kinds

    private mutating func addKinds() {
        addHead("Findings", "Total", "new", "persisting", "reopened", "accepted", "cleared")
        let tally = summary.findings
        for kind in FindingKind.allCases {
            let cleared = summary.facts.clearedByKind[kind] ?? 0
            guard let total = tally.byKind[kind] ?? (cleared > 0 ? 0 : nil) else { continue }
            let counts = Lifecycle.allCases.map { tally.lifecycleByKind[kind]?[$0] ?? 0 }
            let cells: [WorkbookCell] = [.text(kind.title), .integer(total)]
            rows.append(cells + (counts + [cleared]).map { .integer($0) })
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
