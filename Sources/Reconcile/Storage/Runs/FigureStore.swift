internal import SQL

package struct FigureStore: Sendable {
    let session: DatabaseSession

    /// Stores the figures of the views when `run` begins or is resumed.
    func recordSource(of run: RunID) async throws(DatabaseError) {
        try await session.retrying {
            try await session.pool.withCancellableConnection { connection in
                try await connection.execute(PostgresStatement(SQL.recordSource), [run.text])
            }
        }
    }

    /// Counts the views for the coverage of `run`, once: further calls keep the first counts, so
    /// that every worker that publishes the run writes the same bytes.
    /// - Parameter publication: its fencing number; under another one nothing is counted.
    func countAtClose(
        of run: RunID, under publication: Int? = nil
    ) async throws(DatabaseError) {
        let parameters = [run.text, publication.map { String($0) }]
        try await session.retrying {
            try await session.pool.withCancellableConnection { connection in
                try await connection.execute(PostgresStatement(SQL.countAtClose), parameters)
            }
        }
    }

    /// Nil for a run whose views were not counted when it was closed: a partial run or a replay.
    func coverage(
        of run: RunID, recorded: ViewCounts
    ) async throws(DatabaseError) -> Coverage? {
        let counts = try await session.query(SQL.viewCounts, [run.text]) { row in
            (planned: try ViewCounts(planned: row), atClose: try ViewCounts(atClose: row))
        }.first
        guard let planned = counts?.planned, let atClose = counts?.atClose else { return nil }
        return Coverage(planned: planned, atClose: atClose, recorded: recorded)
    }

    /// The figures of `run`, then of the last published runs over everything that it is compared
    /// with, newest first.
    func figures(of run: RunID) async throws(DatabaseError) -> [Figures] {
        let rows = try await session.query(SQL.runFigures, [run.text], decode: Figure.init)
        return rows.byAge
    }

    /// The figures of the newest published run that a run with these settings is compared with; nil
    /// before the first.
    /// - Parameter settings: as in `NightlyRun.Request`.
    package func lastFigures(
        comparableWith settings: String
    ) async throws(DatabaseError) -> Figures? {
        let rows = try await session.query(SQL.lastFigures, [settings], decode: Figure.init)
        return rows.isEmpty ? nil : rows.byAge.first
    }

    func heldReasons(of run: RunID) async throws(DatabaseError) -> [HeldReason] {
        try await session.query(SQL.heldReasons, [run.text]) { row in
            HeldReason(
                by: try row.text("guard"), flag: try row.optionalText("flag"),
                reason: try row.text("reason"))
        }
    }
}

extension ViewCounts {
    /// The columns `planned_…`; nil for a run that is not cut.
    init?(planned row: borrowing PostgresRow) throws {
        guard let users = try row.optionalInt("planned_users") else { return nil }
        self.init(
            users: users, receipts: try row.int("planned_receipts"),
            entitlements: try row.int("planned_entitlements"))
    }

    /// The columns `at_close_…`; nil for a run that is not counted at its close.
    init?(atClose row: borrowing PostgresRow) throws {
        guard let users = try row.optionalInt("at_close_users") else { return nil }
        self.init(
            users: users, receipts: try row.int("at_close_receipts"),
            entitlements: try row.int("at_close_entitlements"))
    }
}

private struct Figure: Sendable {
    let age: Int
    let name: Figures.Name
    let subject: String
    let value: Double

    init(_ row: borrowing PostgresRow) throws {
        age = try row.int("age")
        name = try row.word("name")
        subject = try row.text("subject")
        value = Double(try row.text("value")) ?? 0
    }
}

extension [Figure] {
    fileprivate var byAge: [Figures] {
        var runs = [Figures()]
        for figure in self {
            while runs.count <= figure.age { runs.append(Figures()) }
            runs[figure.age].set(figure.name, of: figure.subject, to: figure.value)
        }
        return runs
    }
}

extension HeldReason {
    /// Rows of `reconcile.held_reason`.
    fileprivate static let given = GivenRows<(number: Int, reason: HeldReason)>(
        SQL.recordHeldReasons,
        [
            .int("reason_no") { $0.number },
            .text("guard") { $0.reason.by },
            .text("flag") { $0.reason.flag },
            .text("reason") { $0.reason.reason },
        ])
}

extension PostgresConnection {
    /// Stores the figures of the results of `run`, and the reasons why they are implausible.
    /// - Parameter hold: returns the reasons; its argument starts with the figures of `run`.
    func recordResult(
        of run: RunID, hold: @Sendable ([Figures]) -> [HeldReason]
    ) throws -> [HeldReason] {
        try execute(PostgresStatement(SQL.recordResult), [run.text])
        let figures = try query(
            PostgresStatement(SQL.runFigures), [run.text], decode: Figure.init)
        let reasons = hold(figures.byAge)
        let numbered = reasons.enumerated().map { (number: $0 + 1, reason: $1) }
        try execute(
            HeldReason.given.statement, [run.text] + HeldReason.given.arrays(of: numbered))
        return reasons
    }
}
