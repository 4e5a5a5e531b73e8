/// The first sheet of a period's workbook. Formulas add up the other sheets.
struct PeriodSheet {
    private let summary: PeriodSummary
    private let movements: [Movement]
    private let sheets: [Workbook.Sheet]
    private var rows: [[WorkbookCell]] = []

    static func rows(
        _ summary: PeriodSummary, _ movements: [Movement], sheets: [Workbook.Sheet]
    ) -> [[WorkbookCell]] {
        var sheet = PeriodSheet(summary: summary, movements: movements, sheets: sheets)
        sheet.addPeriod()
        sheet.addMoney()
        sheet.addFindings()
        sheet.addRefunds()
        sheet.addCounts()
        return sheet.rows
    }

    private init(
        summary: PeriodSummary, movements: [Movement], sheets: [Workbook.Sheet]
    ) {
        self.summary = summary
        self.movements = movements
        self.sheets = sheets
    }

    private mutating func add(_ cells: WorkbookCell...) { rows.append(cells) }

    private static let check = "Ties out"

    private mutating func addHead(_ first: String, texts: [String] = [], numbers: [String]) {
        rows.append([])
        rows.append(
            [.heading(first)] + texts.map { .heading($0) }
                + numbers.map { $0 == Self.check ? .verdictHeading($0) : .numberHeading($0) })
    }

    // MARK: The period

    private mutating func addPeriod() {
        let days = summary.period.days
        add(.title(summary.period.title))
        add(.sentence(PeriodText.sentence(summary)))
        add(.text("from"), .day(days.first))
        add(.text("to"), .day(days.last))
        add(.text("app"), .text(summary.period.app?.text ?? "all"))
        add(.text("open"), .text(summary.isOpen ? "yes: no run is after it" : "no"))
        add(.text("runs"), .text(summary.runs.count.grouped))
        if let opening = summary.opening {
            add(.text("opening run"), .text(opening.run.text), .instant(opening.asOf))
        } else {
            add(.text("opening run"), .text("none: all begins at nothing"))
        }
        add(.text("closing run"), .text(summary.closing.run.text), .instant(summary.closing.asOf))
        add(.sentence("Days are those of California, by which Apple reports; times are UTC."))
        add(.sentence("Money is an estimate, never revenue. Refunds are before reversals."))
    }

    // MARK: Roll-forward

    private static let flows = Movement.Flow.allCases.filter { $0 != .unjudged }

    private mutating func addMoney() {
        addHead(
            "Roll-forward of money", texts: ["Currency"],
            numbers: Self.flows.map(\.title) + [Self.check])
        for (direction, currency) in sums {
            let row = rows.count + 1
            let cells = Self.flows.map { flow -> WorkbookCell in
                let amounts = movements.filter {
                    $0.line.direction == direction && $0.line.currency == currency
                }.compactMap { $0.amount(flow)?.minorUnits }
                let money = Money(minorUnits: amounts.reduce(0, +), in: currency)
                return formula(
                    flow.amountColumn, of: "movements",
                    where: [("direction", [direction.rawValue]), ("currency", [currency.code])],
                    money)
            }
            rows.append(
                [.text(direction.title), .text(currency.code)] + cells
                    + [
                        .verdict(
                            formula: "IF(ROUND(C\(row)+D\(row)+E\(row)-F\(row)+G\(row)+H\(row)"
                                + "-I\(row),4)=0,\"yes\",\"NO\")", text: "yes")
                    ])
        }
        if sums.isEmpty { add(.text("Nothing with an estimate stood.")) }
    }

    /// Leak and owed, with their currencies.
    private var sums: [(Direction, Currency)] {
        [Direction.leak, .owed].flatMap { direction in
            Set(
                movements.filter { $0.line.direction == direction }.compactMap(\.line.currency)
            ).sorted().map { (direction, $0) }
        }
    }

    private mutating func addFindings() {
        addHead(
            "Roll-forward of findings", texts: [""],
            numbers: Movement.Flow.counted.map(\.title))
        for direction in [Direction.leak, .owed, .none] {
            let lines = movements.filter { $0.line.direction == direction }
            guard !lines.isEmpty else { continue }
            rows.append(
                [.text(direction.title), .empty]
                    + Movement.Flow.counted.map { flow in
                        let count = lines.reduce(0) { $0 + $1.count(flow) }
                        return counted(flow, direction, count)
                    })
        }
    }

    private func counted(
        _ flow: Movement.Flow, _ direction: Direction, _ count: Int
    ) -> WorkbookCell {
        guard let sheet = sheet("movements"), sheet.isWhole else { return .integer(count) }
        return .formula(
            "SUMIFS(\(sheet.range(of: flow.countColumn)),\(sheet.range(of: "direction")),"
                + "\"\(direction.rawValue)\")", decimal: "\(count)")
    }

    // MARK: Events

    private mutating func addRefunds() {
        addHead(
            "Refunds", texts: ["Currency"], numbers: ["Refunds", "Amount", "Reversed", "Net"])
        let groups = Dictionary(grouping: summary.events.refunds) { $0.key.currency }
        let currencies = groups.keys.compactMap(\.self).sorted()
        for currency in currencies {
            let refunds = (groups[currency] ?? []).map(\.value)
            let amount = Money(minorUnits: refunds.reduce(0) { $0 + $1.amount }, in: currency)
            let reversed = Money(
                minorUnits: refunds.reduce(0) { $0 + $1.reversedAmount }, in: currency)
            let net = Money(
                minorUnits: amount.minorUnits - reversed.minorUnits, in: currency)
            let kinds = ("kind", PeriodEvent.refundKinds.map(\.rawValue))
            let row = rows.count + 1
            add(
                .text("All"), .text(currency.code),
                .integer(refunds.reduce(0) { $0 + $1.count }),
                formula(
                    "estimated_amount", of: "refunds",
                    where: [kinds, ("currency", [currency.code])], amount),
                formula(
                    "estimated_amount", of: "refunds",
                    where: [kinds, ("currency", [currency.code]), ("reversed_at", ["<>"])],
                    reversed),
                .formula("ROUND(D\(row)-E\(row),\(currency.decimals))", decimal: net.text))
        }
        let others = (groups[nil] ?? []).map(\.value)
        if !others.isEmpty {
            add(.text("Without an amount"), .empty, .integer(others.reduce(0) { $0 + $1.count }))
        }
        if summary.events.refunds.isEmpty { add(.text("Apple refunded nothing.")) }
    }

    private mutating func addCounts() {
        let events = summary.events
        if !events.withoutAmount.isEmpty {
            addHead("Refunds without an amount, and why", numbers: ["Refunds"])
            for (why, count) in events.withoutAmount.sorted(by: { $0.key < $1.key }) {
                add(.text(Estimate.NoAmount(rawValue: why)?.sentence ?? why), .integer(count))
            }
        }
        addHead("Other events", numbers: ["Count"])
        add(.text("family sharing withdrawn"), .integer(events.familyRevocations))
        for (reason, count) in events.expirations.sorted(by: { $0.key < $1.key }) {
            add(.text("expired: \(reason)"), .integer(count))
        }
    }

    // MARK: Formulas

    private func sheet(_ table: String) -> Workbook.Sheet? {
        sheets.first { $0.table == table && $0.rows > 0 }
    }

    /// The sum of a column; the amount itself where a spreadsheet would not get it.
    private func formula(
        _ column: String, of table: String, where conditions: [(String, [String])],
        _ money: Money
    ) -> WorkbookCell {
        guard let sheet = sheet(table), sheet.isWhole, WorkbookCell.isNumber(money.text) else {
            return .decimal(money.text)
        }
        var terms = [""]
        for (name, values) in conditions {
            terms = terms.flatMap { term in
                values.map { "\(term),\(sheet.range(of: name)),\"\($0)\"" }
            }
        }
        let sums = terms.map { "SUMIFS(\(sheet.range(of: column))\($0))" }
        return .formula(
            "ROUND(\(sums.joined(separator: "+")),\(money.currency.decimals))",
            decimal: money.text)
    }
}

extension Direction {
    var title: String {
        switch self {
        case .leak: "Leak"
        case .owed: "Owed"
        case .none: "Neither"
        }
    }
}

extension Movement.Flow {
    var title: String {
        switch self {
        case .opening: "Opening"
        case .new: "New"
        case .reopened: "Reopened"
        case .cleared: "Cleared"
        case .moved: "Moved"
        case .revalued: "Revalued"
        case .closing: "Closing"
        case .unjudged: "Not judged"
        }
    }
}
