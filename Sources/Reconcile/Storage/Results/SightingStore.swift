internal import SQL

/// What is found by comparing users with each other.
package struct SightingStore: Sendable {
    let session: DatabaseSession

    /// Compares what `run` saw over all users, records what is found of it, and gives that its
    /// place in the history, in one transaction. Called again it does nothing.
    /// - Parameters:
    ///   - past: the run before which the history is read: `run` itself, or an old one that is
    ///     judged again.
    ///   - report: gives a finding its identity; nil leaves it out.
    package func compareUsers(
        of run: RunID, before past: RunID, report: @Sendable (Finding) -> ReportedFinding?
    ) async throws(DatabaseError) {
        try await session.retrying(touching: .tables) { () async throws(PostgresError) in
            try await session.pool.transaction { connection async throws(PostgresError) in
                let begun = try await connection.query(
                    PostgresStatement(SQL.beginComparison), [run.text]
                ) { row throws(PostgresError) in try row.text("run_id") }
                guard !begun.isEmpty else { return }
                var shared = session.stream(SQL.sharedSubscriptions, [run.text]) {
                    row throws(PostgresError) in try SharedSubscription(row)
                }.makeAsyncIterator()
                while let page = try await shared.next() {
                    let rows = CopyBuffer(findings: page.compactMap { report($0.finding) }, of: run)
                    try await connection.copyIn(PostgresStatement(SQL.copyFindings), rows)
                }
                var unknown = session.stream(SQL.unknownProducts, [run.text]) {
                    row throws(PostgresError) in
                    UnknownProduct(
                        product: ProductID(try row.text("product_id")), users: try row.int("users"),
                        rows: try row.int("entitlements"))
                }.makeAsyncIterator()
                while let page = try await unknown.next() {
                    let rows = CopyBuffer(findings: page.compactMap { report($0.finding) }, of: run)
                    try await connection.copyIn(PostgresStatement(SQL.copyFindings), rows)
                }
                try await connection.execute(
                    PostgresStatement(SQL.rememberSharedSubscriptions),
                    [run.text, FindingKind.sharedOriginalTransaction.rawValue])
                let kinds = FindingKind.acrossUsers.map(\.rawValue).sorted()
                try await connection.execute(
                    PostgresStatement(SQL.settleAcrossUsers),
                    [run.text, PostgresArray.text(kinds), past.text])
            }
        }
    }
}
