internal import SQL

extension ReportReader {
    /// The rows of `units`, by day, app and product.
    package func units(of run: RunID) -> DatabaseRows<UnitLine> {
        DatabaseRows(
            rows: session.stream(PostgresStatement(SQL.runUnits), [run.text]) { row in
                UnitLine(
                    day: try row.instant("day"), bundle: try row.id("bundle_id"),
                    product: try row.id("product_id"), counts: try UnitCounts(row),
                    customers: try row.int("customers"))
            })
    }
}

extension FactReader {
    func units(of run: RunID) async throws(DatabaseError) -> UnitCounts {
        try await session.query(SQL.sumUnits, [run.text]) { row in try UnitCounts(row) }.first
            ?? UnitCounts()
    }
}

extension UnitCounts {
    init(_ row: borrowing PostgresRow) throws {
        self.init(
            sold: try row.int("sold"), trials: try row.int("trials"),
            refunded: try row.int("refunded"), upgraded: try row.int("upgraded"))
    }
}

extension UnitWindow {
    /// Nil for a run that counts no units.
    init?(_ row: borrowing PostgresRow) throws {
        guard let first = try row.optionalInstant("units_from"),
            let last = try row.optionalInstant("units_to")
        else { return nil }
        self.init(first: first, last: last)
    }
}
