internal import SQL

package struct RunStore: Sendable {
    let session: DatabaseSession

    /// Opens `run` and returns the earlier unfinished runs, which it abandons. The worker must be
    /// registered before, so that the run always has a live worker.
    /// - Parameter settings: JSON, without secrets.
    func open(
        _ run: Run, codeVersion: String, settings: String, keeping evidence: Evidence = .none
    ) async throws(DatabaseError) -> [RunID] {
        // After a crash a sequence may return numbers that are already in use.
        for _ in 0..<Self.numbersInUse {
            do throws(DatabaseError) {
                return try await insert(run, codeVersion, settings, evidence)
            } catch {
                guard case .rejected("23505", _) = error.reason else { throw error }
            }
        }
        return try await insert(run, codeVersion, settings, evidence)
    }

    /// Twice the 32 numbers that PostgreSQL logs ahead for a sequence.
    private static let numbersInUse = 64

    private func insert(
        _ run: Run, _ codeVersion: String, _ settings: String, _ evidence: Evidence
    ) async throws(DatabaseError) -> [RunID] {
        let new = NewRun(
            run: run, codeVersion: codeVersion, settings: settings, evidence: evidence)
        return try await session.query(
            NewRun.table.statement, NewRun.table.parameters(of: new)
        ) { row in RunID(text: try row.text("run_id")) }
    }

    /// Ends an open run without publishing it.
    /// - Throws: `notOpen` when it has already ended, or it failed here while other workers
    ///   continue.
    func end(
        _ run: RunID, as ending: Run.State, at finishedAt: Instant
    ) async throws(DatabaseError) {
        let parameters = [
            run.text, ending.rawValue, finishedAt.timestamptz, nil,
            await session.runLock.worker.map { String($0) }, nil, nil, nil,
        ]
        let finished = try await session.query(SQL.finishRun, parameters) {
            row in try row.bool("was_open")
        }
        guard finished.count == 1 else {
            throw DatabaseError(
                .notOpen("The run \(run) is no longer open"), statement: SQL.finishRun.name)
        }
    }

    func end(
        of run: RunID
    ) async throws(DatabaseError) -> (isHeld: Bool, isComplete: Bool) {
        let ends = try await session.query(SQL.runEnd, [run.text]) { row in
            (isHeld: try row.bool("is_held"), isComplete: try row.bool("is_complete"))
        }
        guard let end = ends.first else { throw DatabaseError.ended(run) }
        return end
    }

    /// Stores Apple's notice of an API's end. Several workers may store the same one.
    func note(
        _ notice: RetirementNotice, in run: RunID
    ) async throws(DatabaseError) {
        try await session.execute(
            SQL.recordRetirement,
            [
                run.text, notice.api, notice.deprecation, notice.deprecatedAt?.timestamptz,
                notice.sunset, notice.endsAt?.timestamptz,
            ])
    }

    /// Makes `worker` the publisher of `run` and returns the fencing number of the publication; nil
    /// while another live worker is the publisher, or a user is not recorded.
    func claimPublication(of run: RunID, for worker: Int) async throws(DatabaseError)
        -> Int?
    {
        let parameters = [run.text, String(worker), String(Int.fencingNumber)]
        return try await session.query(SQL.claimPublication, parameters) { row in
            try row.int("publication_no")
        }.first
    }

    /// Throws `notOpen` unless `worker` is still the publisher of `run`.
    func requirePublication(
        _ publication: Int, of run: RunID, for worker: Int
    ) async throws(DatabaseError) {
        let parameters = [run.text, String(worker), String(publication)]
        let isHeld = try await session.query(SQL.holdsPublication, parameters) {
            row in try row.bool("is_held")
        }
        guard isHeld == [true] else {
            throw DatabaseError(
                .notOpen("Another worker publishes the run \(run)"),
                statement: SQL.holdsPublication.name)
        }
    }

    /// Finds an unfinished run. To resume: the last one of the same scope, else the last one over
    /// everything. To join: one with a live worker. Nil when there is none.
    /// - Parameter settings: this process's settings, as given to `open`.
    func findOpen(
        settings: String, scope: Run.Scope, isTrial: Bool = false, toJoin: Bool = false
    ) async throws(DatabaseError) -> OpenedRun.Candidate? {
        let parameters = [settings] + scope.parameters + [toJoin ? "t" : "f", isTrial ? "t" : "f"]
        let rows = try await session.query(SQL.findOpenRun, parameters) { row in
            let units = try UnitWindow(row)
            let isOffline = try row.bool("is_offline")
            // An earlier release recorded users without their units.
            let lacksUnits = units == nil && scope.isEverything && !isOffline
            let isSame = try row.int("rules_version") == Run.rulesVersion && !lacksUnits
            var shared = OpenedRun.SharedSettings()
            shared.maxUnverified = try row.optionalText("max_unverified")
            shared.guards = try row.optionalText("guards")
            shared.evidence = try row.optionalWord("evidence")
            shared.rate = try row.optionalText("rate").flatMap(Double.init)
            shared.sandboxRate = try row.optionalText("sandbox_rate").flatMap(Double.init)
            shared.apiRate = try row.optionalText("api_rate").flatMap(Double.init)
            return (
                id: RunID(text: try row.text("run_id")), asOf: try row.instant("as_of"),
                isCut: try row.bool("is_cut"),
                hasSameSettings: try row.bool("has_same_settings"),
                hasSameRules: try row.bool("has_same_rules") && isSame,
                hasSameScope: try row.bool("has_same_scope"), hasWorker: try row.bool("has_worker"),
                isOffline: isOffline, isTrial: try row.bool("is_trial"),
                csvDialect: try row.word("csv_dialect") as CSVDialect,
                units: units, shared: shared
            )
        }
        guard let row = rows.first else { return nil }
        var open = OpenedRun.Candidate(
            run: Run(
                id: row.id, asOf: row.asOf, scope: try await self.scope(of: row.id),
                isOffline: row.isOffline, isTrial: row.isTrial, csvDialect: row.csvDialect,
                units: row.units),
            hasSameRules: row.hasSameRules, hasSameServers: row.hasSameSettings,
            hasSameScope: row.hasSameScope, isCut: row.isCut, hasWorker: row.hasWorker)
        open.shared = row.shared
        return open
    }

    /// A published run with all answers kept, for `--replay`.
    /// - Parameter needsAnswers: false when only the settings are needed; then any run will do.
    /// - Throws: `notReplayable` for any other run.
    package func replayable(
        _ id: RunID, needsAnswers: Bool = true
    ) async throws(DatabaseError) -> OpenedRun.Replayed {
        let name = try await RunReader(session: session).prefix(RunListing.Name(id.text))
        let id = RunID(text: name)
        let rows = try await session.query(SQL.findRun, [id.text]) { row in
            (
                state: try row.text("state"), asOf: try row.instant("as_of"),
                units: try UnitWindow(row),
                usersPerBatch: try row.optionalInt("users_per_batch"),
                evidence: try row.optionalText("evidence"),
                settle: try row.optionalInt("settle_ms"),
                tolerance: try row.optionalInt("tolerance_ms"),
                eventHorizon: try row.optionalInt("event_horizon_ms"),
                maxUnverified: try row.optionalText("max_unverified"),
                source: try row.optionalWord("source") as SourceChoice?,
                apiApps: try row.optionalText("api_apps")
            )
        }
        func refusal(_ why: String) -> DatabaseError {
            DatabaseError(.notReplayable(why), statement: SQL.findRun.name)
        }
        guard let row = rows.first else { throw refusal("There is no run \(id)") }
        guard row.state == "published" || !needsAnswers else {
            throw refusal("Run \(id) was not published")
        }
        guard row.evidence == Evidence.all.rawValue || !needsAnswers else {
            throw refusal("Run \(id) did not keep all answers, or they were pruned")
        }
        return OpenedRun.Replayed(
            run: Run(
                id: id, asOf: row.asOf, scope: try await scope(of: id), units: row.units),
            usersPerBatch: row.usersPerBatch ?? 100,
            settle: row.settle.map { .milliseconds($0) },
            tolerance: row.tolerance.map { .milliseconds($0) },
            eventHorizon: row.eventHorizon.map { .milliseconds($0) },
            maxUnverified: row.maxUnverified,
            source: row.source ?? .verifyReceipt,
            apiApps: APIApps(text: row.apiApps ?? ""))
    }

    func scope(of run: RunID) async throws(DatabaseError) -> Run.Scope {
        let rows = try await session.query(SQL.findScope, [run.text]) { row in
            (kind: try row.text("kind"), value: try row.text("value"))
        }
        if let limit = rows.first(where: { $0.kind == "limit" }) {
            return .limited(users: Int(limit.value) ?? 0)
        }
        guard !rows.isEmpty else { return .everything }
        return .selected(
            users: rows.filter { $0.kind == "users" }.map { UserID($0.value) },
            receipts: rows.filter { $0.kind == "receipts" }.map { ReceiptID($0.value) })
    }
}
