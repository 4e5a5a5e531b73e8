internal import SQL

/// Cuts the users of runs into batches, and counts what the views have of them.
package struct BatchPlanner: Sendable {
    let session: DatabaseSession

    /// Cuts the users in scope into batches of at most `usersPerBatch` (`cut_batches`). Selected
    /// users get a batch each, so that no range includes other users. A run that is already cut is
    /// not changed.
    /// - Throws: `notFound` for an unknown user or receipt.
    func cut(_ run: Run, usersPerBatch: Int)
        async throws(DatabaseError) -> OpenedRun.Plan
    {
        switch run.scope {
        case .everything, .limited:
            try await execute(
                SQL.cutBatches, [run.id.text, String(max(1, usersPerBatch)), run.scope.limit])
        case .selected(let users, let receipts):
            let users = try await selected(users, receipts)
            try await execute(
                SQL.cutSelectedBatches, [run.id.text, PostgresArray.text(users)])
        }
        return try await plan(of: run)
    }

    /// The plan of a run that is cut, as it was then.
    package func plan(of run: Run) async throws(DatabaseError) -> OpenedRun.Plan {
        try await session.query(SQL.runPlan, [run.id.text]) { row in try OpenedRun.Plan(row) }.first
            ?? OpenedRun.Plan(batches: 0, users: 0, receipts: 0)
    }

    package func plan(_ scope: Run.Scope, usersPerBatch: Int)
        async throws(DatabaseError) -> OpenedRun.Plan
    {
        switch scope {
        case .everything, .limited:
            let parameters = [String(max(1, usersPerBatch)), scope.limit]
            return try await session.read(SQL.planBatches, parameters) { row in
                try OpenedRun.Plan(row)
            }
            .first ?? OpenedRun.Plan(batches: 0, users: 0, receipts: 0)
        case .selected(let users, let receipts):
            let users = try await selected(users, receipts)
            let names = [PostgresArray.text(users)]
            let counts = try await session.read(SQL.planSelectedBatches, names) { row in
                try row.int("receipts")
            }
            return OpenedRun.Plan(
                batches: users.count, users: users.count, receipts: counts.first ?? 0)
        }
    }

    /// Throws `notFound` when `scope` names an unknown user or receipt.
    func requireExistence(of scope: Run.Scope) async throws(DatabaseError) {
        guard case .selected(let users, let receipts) = scope else { return }
        _ = try await selected(users, receipts)
    }

    private func execute(_ statement: Statement, _ parameters: [String?])
        async throws(DatabaseError)
    {
        try await session.retrying {
            try await session.pool.withCancellableConnection { connection in
                try await connection.execute(PostgresStatement(statement), parameters)
            }
        }
    }

    // MARK: Selecting

    /// The named users and the users of the named receipts, each once, sorted.
    private func selected(_ users: [UserID], _ receipts: [ReceiptID])
        async throws(DatabaseError) -> [String]
    {
        let names = [
            PostgresArray.text(users.map(\.text)), PostgresArray.text(receipts.map(\.text)),
        ]
        let rows = try await session.read(SQL.findSelectedUsers, names) { row in
            (
                named: try row.text("named"), id: try row.text("id"),
                isFound: try row.bool("found"),
                user: try row.optionalText("user_id")
            )
        }
        let problems = rows.compactMap { row -> String? in
            guard row.isFound else { return "There is no \(row.named) “\(row.id)” in the views." }
            return row.user == nil ? "The receipt “\(row.id)” has no user_id." : nil
        }
        guard problems.isEmpty else {
            throw DatabaseError(.notFound(problems), statement: SQL.findSelectedUsers.name)
        }
        return Set(rows.compactMap { $0.user.map { UserID($0) } }).sorted().map(\.text)
    }
}

extension OpenedRun.Plan {
    fileprivate init(_ row: borrowing PostgresRow) throws {
        self.init(
            batches: try row.int("batches"), users: try row.int("users"),
            receipts: try row.int("receipts"))
    }
}

extension Run.Scope {
    fileprivate var limit: String? {
        if case .limited(let users) = self { String(max(0, users)) } else { nil }
    }
}
