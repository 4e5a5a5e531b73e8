internal import SQL

extension Database {
    /// An unfinished run: to resume the last one of the same scope, else the last one over
    /// everything; to join one that a living worker works on. Nil when there is none.
    /// - Parameter settings: those of the process that asks, as given to `open`.
    package func openRun(
        settings: String, scope: RunScope, toJoin: Bool = false
    ) async throws(DatabaseError) -> OpenRun? {
        let parameters = [settings] + scope.parameters + [toJoin ? "t" : "f"]
        let rows = try await query(SQL.findOpenRun, parameters) {
            row throws(PostgresError) in
            let isSame = try row.int("rules_version") == Run.rulesVersion
            var shared = OpenRun.SharedSettings()
            shared.maxUnverified = try row.optionalText("max_unverified")
            shared.evidence = try row.optionalWord("evidence")
            shared.rate = try row.optionalText("rate").flatMap(Double.init)
            shared.sandboxRate = try row.optionalText("sandbox_rate").flatMap(Double.init)
            return (
                id: RunID(text: try row.text("run_id")), asOf: try row.instant("as_of"),
                isCut: try row.bool("is_cut"),
                hasSameSettings: try row.bool("has_same_settings"),
                hasSameRules: try row.bool("has_same_rules") && isSame,
                hasSameScope: try row.bool("has_same_scope"), hasWorker: try row.bool("has_worker"),
                isOffline: try row.bool("is_offline"), shared: shared
            )
        }
        guard let row = rows.first else { return nil }
        var open = OpenRun(
            run: Run(
                id: row.id, asOf: row.asOf, scope: try await self.scope(of: row.id),
                isOffline: row.isOffline),
            hasSameRules: row.hasSameRules, hasSameServers: row.hasSameSettings,
            hasSameScope: row.hasSameScope, isCut: row.isCut, hasWorker: row.hasWorker)
        open.shared = row.shared
        return open
    }

    /// A published run that kept all answers, for `--replay`.
    /// - Throws: `notReplayable` for any other.
    package func replayable(_ id: RunID) async throws(DatabaseError) -> ReplayableRun {
        let rows = try await query(SQL.findRun, [id.text]) { row throws(PostgresError) in
            (
                state: try row.text("state"), asOf: try row.instant("as_of"),
                usersPerBatch: try row.optionalInt("users_per_batch"),
                evidence: try row.optionalText("evidence"),
                settings: try [
                    try row.optionalInt("settle_ms"), try row.optionalInt("tolerance_ms"),
                    try row.optionalInt("event_horizon_ms"),
                ],
                maxUnverified: try row.optionalText("max_unverified")
            )
        }
        func refusal(_ why: String) -> DatabaseError {
            DatabaseError(.notReplayable(why), statement: SQL.findRun.name)
        }
        guard let row = rows.first else { throw refusal("There is no run \(id)") }
        guard row.state == "published" else { throw refusal("Run \(id) was not published") }
        guard row.evidence == Evidence.all.rawValue else {
            throw refusal("Run \(id) kept not all of its answers, or they have been pruned")
        }
        let settings = row.settings.map { $0.map { Duration.milliseconds($0) } }
        return ReplayableRun(
            run: Run(id: id, asOf: row.asOf, scope: try await scope(of: id)),
            usersPerBatch: row.usersPerBatch ?? 100, settle: settings[0],
            tolerance: settings[1], eventHorizon: settings[2],
            maxUnverified: row.maxUnverified)
    }

    private func scope(of run: RunID) async throws(DatabaseError) -> RunScope {
        let rows = try await query(SQL.findScope, [run.text]) { row throws(PostgresError) in
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
