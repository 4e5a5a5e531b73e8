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

    /// The figures of `run`, then of the last published runs over everything, newest first.
    package func figures(of run: RunID) async throws(DatabaseError) -> [RunFigures] {
        let rows = try await session.query(SQL.runFigures, [run.text], decode: Figure.init)
        return rows.byAge
    }

    func heldReasons(of run: RunID) async throws(DatabaseError) -> [HeldReason] {
        try await session.query(SQL.heldReasons, [run.text]) { row in
            HeldReason(
                by: try row.text("guard"), flag: try row.text("flag"),
                reason: try row.text("reason"))
        }
    }
}

private struct Figure: Sendable {
    let age: Int
    let name: RunFigures.Name
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
    fileprivate var byAge: [RunFigures] {
        var runs = [RunFigures()]
        for figure in self {
            while runs.count <= figure.age { runs.append(RunFigures()) }
            runs[figure.age].set(figure.name, of: figure.subject, to: figure.value)
        }
        return runs
    }
}

extension PostgresConnection {
    /// Stores the figures of the results of `run`, and the reasons why they are implausible.
    /// - Parameter hold: returns the reasons; its argument starts with the figures of `run`.
    func recordResult(
        of run: RunID, hold: @Sendable ([RunFigures]) -> [HeldReason]
    ) throws -> [HeldReason] {
        try execute(PostgresStatement(SQL.recordResult), [run.text])
        let figures = try query(
            PostgresStatement(SQL.runFigures), [run.text], decode: Figure.init)
        let reasons = hold(figures.byAge)
        try execute(
            PostgresStatement(SQL.recordHeldReasons),
            [
                run.text, PostgresArray.text(reasons.map(\.by)),
                PostgresArray.text(reasons.map(\.flag)),
                PostgresArray.text(reasons.map(\.reason)),
            ])
        return reasons
    }
}
