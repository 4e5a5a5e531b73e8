internal import SQL

/// A run that was taken out of history.
package struct Retraction: Hashable, Sendable {
    package var run: RunID
    package var by: String
    package var why: String
    package var at: Instant
    /// The run that is the newest published one now; nil: there is none.
    package var newest: RunID?
}

/// Taking a published run out of history, as if it had not been.
package struct RetractionStore: Sendable {
    let session: DatabaseSession

    private struct FoundRun: Sendable {
        let id: RunID
        let state: String
        let isTrial: Bool
        /// Set for a run that is retracted.
        let retraction: Retraction?
    }

    /// Retracts the run whose id begins with `prefix`: the ledger is as it was before it. One that
    /// is retracted already is returned as it is, so that a caller may finish its work.
    /// - Throws: `refused` for an id that is unknown or not unique, and for any run but the newest
    ///   published one over everything.
    package func retract(
        runBeginningWith prefix: String, by who: String, why: String
    ) async throws(DatabaseError) -> Retraction {
        let run = try await run(beginningWith: prefix)
        if var retraction = run.retraction {
            retraction.newest = try await newest()
            return retraction
        }
        let retracted = try await session.query(SQL.retractRun, [run.id.text, who, why]) {
            row throws(PostgresError) in try row.text("run_id")
        }
        let newest = try await newest()
        guard !retracted.isEmpty,
            let retraction = try await self.run(beginningWith: run.id.text)
                .retraction
        else { throw refusal(of: run, newest: newest) }
        var result = retraction
        result.newest = newest
        return result
    }

    private func newest() async throws(DatabaseError) -> RunID? {
        try await session.query(SQL.newestRun) { row throws(PostgresError) in
            RunID(text: try row.text("run_id"))
        }.first
    }

    private func run(beginningWith prefix: String) async throws(DatabaseError) -> FoundRun {
        let found = try await session.query(SQL.findRuns, [prefix]) { row throws(PostgresError) in
            let id = RunID(text: try row.text("run_id"))
            var retraction: Retraction?
            if let at = try row.optionalInstant("retracted_at") {
                retraction = Retraction(
                    run: id, by: try row.optionalText("retracted_by") ?? "",
                    why: try row.optionalText("retracted_why") ?? "", at: at)
            }
            return FoundRun(
                id: id, state: try row.text("state"), isTrial: try row.bool("is_trial"),
                retraction: retraction)
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

    private func refusal(of run: FoundRun, newest: RunID?) -> DatabaseError {
        if run.isTrial {
            return refusal(
                "The run \(run.id) is a trial: it never counted. There is nothing to do.")
        }
        guard run.state == "published" else {
            return refusal("The run \(run.id) is \(run.state): only a published run is retracted.")
        }
        if run.id == newest {
            return refusal(
                "The run before \(run.id) was pruned: what it reported is gone, so that history"
                    + " cannot go back to it. Prune later than you retract.")
        }
        let newest = newest.map { "the newest is \($0)" } ?? "there is none"
        return refusal(
            "The run \(run.id) is not the newest published run over everything; \(newest). Runs are"
                + " retracted newest first.")
    }

    private func refusal(_ why: String) -> DatabaseError {
        DatabaseError(.refused(why), statement: SQL.retractRun.name)
    }
}
