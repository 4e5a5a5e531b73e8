internal import SQL

/// Reads what published runs say of units, for `tie-out`.
package struct UnitsReader: Sendable {
    let session: DatabaseSession

    /// The figures of some days: of each those of the newest published run that has it.
    package func published(
        in range: PacificDays
    ) async throws(DatabaseError) -> PublishedUnits {
        let rows = try await session.query(
            SQL.publishedUnits, [range.first.dayText, range.last.dayText]
        ) { row in try Row(row) }
        var units = PublishedUnits()
        for row in rows.sorted(by: { $0.number < $1.number }) {
            if units.runs.last?.run != row.run.run { units.runs.append(row.run) }
            units.runOfDay[row.day] = units.runs.count - 1
            if let figure = row.figure { units.figures.append(figure) }
        }
        return units
    }

    /// The ids of the catalogue.
    package func catalogProducts() async throws(DatabaseError) -> Set<ProductID> {
        Set(
            try await session.read(SQL.listProductIds) { row in
                ProductID(try row.text("product_id"))
            })
    }

}

private struct Row: Sendable {
    /// Of the run: the order in which runs were started.
    let number: Int
    let run: PublishedUnits.UsedRun
    let day: Instant
    /// Nil of a day without units.
    let figure: PublishedUnits.Figure?
}

extension Row {
    fileprivate init(_ row: borrowing PostgresRow) throws {
        number = try row.int("run_no")
        run = PublishedUnits.UsedRun(
            run: RunID(text: try row.text("run_id")), asOf: try row.instant("as_of"),
            isComplete: try row.bool("is_complete"))
        day = try row.instant("day")
        guard let product: ProductID = try row.optionalID("product_id") else {
            figure = nil
            return
        }
        figure = PublishedUnits.Figure(
            day: day, bundle: try row.id("bundle_id"), product: product,
            sold: try row.int("sold"), trials: try row.int("trials"),
            refunded: try row.int("refunded"), upgraded: try row.int("upgraded"))
    }
}
