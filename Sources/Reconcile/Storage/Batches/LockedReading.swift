internal import SQL

/// Reading the views of a batch in one snapshot, taken under the locks of the tables below them.
extension DatabaseSession {
    /// A wait that is longer than this is reported.
    private static let notableWait = Duration.seconds(1)
    /// How long a command waits that retries nothing.
    private static let shortWait = Duration.seconds(10)

    /// Runs `body` under locks against TRUNCATE and other DDL, which are held until it returns.
    /// - Returns: nil when the locks were not free for `lockWait`: the batch must be put back.
    /// - Throws: `viewsLocked` when no batch could be read for as long as an outage may last.
    func readViews<T: Sendable>(
        _ body: @Sendable (isolated PostgresConnection) throws -> T
    ) async throws(DatabaseError) -> T? {
        try await underLocks { locks in try await pool.snapshot(under: locks, body) }
    }

    /// Like `readViews`, for statements that copy rows of the views to the job's own tables. They
    /// are committed together.
    func copyViews<T: Sendable>(
        _ body: @Sendable (isolated PostgresConnection) throws -> T
    ) async throws(DatabaseError) -> T? {
        try await underLocks { locks in try await pool.transactionAtOnce(under: locks, body) }
    }

    private func underLocks<T: Sendable>(
        _ transaction: (_ locks: PostgresStatement) async throws -> T
    ) async throws(DatabaseError) -> T? {
        var schedule = LockSchedule(
            lockWait: retry?.lockWait ?? Self.shortWait,
            giveUpAfter: retry?.giveUpAfter ?? Self.shortWait)
        while true {
            let attempt = try await retrying { try await tryOnce(transaction) }
            if case .read(let value) = attempt {
                retry?.locksAreFree()
                return value
            }
            let now = ContinuousClock.now
            let since = retry?.locksAreTaken(at: now)
            if let retry, let since, since.duration(to: now) >= Self.notableWait,
                retry.mustReportLocks()
            {
                retry.waitBegan()
                retry.report(await lockFailure())
            }
            switch schedule.next(at: now, since: since) {
            case .tryAgain(let delay): try await sleep(for: delay)
            case .putBack: return nil
            case .giveUp: throw await lockFailure()
            }
        }
    }

    private enum Attempt<T: Sendable>: Sendable {
        case read(T)
        case locked
    }

    private func tryOnce<T: Sendable>(
        _ transaction: (_ locks: PostgresStatement) async throws -> T
    ) async throws -> Attempt<T> {
        while true {
            do {
                let locks = try await viewLocks.statement(of: lockedViews, in: pool)
                return .read(try await transaction(locks))
            } catch let error as PostgresError {
                if error.sqlState == PostgresError.lockNotAvailable { return .locked }
                guard error.isAboutOtherViews, viewLocks.forget() else { throw error }
            }
        }
    }

    private var lockedViews: [String] {
        ["stored_receipts", "stored_entitlements", "stored_download_keys"]
            .filter { !missingViews.contains($0) }
    }

    private func sleep(for delay: Duration) async throws(DatabaseError) {
        do {
            try await ContinuousClock().sleep(for: delay)
        } catch {
            throw DatabaseError(.cancelled, statement: SQL.lockViews.name)
        }
    }

    /// Names the view, and the session that keeps it from being read, if it is still there.
    private func lockFailure() async -> DatabaseError {
        let views = lockedViews
        let holders = try? await pool.withConnection { connection in
            let relations = try await connection.relations(below: views)
            return try await connection.query(
                PostgresStatement(SQL.findLockHolderOfRelations),
                [PostgresArray.integers(relations.map(\.oid))]
            ) { row in
                let oid = try row.int("relation")
                let view = relations.first { $0.oid == oid }?.view ?? ""
                return "reconcile.\(view) cannot be read while "
                    + Self.holder(
                        try row.optionalInt("pid"), try row.optionalText("role_name"),
                        try row.optionalText("application")) + " locks \(try row.text("name"))"
            }
        }
        let names = views.map { "reconcile." + $0 }.joined(separator: " or ")
        let sentence = holders?.first ?? "\(names) cannot be read: another session locks a table"
        return DatabaseError(.viewsLocked(sentence), statement: SQL.lockViews.name)
    }

    private static func holder(_ pid: Int?, _ role: String?, _ application: String?) -> String {
        guard let pid else { return "a prepared transaction" }
        let names = [role.map { "role \($0)" }, application.map { "application \($0)" }]
        let list = names.compactMap(\.self).joined(separator: ", ")
        return "process \(pid)" + (list.isEmpty ? "" : " (\(list))")
    }
}
