internal import SQL

/// When a run was, and what else a reader of its reports asks.
package struct FactReader: Sendable {
    let session: DatabaseSession

    package func facts(of run: RunID) async throws(DatabaseError) -> RunFacts {
        try await session.query(SQL.runFacts, [run.text]) { row throws(PostgresError) in
            var facts = RunFacts()
            facts.startedAt = try row.instant("started_at")
            facts.endedAt = try row.instant("ended_at")
            facts.users = try row.int("users")
            facts.cleared = try row.int("cleared")
            facts.previousRun = try row.optionalText("previous_run_id").map { RunID(text: $0) }
            facts.retirement = RetirementNotice(
                deprecation: try row.optionalText("deprecation_header"),
                deprecatedAt: try row.optionalInstant("deprecated_at"),
                sunset: try row.optionalText("sunset_header"),
                endsAt: try row.optionalInstant("ends_at"))
            return facts
        }.first ?? RunFacts()
    }

    /// Receipts that could not be checked, by cause.
    package func unverifiedByCause(of run: RunID) async throws(DatabaseError) -> [String: Int] {
        let counts = try await session.query(SQL.countUnverified, [run.text]) {
            row throws(PostgresError) in
            (cause: try row.text("cause"), count: try row.int("receipts"))
        }
        return Dictionary(counts.map { ($0.cause, $0.count) }, uniquingKeysWith: +)
    }

    /// Who accepted the findings that the run shows as accepted.
    package func acceptances(of run: RunID) async throws(DatabaseError) -> [AcceptedFinding] {
        try await session.query(SQL.runAcceptances, [run.text]) { row throws(PostgresError) in
            try AcceptedFinding(row)
        }
    }
}

extension AcceptedFinding {
    /// The columns of `run_acceptances` and `list_acceptances`.
    init(_ row: borrowing PostgresRow) throws(PostgresError) {
        self.init(
            id: try row.text("finding_id"),
            kind: try row.optionalText("kind").flatMap(FindingKind.init),
            user: try row.optionalID("user_id"), by: try row.text("accepted_by"),
            why: try row.text("reason"), until: try row.optionalInstant("accepted_until"))
    }
}
