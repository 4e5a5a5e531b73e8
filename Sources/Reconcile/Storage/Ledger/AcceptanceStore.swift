internal import SQL

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
        let parameters = Self.table.parameters(of: (finding, acceptance))
        _ = try await session.query(Self.table.statement, parameters) { _ in }
        return finding
    }

    private static let table = InsertTable<(finding: KnownFinding, acceptance: Acceptance)>(
        SQL.acceptFinding,
        [
            TextColumn("finding_id") { $0.finding.id },
            TextColumn("user_id") { $0.finding.user?.text },
            TextColumn("accepted_by") { $0.acceptance.by },
            TextColumn("reason") { $0.acceptance.why },
            TextColumn("accepted_until") { $0.acceptance.until?.timestamptz },
            TextColumn("is_undone") { $0.acceptance.isUndo ? "t" : "f" },
        ],
        others: [
            TextColumn("kind") { $0.acceptance.isUndo ? nil : $0.finding.kind?.rawValue }
        ])

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

    private func reported(
        beginningWith prefix: String
    ) async throws(DatabaseError) -> KnownFinding {
        do throws(DatabaseError) {
            return try await FindingReader(session: session).finding(beginningWith: prefix)
        } catch {
            guard case .unknown(let why) = error.reason else { throw error }
            throw refusal(why)
        }
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
