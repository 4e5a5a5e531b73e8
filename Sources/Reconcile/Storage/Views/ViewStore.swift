internal import SQL

package struct ViewStore: Sendable {
    let session: DatabaseSession

    /// Checks that the views exist with the required columns and types, that users have one
    /// collation, also at foreign servers, and that ids are unique. Reads the id columns
    /// completely: seconds for a million rows.
    /// - Returns: the missing optional views, which count as empty.
    /// - Throws: `sourceData` with all problems.
    package func check() async throws(DatabaseError) -> [String] {
        let found = try await describedViews()
        var problems = ViewContract.all.flatMap { $0.problems(with: found[$0.name]) }
        problems += Self.collationProblem(found)
        for view in ViewContract.all
        where found[view.name] != nil && view.problems(with: found[view.name]).isEmpty {
            problems += try await duplicates(in: view)
        }
        if problems.isEmpty { problems = try await misplacedUsers() }
        guard problems.isEmpty else {
            throw DatabaseError(.sourceData(problems), statement: SQL.describeViews.name)
        }
        return ViewContract.all.map(\.name).filter { found[$0] == nil }
    }

    private func describedViews() async throws(DatabaseError) -> [String: DescribedView] {
        let names = PostgresArray.text(ViewContract.all.map(\.name))
        let rows = try await session.read(SQL.describeViews, [names]) { row in
            (
                view: try row.text("view_name"), column: try row.optionalText("column_name"),
                type: try row.optionalText("type_name") ?? "",
                collation: try row.optionalText("collation_id") ?? "",
                isDeterministic: try row.bool("is_deterministic")
            )
        }
        return rows.reduce(into: [:]) { views, row in
            views[row.view, default: DescribedView()]
                .columns[row.column ?? ""] = (row.type, row.collation, row.isDeterministic)
        }
    }

    /// Ranges of users are compared in both views and need one order.
    private static func collationProblem(_ found: [String: DescribedView]) -> [String] {
        let users = ["stored_receipts", "stored_entitlements"].compactMap {
            found[$0]?.columns["user_id"]
        }
        guard users.count == 2, users.allSatisfy({ ColumnType.text.accepts($0.type) }) else {
            return []
        }
        guard users.allSatisfy(\.isDeterministic) else {
            return [
                "The collation of user_id treats different spellings as one user: write user_id "
                    + "collate \"C\" in both views, or lower(user_id) collate \"C\"."
            ]
        }
        guard users[0].collation != users[1].collation else { return [] }
        return [
            "reconcile.stored_receipts.user_id and reconcile.stored_entitlements.user_id have "
                + "different collations: write user_id collate \"…\" in one of the views."
        ]
    }

    /// A foreign server compares users with its own collation when a range of them is read. Where
    /// that differs, users between two ranges would be in none, or in both.
    private func misplacedUsers() async throws(DatabaseError) -> [String] {
        let servers = try await session.retrying {
            try await session.pool.withCancellableConnection { connection in
                try await connection.relations(below: ["stored_receipts", "stored_entitlements"])
            }
        }.servers
        guard !servers.isEmpty else { return [] }
        let views = try await session.read(
            SQL.findMisplacedUsers, [PostgresArray.text(servers.keys.sorted())]
        ) { row in try row.text("view_name") }
        return views.map { view in
            let names = servers[view, default: []].joined(separator: " or ")
            return "reconcile.\(view) reads user_id from the foreign server \(names), which orders"
                + " users otherwise than this database: their collations differ, and users would"
                + " be lost. Give user_id the collation \"C\" on both sides: in a view or column"
                + " there, with an index, and in the foreign table here (alter foreign table …"
                + " alter column … type text collate \"C\")."
        }
    }

    private func duplicates(in view: ViewContract) async throws(DatabaseError) -> [String] {
        guard let statement = view.duplicate, let column = view.columns.first?.name else {
            return []
        }
        let ids = try await session.read(statement) { row in
            try row.text(column)
        }
        return ids.map { ViewContract.repeated($0, "\(column)", in: view.name) }
    }
}

private struct DescribedView {
    var columns: [String: (type: String, collation: String, isDeterministic: Bool)] = [:]
}

extension ViewContract {
    fileprivate func problems(with view: DescribedView?) -> [String] {
        guard let view else { return isOptional ? [] : ["The view reconcile.\(name) is missing."] }
        return columns.compactMap { column in
            guard let type = view.columns["\(column.name)"]?.type else {
                return "reconcile.\(name) lacks the column \(column.name) "
                    + "(\(column.type.rawValue))."
            }
            guard !column.type.accepts(type) else { return nil }
            return "reconcile.\(name).\(column.name) is \(type), not \(column.type.rawValue): "
                + "write \(column.type.cast(of: "\(column.name)", from: type)) in the view."
        }
    }
}
