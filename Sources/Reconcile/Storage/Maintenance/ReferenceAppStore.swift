internal import SQL

/// The reference app: the tables of a small receipt service in schema `app`.
package struct ReferenceAppStore: Sendable {
    let session: DatabaseSession

    /// Creates schema `app`, its tables and the five views over it. Requires the job's own tables.
    /// Safe to repeat.
    package func create() async throws(DatabaseError) {
        try await session.transaction { connection in
            try await connection.execute(PostgresStatement(SQL.lockMigrations))
            try await connection.executeScript(PostgresStatement(SQL.referenceApp))
        }
    }

    /// Replaces all rows of schema `app` in one transaction.
    /// - Parameter rows: called with 0, 1, … until it returns nil.
    /// - Throws: `sourceData` when the tables are not the reference app's, with the differences;
    ///   `notMigrated` when there are none.
    package func fill(
        _ catalog: Catalog, assets: [ReferenceAsset] = [],
        rows: @Sendable (_ part: Int) async -> ReferenceRows?
    ) async throws(DatabaseError) {
        try await check()
        try await session.transaction { connection in
            try await connection.execute(PostgresStatement(SQL.emptyReferenceApp))
            let apps = catalog.apps.values.sorted { $0.bundle < $1.bundle }
            try await connection.copyIn(apps, to: ReferenceTables.apps)
            let products = catalog.products.values.sorted { $0.id < $1.id }
            try await connection.copyIn(products, to: ReferenceTables.products)
            try await connection.copyIn(assets, to: ReferenceTables.assets)
            let links = assets.flatMap { asset in
                asset.products.map { (asset: asset.id, product: $0.product, tier: $0.tier) }
            }
            try await connection.copyIn(links, to: ReferenceTables.productAssets)
            var part = 0
            while let rows = await rows(part) {
                try await connection.copyIn(rows.receipts, to: ReferenceTables.receipts)
                try await connection.copyIn(rows.entitlements, to: ReferenceTables.entitlements)
                try await connection.copyIn(rows.downloadKeys, to: ReferenceTables.receiptProducts)
                part += 1
            }
            try await connection.execute(PostgresStatement(SQL.analyzeReferenceApp))
        }
    }

    private func check() async throws(DatabaseError) {
        let columns = try await session.query(SQL.compareReferenceApp) { row in
            ReferenceColumn(
                path: try row.text("column_path"), found: try row.optionalText("found_type"),
                expected: try row.optionalText("expected_type"),
                hasTables: try row.bool("has_tables"))
        }
        guard let first = columns.first else { return }
        throw DatabaseError(
            first.hasTables ? .sourceData(columns.map(\.problem)) : .notMigrated,
            statement: SQL.compareReferenceApp.name)
    }
}

private struct ReferenceColumn {
    let path: String
    let found: String?
    let expected: String?
    let hasTables: Bool

    var problem: String {
        switch (found, expected) {
        case (nil, _): "\(path) (\(expected ?? "")) is missing."
        case (let found?, nil): "\(path) (\(found)) is not the reference service's."
        case (let found?, let expected?): "\(path) is \(found), not \(expected)."
        }
    }
}
