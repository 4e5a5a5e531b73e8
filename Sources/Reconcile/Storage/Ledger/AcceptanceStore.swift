internal import SQL

/// Somebody's word that a finding is known and may stand.
package struct Acceptance: Hashable, Sendable {
    package var finding: String
    package var by: String
    package var why: String
    /// From here on it counts no more. Nil: until further notice.
    package var until: Instant?

    package init(finding: String, by: String, why: String, until: Instant?) {
        self.finding = finding
        self.by = by
        self.why = why
        self.until = until
    }
}

/// A finding as the last published run that reported it had it.
package struct KnownFinding: Hashable, Sendable {
    package let kind: FindingKind
    package let user: UserID?
    package let run: RunID
}

/// Findings that an operator has accepted.
package struct AcceptanceStore: Sendable {
    let session: DatabaseSession

    /// Notes `acceptance`, for runs that are opened from now on. Returns the finding.
    /// - Throws: `unknownFinding` when no published run has reported it.
    package func accept(_ acceptance: Acceptance) async throws(DatabaseError) -> KnownFinding {
        let known = try await session.query(SQL.findFinding, [acceptance.finding]) {
            row throws(PostgresError) in
            KnownFinding(
                kind: try row.word("kind"), user: try row.optionalID("user_id"),
                run: RunID(text: try row.text("run_id")))
        }
        guard let finding = known.first else {
            throw DatabaseError(
                .unknownFinding(acceptance.finding), statement: SQL.findFinding.name)
        }
        let parameters = [
            acceptance.finding, finding.user?.text, acceptance.by, acceptance.why,
            acceptance.until?.timestamptz,
        ]
        try await session.execute(SQL.acceptFinding, parameters)
        return finding
    }
}
