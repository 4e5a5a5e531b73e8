/// The second sheet: what has no amount, the most costly products, the kinds, the sheets, notes.
struct DetailSheet {
    private let summary: Summary
    private let outline: SummaryOutline
    private let sheets: [Workbook.Sheet]
    private var rows: [[WorkbookCell]] = []

    static func rows(_ summary: Summary, sheets: [Workbook.Sheet]) -> [[WorkbookCell]] {
        var sheet = DetailSheet(summary: summary, sheets: sheets)
        sheet.add(.title("Details of the night"))
        sheet.addMissing()
        sheet.addProducts()
        sheet.addKinds()
        sheet.addSheets()
        sheet.addNotes()
        return sheet.rows
    }

    private init(summary: Summary, sheets: [Workbook.Sheet]) {
        self.summary = summary
        outline = SummaryOutline(summary)
        self.sheets = sheets
    }

    private mutating func add(_ cells: WorkbookCell...) { rows.append(cells) }

    private mutating func addHead(_ names: String...) { rows += SheetHead.rows(names) }

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

    // MARK: Notes

    private mutating func addNotes() {
        addHead("Notes")
        for note in Self.notes { add(.sentence(note)) }
    }

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
}
