internal import SQL

/// Finds and lists runs of any state. Read-only.
package struct RunReader: Sendable {
    let session: DatabaseSession

    /// A run over everything, for monitors. No `RunListing`: a monitor asks every minute, and would
    /// read the run's whole summary each time.
    package struct Newest: Hashable, Sendable {
        package let run: RunID
        package let asOf: Instant
        package let isComplete: Bool
        package let isHeld: Bool
    }

    /// The newest runs in any state, newest first.
    package func list(limit: Int) async throws(DatabaseError) -> [RunListing.Line] {
        var lines = try await session.query(SQL.listRuns, [String(limit)]) { row in
            try RunListing.Line(row)
        }
        let money = try await money(of: lines.map(\.run))
        let signatures = try await SignOffStore(session: session).signatures(of: lines.map(\.run))
        for index in lines.indices {
            let run = lines[index].run
            lines[index].signatures = signatures[run] ?? []
            lines[index].result?.money = money[run] ?? []
        }
        return lines
    }

    /// - Throws: `unknown` when there is no such run; `refused` when there are several.
    package func run(named name: RunListing.Name) async throws(DatabaseError) -> RunListing {
        let rows = try await session.query(SQL.findKnownRuns, name.parameters) {
            row in try RunListing(row)
        }
        guard var first = rows.first else { throw try await unknown(name) }
        guard rows.count == 1 || name == .beginning(first.run.id.text) else {
            throw refusal(
                .refused(
                    "Several runs begin with \(name), for example \(first.run.id) and"
                        + " \(rows[1].run.id). Give more of the id."))
        }
        let id = first.run.id
        first.run.scope = try await RunStore(session: session).scope(of: id)
        first.publishedMoney = try await money(of: [id])[id] ?? []
        return first
    }

    /// The id of `latest` or `previous`; the beginning of an id is returned as it is.
    func prefix(_ name: RunListing.Name) async throws(DatabaseError) -> String {
        guard case .beginning(let prefix) = name else {
            return try await run(named: name).run.id.text
        }
        return prefix
    }

    /// The newest published run over everything, if any, and the newest held one if it is newer.
    package func newest() async throws(DatabaseError) -> [Newest] {
        try await session.query(SQL.newestNights) { row in
            Newest(
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

    /// By bucket and currency; nothing for a run without a summary.
    private func money(
        of runs: [RunID]
    ) async throws(DatabaseError) -> [RunID: [RunListing.Amount]] {
        let ids = PostgresArray.text(runs.map(\.text))
        let amounts = try await session.query(SQL.publishedMoney, [ids]) { row in
            (run: RunID(text: try row.text("run_id")), amount: try RunListing.Amount(row))
        }
        return Dictionary(grouping: amounts) { $0.run }.mapValues { $0.map(\.amount) }
    }

    private func unknown(_ name: RunListing.Name) async throws(DatabaseError) -> DatabaseError {
        switch name {
        case .latest:
            return refusal(
                .unknown("No run over everything is published. Run reconcile-job run first."))
        case .previous:
            return refusal(
                .unknown(
                    "Fewer than two runs over everything are published, so there is no previous"
                        + " one. See reconcile-job runs."))
        case .beginning(let prefix):
            let near = try await session.query(SQL.nearestRuns, [prefix]) { row in
                try row.text("run_id")
            }
            let nearest = near.isEmpty ? "" : " The nearest: \(near.joined(separator: ", "))."
            return refusal(
                .unknown("There is no run \(prefix).\(nearest) See reconcile-job runs."))
        }
    }

    private func refusal(_ reason: DatabaseError.Reason) -> DatabaseError {
        DatabaseError(reason, statement: SQL.findKnownRuns.name)
    }
}

extension RunListing {
    /// A row of `find_known_runs`. The scope and the money are other statements': everything and
    /// nothing until they are set.
    fileprivate init(_ row: borrowing PostgresRow) throws {
        let summary = try row.optionalText("summary")
        let manifest = try row.optionalText("manifest_sha256")
        self.init(
            run: Run(
                id: RunID(text: try row.text("run_id")), asOf: try row.instant("as_of"),
                scope: .everything,
                replayOf: try row.optionalText("replay_of").map { RunID(text: $0) },
                isOffline: try row.bool("is_offline"), isTrial: try row.bool("is_trial"),
                csvDialect: try row.word("csv_dialect"), units: try UnitWindow(row)),
            number: try row.int("run_no"), state: try row.text("state"),
            makesHistory: try row.bool("makes_history"),
            rulesVersion: try row.int("rules_version"), isPruned: try row.bool("is_pruned"),
            account: summary.flatMap { summary in
                manifest.map { PublishedAccount(summary: summary, manifestSHA256: $0) }
            },
            status: try row.optionalText("status").flatMap(Summary.Status.init),
            isComplete: try row.bool("is_complete"),
            previousRun: try row.optionalText("previous_run").map { RunID(text: $0) },
            codeVersion: try row.text("code_version"),
            publishedFindings: try row.optionalInt("published_findings"))
    }
}

extension RunListing.Line {
    fileprivate init(_ row: borrowing PostgresRow) throws {
        let state = try row.text("state")
        let isTrial = try row.bool("is_trial")
        var scope =
            try row.bool("is_replay") ? "replay" : row.bool("is_everything") ? "" : "partial"
        if isTrial, state != "published" { scope = "trial" }
        self.init(
            run: RunID(text: try row.text("run_id")), asOf: try row.instant("as_of"),
            startedAt: try row.instant("started_at"),
            finishedAt: try row.optionalInstant("finished_at"),
            state: Self.state(state, isTrial: isTrial), scope: scope,
            isPruned: try row.bool("is_pruned"), planned: try ViewCounts(planned: row),
            atClose: try ViewCounts(atClose: row), result: try Result(row))
    }
}

extension RunListing.Line.Result {
    /// Nil for a run without a summary. The money is another statement's.
    fileprivate init?(_ row: borrowing PostgresRow) throws {
        let status = try row.optionalText("status").flatMap(Summary.Status.init)
        guard let status else { return nil }
        let findings: [Severity: Int] = [
            .critical: try row.int("critical"), .high: try row.int("high"),
            .medium: try row.int("medium"), .low: try row.int("low"), .info: try row.int("info"),
        ]
        self.init(
            status: status, receipts: try row.optionalInt("receipts") ?? 0,
            findings: findings.filter { $0.value > 0 })
    }
}

extension RunListing.Amount {
    /// An unknown bucket and what is no currency are errors.
    init(_ row: borrowing PostgresRow) throws {
        guard let currency = Currency(try row.text("currency")) else {
            throw row.undecodable("currency")
        }
        self.init(
            bucket: try row.word("bucket"), currency: currency, text: try row.text("amount"))
    }
}
