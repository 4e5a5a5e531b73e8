internal import SQL

package struct HistoryChange: Hashable, Sendable {
    package var run: RunID
    package var by: String
    package var why: String
    package var at: Instant
    /// The newest published run afterwards; nil when there is none.
    package var newest: RunID?
}

package struct HistoryStore: Sendable {
    let session: DatabaseSession
    let ledger: LedgerStore

    /// A row of `find_runs`: what decides whether a run may be changed, and how it was. No
    /// `RunListing`, which has neither change.
    private struct RunChanges: Sendable {
        let id: RunID
        let state: String
        let isTrial: Bool
        let retraction: HistoryChange?
        let release: HistoryChange?
    }

    /// Retracts the run whose id begins with `prefix` and restores the ledger to its state before
    /// the run. A run that is already retracted is returned, so that the caller can finish its
    /// work.
    /// - Throws: `refused` for an unknown or ambiguous id, and for any run but the newest published
    ///   run over everything.
    package func retract(
        runBeginningWith prefix: String, by who: String, why: String
    ) async throws(DatabaseError) -> HistoryChange {
        let run = try await run(beginningWith: prefix)
        if run.retraction == nil {
            _ = try await session.query(SQL.retractRun, [run.id.text, who, why]) {
                row in try row.text("run_id")
            }
        }
        let newest = try await newest()
        guard var change = try await self.run(beginningWith: run.id.text).retraction else {
            throw refusal(ofRetracting: run, newest: newest)
        }
        change.newest = newest
        return change
    }

    /// Releases the held run whose id begins with `prefix`: it counts as published and updates the
    /// ledger. A run that is already released is returned while it is the newest.
    /// - Throws: `refused` for an unknown or ambiguous id, and for any run but a held one that is
    ///   the newest over everything.
    package func release(
        runBeginningWith prefix: String, by who: String, why: String
    ) async throws(DatabaseError) -> HistoryChange {
        let run = try await run(beginningWith: prefix)
        if run.state == "held", !run.isTrial {
            guard try await ledger.release(run.id, by: who, why: why) else {
                throw refusal(
                    "The run \(run.id) was replaced by a later run or pruned, so it can no longer"
                        + " be released.")
            }
        }
        let newest = try await newest()
        guard var change = try await self.run(beginningWith: run.id.text).release,
            newest == run.id
        else {
            throw refusal(
                "The run \(run.id) is \(run.isTrial ? "a trial" : run.state). Only the newest run"
                    + " can be released, and only if it is held.")
        }
        change.newest = newest
        return change
    }

    private func newest() async throws(DatabaseError) -> RunID? {
        try await session.query(SQL.newestRun) { row in
            RunID(text: try row.text("run_id"))
        }.first
    }

    private func run(beginningWith name: String) async throws(DatabaseError) -> RunChanges {
        let prefix = try await RunReader(session: session).prefix(RunListing.Name(name))
        let found = try await session.query(SQL.findRuns, [prefix]) { row in
            let id = RunID(text: try row.text("run_id"))
            return RunChanges(
                id: id, state: try row.text("state"), isTrial: try row.bool("is_trial"),
                retraction: try HistoryChange(
                    of: id, at: row.optionalInstant("retracted_at"),
                    by: row.optionalText("retracted_by"), why: row.optionalText("retracted_why")),
                release: try HistoryChange(
                    of: id, at: row.optionalInstant("released_at"),
                    by: row.optionalText("released_by"), why: row.optionalText("released_why")))
        }
        guard let first = found.first else {
            throw refusal("There is no run \(prefix). Copy run_id from a report.")
        }
        guard found.count == 1 || first.id.text == prefix else {
            throw refusal(
                "Several runs begin with \(prefix), for example \(first.id) and \(found[1].id)."
                    + " Give more of the id.")
        }
        return first
    }

    private func refusal(ofRetracting run: RunChanges, newest: RunID?) -> DatabaseError {
        if run.isTrial {
            return refusal(
                "The run \(run.id) is a trial and not part of the history. There is nothing to"
                    + " retract.")
        }
        guard run.state == "published" else {
            return refusal(
                "The run \(run.id) is \(run.state). Only a published run can be retracted.")
        }
        if run.id == newest {
            return refusal(
                "The run before \(run.id) was pruned. Its findings are gone, so the history cannot"
                    + " be restored to it. Retract runs before you prune.")
        }
        let newest = newest.map { "the newest is \($0)" } ?? "there is none"
        return refusal(
            "The run \(run.id) is not the newest published run over everything; \(newest). Retract"
                + " the newest run first.")
    }

    private func refusal(_ why: String) -> DatabaseError {
        DatabaseError(.refused(why), statement: SQL.findRuns.name)
    }
}

extension HistoryChange {
    /// Nil for a run without this change.
    fileprivate init?(of run: RunID, at: Instant?, by: String?, why: String?) {
        guard let at else { return nil }
        self.init(run: run, by: by ?? "", why: why ?? "", at: at)
    }
}
