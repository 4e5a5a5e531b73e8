internal import SQL

/// An operator's acceptance of a known finding, or its undo.
package struct Acceptance: Hashable, Sendable {
    /// A finding id, or a prefix of one.
    var finding: String
    var by: String
    var why: String
    var until: Instant?
    var isUndo: Bool

    package init(finding: String, by: String, why: String, until: Instant?, isUndo: Bool = false) {
        self.finding = finding
        self.by = by
        self.why = why
        self.until = until
        self.isUndo = isUndo
    }
}

/// A finding from the last published run that reported it; for an undo, from its acceptance.
package struct KnownFinding: Hashable, Sendable {
    package let id: String
    /// Nil, like `run`, when no published run has the finding any more.
    package let kind: FindingKind?
    package let user: UserID?
    package let run: RunID?
}

package struct AcceptanceStore: Sendable {
    let session: DatabaseSession

    /// Records `acceptance` for runs that are opened later; returns the finding.
    /// - Throws: `refused` for an unknown finding, an ambiguous prefix, an event, or the undo of a
    ///   finding that is not accepted.
    package func accept(_ acceptance: Acceptance) async throws(DatabaseError) -> KnownFinding {
        let finding =
            acceptance.isUndo
            ? try await accepted(beginningWith: acceptance.finding)
            : try await reported(beginningWith: acceptance.finding)
        if let kind = finding.kind, kind.isEvent {
            throw refusal(
                "The finding \(finding.id) is an event (\(kind.rawValue)). Events are reported only"
                    + " once, so there is nothing to accept.")
        }
        let parameters = [
            finding.id, finding.user?.text, acceptance.by, acceptance.why,
            acceptance.until?.timestamptz, acceptance.isUndo ? "t" : "f",
        ]
        try await session.execute(SQL.acceptFinding, parameters)
        return finding
    }

    /// The currently accepted findings, oldest acceptance first.
    package func list() async throws(DatabaseError) -> [AcceptedFinding] {
        try await session.query(SQL.listAcceptances) { row in
            try AcceptedFinding(row)
        }
    }

    private func accepted(
        beginningWith prefix: String
    ) async throws(DatabaseError) -> KnownFinding {
        let found = try await list().filter { $0.id.hasPrefix(prefix) }
        guard let first = found.first else {
            throw refusal(
                "The finding \(prefix) is not accepted. See reconcile-job accept --list.")
        }
        guard found.count == 1 else { throw ambiguity(prefix, found.map(\.id)) }
        return KnownFinding(id: first.id, kind: first.kind, user: first.user, run: nil)
    }

    /// The finding whose id begins with `prefix`, from the last published run that has it.
    /// - Parameter isToBeRead: an unknown id is `unknown`; for an acceptance it is `refused`.
    package func reported(
        beginningWith prefix: String, isToBeRead: Bool = false
    ) async throws(DatabaseError) -> KnownFinding {
        let open = 32 - prefix.utf8.count
        let range = [
            prefix + String(repeating: "0", count: open),
            prefix + String(repeating: "f", count: open),
        ]
        let found = try await session.query(SQL.findFindings, range) { row in
            KnownFinding(
                id: try row.text("finding_id"), kind: try row.word("kind"),
                user: try row.optionalID("user_id"), run: RunID(text: try row.text("run_id")))
        }
        guard let first = found.first else {
            let why =
                "No published run has reported a finding \(prefix). Copy finding_id from a report."
            throw isToBeRead
                ? DatabaseError(.unknown(why), statement: SQL.findFindings.name) : refusal(why)
        }
        guard found.count == 1 else { throw ambiguity(prefix, found.map(\.id)) }
        return first
    }

    private func ambiguity(_ prefix: String, _ ids: [String]) -> DatabaseError {
        refusal(
            "Several findings begin with \(prefix), for example"
                + " \(ids.prefix(2).joined(separator: " and ")). Give more digits.")
    }

    private func refusal(_ why: String) -> DatabaseError {
        DatabaseError(.refused(why), statement: SQL.findFindings.name)
    }
}
