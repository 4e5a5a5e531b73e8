internal import SQL

/// A finding, and the run from which it is known.
package struct KnownFinding: Hashable, Sendable {
    package let id: String
    /// Nil only for an acceptance of a kind that this release does not know.
    package let kind: FindingKind?
    package let user: UserID?
    /// Nil for the undo of an acceptance.
    package let run: RunID?
}

/// Finds findings by their ids. Read-only.
package struct FindingReader: Sendable {
    let session: DatabaseSession

    /// The finding whose id begins with `prefix`: from `run` if it has it, else from the newest
    /// published run that has it. Trials, replays, and runs that were not published are looked at
    /// only where `run` names them.
    /// - Throws: `unknown`, also for a finding of other runs, which is named with its run;
    ///   `refused` when several findings begin so.
    package func finding(
        beginningWith prefix: String, in run: RunID? = nil
    ) async throws(DatabaseError) -> KnownFinding {
        let open = 32 - prefix.utf8.count
        let range = [
            prefix + String(repeating: "0", count: open),
            prefix + String(repeating: "f", count: open), run?.text,
        ]
        let found = try await session.query(SQL.findFindings, range) { row in try Found(row) }
        let meant = found.filter(\.isMeant)
        guard let first = meant.first else { throw unknown(prefix, found.first) }
        guard meant.count == 1 else {
            let ids = meant.prefix(2).map(\.known.id).joined(separator: " and ")
            throw error(
                .refused(
                    "Several findings begin with \(prefix), for example \(ids). Give more"
                        + " digits."))
        }
        return first.known
    }

    private struct Found: Sendable {
        let known: KnownFinding
        let runRemark: String
        /// Whether it is of a published run, or of the run that was named.
        let isMeant: Bool

        init(_ row: borrowing PostgresRow) throws {
            let run = RunID(text: try row.text("run_id"))
            known = KnownFinding(
                id: try row.text("finding_id"),
                kind: try row.word("kind"),
                user: try row.optionalID("user_id"), run: run)
            let remark = RunListing.remark(
                try row.text("state"), isTrial: try row.bool("is_trial"),
                isReplay: try row.bool("is_replay"), isEverything: try row.bool("is_everything"))
            runRemark = "run \(run) (\(remark ?? "published"))"
            isMeant = try row.bool("is_meant")
        }
    }

    private func unknown(_ prefix: String, _ other: Found?) -> DatabaseError {
        guard let other else {
            return error(
                .unknown(
                    "No published run has reported a finding \(prefix). Copy finding_id from a"
                        + " report."))
        }
        return error(
            .unknown(
                "No published run has reported the finding \(other.known.id): it is of"
                    + " \(other.runRemark). Read it with --run \(other.known.run?.text ?? "");"
                    + " only what a published run has reported can be accepted."))
    }

    private func error(_ reason: DatabaseError.Reason) -> DatabaseError {
        DatabaseError(reason, statement: SQL.findFindings.name)
    }
}
