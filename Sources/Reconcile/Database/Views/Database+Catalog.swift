internal import SQL

extension Database {
    /// The team's products and apps. A row that cannot be understood is `sourceData`, naming it.
    package func catalog() async throws(DatabaseError) -> Catalog {
        let products = try await read(SQL.listProducts) { row throws(PostgresError) in
            try Self.product(row)
        }
        let apps = try await read(SQL.listApps) { row throws(PostgresError) in
            try Self.app(row)
        }
        let problems = (products.map(\.problem) + apps.map(\.problem)).compactMap { $0 }
        guard problems.isEmpty else {
            throw DatabaseError(.sourceData(problems), statement: SQL.listProducts.name)
        }
        return Catalog(
            products: products.compactMap(\.value), apps: apps.compactMap(\.value))
    }

    private static func product(_ row: borrowing PostgresRow)
        throws(PostgresError) -> CatalogRow<CatalogProduct>
    {
        let view = "reconcile.catalog_products"
        guard let id = row.optionalText(0) else {
            return .problem("\(view) has a row without product_id.")
        }
        guard let kind = row.optionalText(1) else {
            return .problem("\(view): the product “\(id)” has no kind.")
        }
        guard let kind = ProductKind(rawValue: kind) else {
            let known = ProductKind.allCases.map(\.rawValue).joined(separator: ", ")
            return .problem(
                "\(view): the product “\(id)” is of the unknown kind “\(kind)” "
                    + "(known are \(known)).")
        }
        guard try row.bool(4) else {
            return .problem("\(view): a duration or the price of “\(id)” is not finite.")
        }
        return .value(
            CatalogProduct(
                id: ProductID(id), kind: kind, group: row.optionalID(2),
                serviceLevel: try row.optionalInt(3), accessDuration: try interval(row, from: 5),
                billingPeriod: try interval(row, from: 8), listPrice: row.optionalText(11),
                currency: row.optionalText(12)))
    }

    /// Three columns: months, days, milliseconds.
    private static func interval(_ row: borrowing PostgresRow, from column: Int)
        throws(PostgresError) -> CalendarInterval?
    {
        guard let months = try row.optionalInt64(column) else { return nil }
        return CalendarInterval(
            months: months, days: try row.int64(column + 1),
            milliseconds: try row.int64(column + 2))
    }

    private static func app(_ row: borrowing PostgresRow)
        throws(PostgresError) -> CatalogRow<CatalogApp>
    {
        guard let bundle = row.optionalText(0) else {
            return .problem("reconcile.catalog_apps has a row without bundle_id.")
        }
        return .value(
            CatalogApp(
                bundle: BundleID(bundle), lastPaidVersion: row.optionalText(1),
                paidUntil: try row.optionalInstant(2), premiumProduct: row.optionalID(3)))
    }
}

private enum CatalogRow<Value: Sendable>: Sendable {
    case value(Value)
    case problem(String)

    var value: Value? {
        if case .value(let value) = self { value } else { nil }
    }

    var problem: String? {
        if case .problem(let problem) = self { problem } else { nil }
    }
}
