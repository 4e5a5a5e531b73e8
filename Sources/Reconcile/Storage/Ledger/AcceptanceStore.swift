internal import SQL

/// An operator's decision that a finding is known and accepted, or that it no longer is.
package struct Acceptance: Hashable, Sendable {
    /// An id of a finding, or the beginning of one.
    package var finding: String
    package var by: String
    package var why: String
    /// From here on it counts no more. Nil: until further notice.
    package var until: Instant?
    /// It takes an earlier acceptance back.
    package var isUndo: Bool

    package init(finding: String, by: String, why: String, until: Instant?, isUndo: Bool = false) {
        self.finding = finding
        self.by = by
        self.why = why
        self.until = until
        self.isUndo = isUndo
    }
}

/// A finding as the last published run that reported it had it.
package struct KnownFinding: Hashable, Sendable {
    package let id: String
    package let kind: FindingKind
    package let user: UserID?
    package let run: RunID
}

/// Findings that an operator has accepted.
package struct AcceptanceStore: Sendable {
    let session: DatabaseSession

    /// Notes `acceptance`, for runs that are opened from now on. Returns the finding.
    /// - Throws: `refused` for a finding that no published run has reported, a beginning that
    ///   several have, an event, and an undo of what is not accepted.
    package func accept(_ acceptance: Acceptance) async throws(DatabaseError) -> KnownFinding {
        let finding = try await finding(beginningWith: acceptance.finding)
        if finding.kind.isEvent {
            throw refusal(
                "The finding \(finding.id) is an event (\(finding.kind.rawValue)): it is told once"
                    + " and never again, so that there is nothing to accept.")
        }
        if acceptance.isUndo {
            let isAccepted = try await list().contains { $0.id == finding.id }
            guard isAccepted else {
                throw refusal(
                    "The finding \(finding.id) is not accepted. See reconcile-job accept --list.")
            }
        }
        let parameters = [
            finding.id, finding.user?.text, acceptance.by, acceptance.why,
            acceptance.until?.timestamptz, acceptance.isUndo ? "t" : "f",
        ]
        try await session.execute(SQL.acceptFinding, parameters)
        return finding
    }

    /// The findings that are accepted now, the oldest acceptance first.
    package func list() async throws(DatabaseError) -> [AcceptedFinding] {
        try await session.query(SQL.listAcceptances) { row throws(PostgresError) in
            try AcceptedFinding(row)
        }
    }

    private func finding(beginningWith prefix: String) async throws(DatabaseError) -> KnownFinding {
        let open = 32 - prefix.utf8.count
        let range = [
            prefix + String(repeating: "0", count: open),
            prefix + String(repeating: "f", count: open),
        ]
        let found = try await session.query(SQL.findFindings, range) { row throws(PostgresError) in
            KnownFinding(
                id: try row.text("finding_id"), kind: try row.word("kind"),
                user: try row.optionalID("user_id"), run: RunID(text: try row.text("run_id")))
        }
        guard let first = found.first else {
            throw refusal(
                "No published run has reported a finding \(prefix). Copy finding_id from a report.")
        }
        guard found.count == 1 else {
            throw refusal(
                "Several findings begin with \(prefix), for example"
                    + " \(found.prefix(2).map(\.id).joined(separator: " and ")). Give more digits.")
        }
        return first
    }

    private func refusal(_ why: String) -> DatabaseError {
        DatabaseError(.refused(why), statement: SQL.findFindings.name)
    }
}
