extension PeriodEvent {
    /// The row as it was told, then what a period adds.
    static func columns(_ file: FindingFile) -> [Column<PeriodEvent>] {
        let told = FindingColumn.reported.map { column in
            Column<PeriodEvent>(column.name) { event, _ in column.value(event.row, event.stamp) }
        }
        let day = Column<PeriodEvent>("event_day_pacific") { event, _ in
            .day(event.finding.eventAt?.pacificDay)
        }
        let reversal = Column<PeriodEvent>(reversedAt) { event, _ in .instant(event.reversedAt) }
        return told + [day] + (file == .refunds ? [reversal] : [])
    }

    fileprivate static let reversedAt = "reversed_at"
}

extension PeriodEvent: ReadableRow {
    package var name: String { "finding \(row.id)" }

    package init?(cells: NamedCells) {
        guard let row = ReportedFinding(cells: cells), let run = cells["run_id"],
            let asOf = cells["as_of"].flatMap(Instant.init(printed:))
        else { return nil }
        let reversedAt = cells.has(Self.reversedAt) ? cells[Self.reversedAt] : nil
        let reversal = reversedAt.flatMap(Instant.init(printed:))
        guard reversal != nil || reversedAt == nil else { return nil }
        self.init(row: row, run: RunID(text: run), asOf: asOf, reversedAt: reversal)
    }
}

extension Movement {
    static let columns: [Column<Movement>] = lineColumns + countColumns + amountColumns

    private static let lineColumns = [
        Column<Movement>("direction") { row, _ in .text(row.line.direction.rawValue) },
        Column<Movement>("kind") { row, _ in .text(row.line.kind.rawValue) },
        Column<Movement>("bundle_id") { row, _ in .text(row.line.app?.text) },
        Column<Movement>("product_id") { row, _ in .text(row.line.product?.text) },
        Column<Movement>("currency") { row, _ in .text(row.line.currency?.code) },
        Column<Movement>("accepted") { row, _ in .boolean(row.line.isAccepted) },
    ]

    private static let countColumns = Flow.counted.map { flow in
        Column<Movement>(flow.countColumn) { row, _ in .integer(row.count(flow)) }
    }

    private static let amountColumns = Flow.allCases.map { flow in
        Column<Movement>(flow.amountColumn) { row, _ in .decimal(row.amount(flow)?.text) }
    }
}

extension Movement.Flow {
    var countColumn: String { rawValue + "_count" }
    var amountColumn: String { rawValue + "_amount" }
}

extension Movement: ReadableRow {
    package init?(cells: NamedCells) {
        guard let direction = cells["direction"].flatMap(Direction.init),
            let kind = cells["kind"].flatMap(FindingKind.init),
            let accepted = cells["accepted"], ["true", "false"].contains(accepted)
        else { return nil }
        let currency = cells["currency"].flatMap(Currency.init)
        guard currency != nil || cells["currency"] == nil else { return nil }
        self.init(
            Line(
                direction: direction, kind: kind, app: cells["bundle_id"].map { BundleID($0) },
                product: cells["product_id"].map { ProductID($0) }, currency: currency,
                isAccepted: accepted == "true"))
        for flow in Flow.allCases {
            let count = flow == .revalued ? 0 : cells[flow.countColumn].flatMap(Int.init)
            let amount = currency.flatMap { currency in
                cells[flow.amountColumn].flatMap { Money(signed: $0, in: currency) }
            }
            guard let count, (amount == nil) == (currency == nil) else { return nil }
            set(flow, count: count, amount: amount)
        }
    }
}
