extension TieOutLine {
    static let columns: [Column<TieOutLine>] = [
        Column("day_pacific") { row, _ in .day(row.key.day) },
        Column("bundle_id") { row, _ in .text(row.key.bundle?.text) },
        Column("product_id") { row, _ in .text(row.key.product.text) },
        Column("measure") { row, _ in .text(row.key.measure.rawValue) },
        Column("apple") { row, _ in .integer(row.units.apple) },
        Column("ours") { row, _ in .integer(row.units.ours) },
        Column("aside") { row, _ in .integer(row.units.aside) },
        Column("difference") { row, _ in .integer(row.units.difference) },
        Column("share") { row, _ in .decimal(row.share?.text) },
        Column("verdict") { row, _ in .text(row.verdict.rawValue) },
    ]
}

extension TieOutLine: ReadableRow {
    package var name: String { "the line of \(key.product)" }

    /// `difference` and `share` follow from the units: printed again they must be the same.
    package init?(cells: NamedCells) {
        guard let measure = cells["measure"].flatMap(UnitMeasure.init),
            let product = cells["product_id"], let verdict = cells["verdict"].flatMap(Verdict.init),
            let apple = cells["apple"].flatMap(Int.init),
            let ours = cells["ours"].flatMap(Int.init),
            let aside = cells["aside"].flatMap(Int.init), apple >= 0, ours >= 0, aside >= 0
        else { return nil }
        let day = cells["day_pacific"].flatMap(Instant.init(printedDay:))
        guard (day == nil) == (cells["day_pacific"] == nil) else { return nil }
        self.init(
            key: Key(
                day: day, bundle: cells["bundle_id"].map { BundleID($0) },
                product: ProductID(product), measure: measure),
            units: Units(apple: apple, ours: ours, aside: aside), verdict: verdict)
    }
}
