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

    /// Removes the data that ended runs have stored about `user`, and keeps of each run how many
    /// lines and how much money it had of the user, without the id.
    package func prune(user: UserID, by who: String) async throws(DatabaseError) -> Pruned {
        try await session.transaction { connection in
            func run(_ statement: Statement, _ parameters: [String?]) async throws {
                _ = try await connection.query(PostgresStatement(statement), parameters) { _ in }
            }
            try await run(SQL.recordErasure, [user.text, who])
            try await run(SQL.unnameUser, [user.text, Erasure.unnamed])
            let counts = try await connection.query(
                PostgresStatement(SQL.pruneUser), [user.text]
            ) { row in try Pruned(row) }
            return counts.first ?? Pruned()
        }
    }

    /// The unfinished runs, which keep what they have recorded about any user.
    package func openRuns() async throws(DatabaseError) -> [RunID] {
        try await session.query(SQL.openRuns) { row in RunID(text: try row.text("run_id")) }
    }

    /// What the run had of the users who were erased since, or of the first so many of them.
    package func erasure(
        of run: RunID, first most: Int? = nil
    ) async throws(DatabaseError) -> Erasure {
        let parameters = [run.text, most.map(String.init)]
        var erasure = Erasure()
        let acts = try await session.query(SQL.runErasures, parameters) { row in
            (
                act: Erasure.Act(
                    by: try row.text("erased_by"), at: try row.instant("erased_at")),
                receipts: try row.int("receipts"), entitlements: try row.int("entitlements"),
                rows: [
                    "cleared": try row.int("cleared"), "unverified": try row.int("unverified"),
                    "not_reported": try row.int("not_reported"),
                ]
            )
        }
        for erased in acts {
            erasure.acts.append(erased.act)
            erasure.receipts += erased.receipts
            erasure.entitlements += erased.entitlements
            erasure.rows.merge(erased.rows, uniquingKeysWith: +)
        }
        let findings = try await session.query(SQL.runErasedFindings, parameters) { row in
            (
                kind: try row.word("kind") as FindingKind,
                bucket: try row.optionalWord("money_bucket") as MoneyTally.Bucket?,
                currency: try row.optionalText("currency"), count: try row.int("findings"),
                amount: try row.optionalText("amount")
            )
        }
        for found in findings {
            erasure.rows[found.kind.file.rawValue, default: 0] += found.count
            guard let bucket = found.bucket, let currency = found.currency.flatMap(Currency.init),
                let money = found.amount.flatMap({ Money($0, in: currency) })
            else { continue }
            // Sums of amounts that a run wrote can be added again.
            try? erasure.money.add(money, to: bucket)
        }
        return erasure
    }

    private func prune(_ statement: Statement, _ name: String, _ pruned: inout Pruned)
        async throws(DatabaseError)
    {
        let counts = try await session.query(statement, [name]) { row in try Pruned(row) }
        for count in counts {
            pruned.answers += count.answers
            pruned.outcomes += count.outcomes
            pruned.findings += count.findings
        }
    }
}

extension Pruned {
    fileprivate init(_ row: borrowing PostgresRow) throws {
        answers = try row.int("answers")
        outcomes = try row.int("outcomes")
        findings = try row.int("findings")
    }
}
