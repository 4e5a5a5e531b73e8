internal import SQL

package struct Pruned: Equatable, Sendable {
    package var runs = 0
    package var answers = 0
    package var outcomes = 0
    package var findings = 0
}

package struct PruneStore: Sendable {
    let session: DatabaseSession

    /// Removes outcomes, findings and answers of runs that ended before `instant`, run by run.
    /// Keeps open runs, the last nightly run, with which the next is compared, and the final state
    /// of each finding.
    package func prune(before instant: Instant) async throws(DatabaseError) -> Pruned {
        var pruned = Pruned()
        let runs = try await session.query(SQL.findPrunableRuns, [instant.timestamptz]) {
            row in try row.text("run_id")
        }
        for run in runs {
            try await prune(SQL.pruneRun, run, &pruned)
            pruned.runs += 1
        }
        return pruned
    }

    /// Removes the data that ended runs have stored about `user`.
    package func prune(user: UserID) async throws(DatabaseError) -> Pruned {
        var pruned = Pruned()
        try await prune(SQL.pruneUser, user.text, &pruned)
        return pruned
    }

    private func prune(_ statement: Statement, _ name: String, _ pruned: inout Pruned)
        async throws(DatabaseError)
    {
        let counts = try await session.query(statement, [name]) { row in
            (
                answers: try row.int("answers"), outcomes: try row.int("outcomes"),
                findings: try row.int("findings")
            )
        }
        for count in counts {
            pruned.answers += count.answers
            pruned.outcomes += count.outcomes
            pruned.findings += count.findings
        }
    }
}
