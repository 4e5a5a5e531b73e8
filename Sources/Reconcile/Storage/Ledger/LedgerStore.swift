internal import SQL

/// The ledger: the findings and events that published runs over everything have reported. Each
/// published run updates it.
struct LedgerStore: Sendable {
    let session: DatabaseSession

    /// Compares users, clears findings and counts refunds after all users of `run` are recorded, in
    /// one transaction. Further calls have no effect.
    /// - Parameters:
    ///   - guards: find a run over everything implausible. A run that is held clears no findings.
    ///   - coverage: the comparison with the views; nil for a partial run and a replay.
    ///   - refunds: reads the refund notices of the sweep; nil without a sweep.
    ///   - publication: its fencing number; under another one nothing happens.
    ///   - admit: adapts a finding to the run, or drops it by returning nil.
    func settle(
        _ run: Run, guards: Guards, coverage: Coverage? = nil,
        refunds: RefundOfNobody.Reading? = nil, under publication: Int? = nil,
        admit: @Sendable (Finding) -> Finding?
    ) async throws(DatabaseError) {
        try await session.retrying {
            try await session.pool.transaction { connection in
                let begun = try await connection.query(
                    PostgresStatement(SQL.beginComparison),
                    [run.id.text, publication.map { String($0) }]
                ) { row in try row.text("run_id") }
                guard !begun.isEmpty else { return }
                if run.units != nil {
                    try await connection.execute(PostgresStatement(SQL.countUnits), [run.id.text])
                    try await connection.execute(
                        PostgresStatement(SQL.dropUnitSightings), [run.id.text])
                }
                for statement in [SQL.dropReportedRefunds, SQL.dropUnclaimedEvents] {
                    let drop = ResultTables.rememberedEvents.columns(in: statement)
                    try await connection.execute(drop, [run.id.text])
                }
                try await connection.execute(
                    PostgresStatement(SQL.countRefundsOnce), [run.id.text])
                try await compareUsers(of: run, admit, on: connection)
                if let refunds { try await addRefunds(of: run, refunds, on: connection) }
                // A replay takes the lifecycle from the replayed run.
                let lifecycle = run.replayOf == nil ? SQL.reopenFindings : SQL.takeLifecycle
                try await connection.execute(PostgresStatement(lifecycle), [run.id.text])
                try await connection.execute(PostgresStatement(SQL.avoidNestedLoops))
                if run.isGuarded {
                    let reasons = try await connection.recordResult(of: run.id) {
                        (coverage?.reasons ?? []) + guards.judging(run, by: $0).implausible
                    }
                    if run.isHeld(by: reasons) { return }
                }
                let kinds = FactRules.acrossUsers.map(\.rawValue).sorted()
                try await connection.execute(
                    PostgresStatement(SQL.clearFindings),
                    [run.id.text, PostgresArray.text(kinds)])
            }
        }
    }

    /// Records the end of `run` in one transaction, and updates the ledger unless it is `held`.
    /// - Parameter publication: the fencing number of the publication.
    /// - Throws: `notOpen` when another worker publishes the run, or it has ended in another way.
    func publish(
        _ run: RunID, as ending: Run.State = .published, isComplete: Bool = true,
        account: PublishedAccount? = nil, at finishedAt: Instant, under publication: Int?
    ) async throws(DatabaseError) {
        let worker = await session.runLock.worker.map { String($0) }
        let finish = [
            run.text, ending.rawValue, finishedAt.timestamptz,
            publication.map { String($0) }, worker, isComplete ? "t" : "f",
            account?.summary, account?.manifestSHA256,
        ]
        let isOurs = try await session.retrying {
            try await session.pool.transaction { connection in
                try await connection.execute(PostgresStatement(SQL.avoidNestedLoops))
                let finished = try await connection.query(
                    PostgresStatement(SQL.finishRun), finish
                ) { row in try row.bool("was_open") }
                guard let wasOpen = finished.first else { return false }
                // It was already published by a COMMIT without a response.
                guard wasOpen, ending == .published else { return true }
                try await connection.moveLedger(by: run)
                return true
            }
        }
        guard isOurs else {
            throw DatabaseError(
                .notOpen("The run \(run) is no longer open"), statement: SQL.finishRun.name)
        }
    }

    /// False when the run is not held, was pruned, or was replaced by a later run.
    func release(_ run: RunID, by who: String, why: String) async throws(DatabaseError) -> Bool {
        try await session.retrying {
            try await session.pool.transaction { connection in
                try await connection.execute(PostgresStatement(SQL.avoidNestedLoops))
                let released = try await connection.query(
                    PostgresStatement(SQL.releaseRun), [run.text, who, why]
                ) { row in try row.text("run_id") }
                guard !released.isEmpty else { return false }
                try await connection.moveLedger(by: run)
                return true
            }
        }
    }

    // MARK: Comparing users

    private func compareUsers(
        of run: Run, _ admit: @Sendable (Finding) -> Finding?, on connection: PostgresConnection
    ) async throws {
        try await add(
            session.stream(SQL.sharedPurchases, [run.id.text]) { row in
                try SharedPurchase(row).finding
            }, to: run, admit, on: connection)
        try await add(
            session.stream(SQL.sharedReceipts, [run.id.text]) { row in
                try SharedReceipt(row).finding
            }, to: run, admit, on: connection)
        try await add(
            session.stream(SQL.unknownProducts, [run.id.text]) { row in
                try UnknownProduct(row).finding
            }, to: run, admit, on: connection)
    }

    /// - Parameter findings: streamed on another connection than the one that writes.
    private func add(
        _ findings: PostgresStream<Finding>, to run: Run, _ admit: @Sendable (Finding) -> Finding?,
        on connection: PostgresConnection
    ) async throws {
        var pages = findings.makeAsyncIterator()
        while let page = try await pages.next() {
            try await add(page.compactMap(admit), to: run, on: connection)
        }
    }

    /// Refunds by notices of the sweep that no answer shows, unless they were reported before.
    private func addRefunds(
        of run: Run, _ read: @escaping RefundOfNobody.Reading, on connection: PostgresConnection
    ) async throws {
        var counts: [BundleID: Int] = [:]
        var reported: Set<String> = []
        let notices = session.stream(SQL.refundsOfNobody, [run.id.text]) { row in
            read(try row.bytea("payload"))
        }
        var pages = notices.makeAsyncIterator()
        while let page = try await pages.next() {
            let refunds = page.compactMap(\.self)
            for refund in refunds { counts[refund.bundle, default: 0] += 1 }
            reported.formUnion(
                try await connection.reportedRefunds(refunds.map(\.reference), in: run.id))
            let new = refunds.filter { refund in
                refund.isReportable && reported.insert(refund.reference).inserted
            }
            let users = try await connection.users(by: new.compactMap(\.accountToken), in: run.id)
            try await add(
                new.map { refund in refund.finding(of: refund.accountToken.flatMap { users[$0] }) },
                to: run, on: connection)
        }
        try await connection.record(counts, in: run.id)
    }

    private func add(
        _ admitted: [Finding], to run: Run, on connection: PostgresConnection
    ) async throws {
        let ids = PostgresArray.text(admitted.map(\.identity.id))
        let known =
            run.replayOf != nil
            ? []
            : try await connection.query(
                PostgresStatement(SQL.ledgerOfFindings), [ids]
            ) { row in try LedgerEntry.read(row) }
        let accepted = try await connection.query(
            PostgresStatement(SQL.acceptedFindings), [run.past.before?.text, ids]
        ) { row in try row.text("finding_id") }
        let history = UserHistory(known.compactMap(\.self), accepted: Set(accepted))
        let rows = history.reported(admitted, judgedAt: run.asOf)
        try await connection.copyIn(
            FindingStatement.copy, CopyBuffer(findings: rows, of: run.reporting))
    }
}

extension PostgresConnection {
    fileprivate func moveLedger(by run: RunID) throws {
        let events = FindingKind.events.map(\.rawValue).sorted()
        try execute(PostgresStatement(SQL.moveLedger), [run.text, PostgresArray.text(events)])
    }
}
