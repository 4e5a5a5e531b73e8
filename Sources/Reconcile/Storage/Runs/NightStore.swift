internal import SQL

/// A run over everything, for monitors.
package struct NightStanding: Hashable, Sendable {
    package let run: RunID
    package let asOf: Instant
    package let isComplete: Bool
    package let isHeld: Bool
}

package struct NightStore: Sendable {
    let session: DatabaseSession

    /// The newest published run over everything, if any, and the newest held one if it is newer.
    package func newest() async throws(DatabaseError) -> [NightStanding] {
        try await session.query(SQL.newestNights) { row in
            NightStanding(
                run: RunID(text: try row.text("run_id")), asOf: try row.instant("as_of"),
                isComplete: try row.optionalBool("is_complete") ?? true,
                isHeld: try row.text("state") == "held")
        }
    }

    /// Those of `runs` that the database has, and that did not fail and were not abandoned.
    package func standing(among runs: [RunID]) async throws(DatabaseError) -> Set<RunID> {
        let ids = PostgresArray.text(runs.map(\.text))
        return Set(
            try await session.query(SQL.standingRuns, [ids]) { row in
                RunID(text: try row.text("run_id"))
            })
    }
}
