internal import SQL

package struct CatalogReader: Sendable {
    let session: DatabaseSession

    /// - Throws: `sourceData`, naming rows that cannot be read.
    package func read() async throws(DatabaseError) -> Catalog {
        let products = try await session.read(SQL.listProducts) { row in
            try Self.product(row)
        }
        let apps =
            session.missingViews.contains("catalog_apps")
            ? []
            : try await session.read(SQL.listApps) { row in
                try Self.app(row)
            }
        let problems = (products.map(\.problem) + apps.map(\.problem)).compactMap { $0 }
        guard problems.isEmpty else {
            throw DatabaseError(.sourceData(problems), statement: SQL.listProducts.name)
        }
        return Catalog(
            products: products.compactMap(\.value), apps: apps.compactMap(\.value))
    }

    /// Products with a download key for any receipt.
    package func downloadable() async throws(DatabaseError) -> Set<ProductID> {
        guard !session.missingViews.contains("stored_download_keys") else { return [] }
        return Set(
            try await session.read(SQL.downloadableProducts) { row in
                ProductID(try row.text("product_id"))
            })
    }

    private static func product(_ row: borrowing PostgresRow)
        throws -> CatalogRow<CatalogProduct>
    {
        let view = "reconcile.catalog_products"
        guard let id = try row.optionalText("product_id") else {
            return .problem("\(view) has a row without product_id.")
        }
        guard let kind = try row.optionalText("kind") else {
            return .problem("\(view): the product “\(id)” has no kind.")
        }
        guard let kind = ProductKind(rawValue: kind) else {
            let known = ProductKind.allCases.map(\.rawValue).joined(separator: ", ")
            return .problem(
                "\(view): the product “\(id)” is of the unknown kind “\(kind)” "
                    + "(known are \(known)).")
        }
        guard try row.bool("is_finite") else {
            return .problem("\(view): a duration or the price of “\(id)” is not finite.")
        }
        return .value(
            CatalogProduct(
                id: ProductID(id), kind: kind, group: try row.optionalID("subscription_group_id"),
                serviceLevel: try row.optionalInt("service_level"),
                accessDuration: try interval(
                    row, "access_months", "access_days", "access_milliseconds"),
                billingPeriod: try interval(
                    row, "billing_months", "billing_days", "billing_milliseconds"),
                listPrice: try row.optionalText("list_price"),
                currency: try row.optionalText("currency")))
    }

    private static func interval(
        _ row: borrowing PostgresRow, _ months: StaticString, _ days: StaticString,
        _ milliseconds: StaticString
    ) throws -> CalendarInterval? {
        guard let months = try row.optionalInt64(months) else { return nil }
        return CalendarInterval(
            months: months, days: try row.int64(days), milliseconds: try row.int64(milliseconds))
    }

    private static func app(_ row: borrowing PostgresRow)
        throws -> CatalogRow<CatalogApp>
    {
        guard let bundle = try row.optionalText("bundle_id") else {
            return .problem("reconcile.catalog_apps has a row without bundle_id.")
        }
        return .value(
            CatalogApp(
                bundle: BundleID(bundle),
                lastPaidVersion: try row.optionalText("last_paid_version"),
                paidUntil: try row.optionalInstant("paid_until"),
                premiumProduct: try row.optionalID("premium_product_id")))
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
