internal import SQL

/// What earlier runs over everything know: moved on by each run that is published.
package struct LedgerStore: Sendable {
    let session: DatabaseSession

    /// What is found by comparing users with each other, which findings of earlier runs are no
    /// longer true, and which refunds count, when all users of `run` are recorded: in one
    /// transaction. Called again it does nothing.
    /// - Parameters:
    ///   - guards: tell what is implausible of a run over everything. Of a night that is, nothing
    ///     is cleared.
    ///   - admit: what a run says of a finding; nil leaves it out.
    package func settle(
        _ run: Run, guards: Guards, admit: @Sendable (Finding) -> Finding?
    ) async throws(DatabaseError) {
        try await session.retrying(touching: .tables) { () async throws(PostgresError) in
            try await session.pool.transaction { connection async throws(PostgresError) in
                let begun = try await connection.query(
                    PostgresStatement(SQL.beginComparison), [run.id.text]
                ) { row throws(PostgresError) in try row.text("run_id") }
                guard !begun.isEmpty else { return }
                try await connection.execute(
                    PostgresStatement(SQL.dropToldRefunds), [run.id.text])
                try await connection.execute(
                    PostgresStatement(SQL.countRefundsOnce), [run.id.text])
                try await compareUsers(of: run, admit, on: connection)
                // What an old run says of them is taken from that run.
                let lifecycle = run.replayOf == nil ? SQL.reopenFindings : SQL.takeLifecycle
                try await connection.execute(PostgresStatement(lifecycle), [run.id.text])
                try await connection.execute(PostgresStatement(SQL.avoidNestedLoops))
                if run.isGuarded {
                    let reasons = try await connection.noteResult(of: run.id) {
                        guards.look(at: run, $0).implausible
                    }
                    if run.isNight, !reasons.isEmpty { return }
                }
                let kinds = FactRules.acrossUsers.map(\.rawValue).sorted()
                try await connection.execute(
                    PostgresStatement(SQL.clearFindings),
                    [run.id.text, PostgresArray.text(kinds)])
            }
        }
    }

    /// Notes that `run` is published, and moves the ledger on by it, in one transaction.
    /// - Parameters:
    ///   - ending: `published`; or `held`, and the ledger stays as it is.
    ///   - account: of its folder.
    ///   - publication: the fencing number under which it was published.
    /// - Throws: `notOpen` when another worker publishes it, or it has had another end.
    package func publish(
        _ run: RunID, as ending: RunEnding = .published, isComplete: Bool = true,
        account: PublishedAccount? = nil, at finishedAt: Instant, under publication: Int?
    ) async throws(DatabaseError) {
        let worker = await session.runLock.worker.map { String($0) }
        let finish = [
            run.text, ending.rawValue, finishedAt.timestamptz,
            publication.map { String($0) }, worker, isComplete ? "t" : "f",
            account?.summary, account?.manifestSHA256,
        ]
        let isOurs = try await session.retrying(touching: .tables) {
            () async throws(PostgresError) in
            try await session.pool.transaction { connection async throws(PostgresError) in
                try await connection.execute(PostgresStatement(SQL.avoidNestedLoops))
                let finished = try await connection.query(
                    PostgresStatement(SQL.finishRun), finish
                ) { row throws(PostgresError) in try row.bool("was_open") }
                guard let wasOpen = finished.first else { return false }
                // It was published already, by a COMMIT that had no answer.
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

    /// Makes the held run `run` count: it is published, and the ledger moves on by it.
    /// - Returns: false when it is not held, was pruned, or a later run has replaced it.
    func release(_ run: RunID, by who: String, why: String) async throws(DatabaseError) -> Bool {
        try await session.retrying(touching: .tables) { () async throws(PostgresError) in
            try await session.pool.transaction { connection async throws(PostgresError) in
                try await connection.execute(PostgresStatement(SQL.avoidNestedLoops))
                let released = try await connection.query(
                    PostgresStatement(SQL.releaseRun), [run.text, who, why]
                ) { row throws(PostgresError) in try row.text("run_id") }
                guard !released.isEmpty else { return false }
                try await connection.moveLedger(by: run)
                return true
            }
        }
    }

    // MARK: Comparing users

    private func compareUsers(
        of run: Run, _ admit: @Sendable (Finding) -> Finding?, on connection: PostgresConnection
    ) async throws(PostgresError) {
        try await add(
            session.stream(SQL.sharedPurchases, [run.id.text]) { row throws(PostgresError) in
                try SharedPurchase(row).finding
            }, to: run, admit, on: connection)
        try await add(
            session.stream(SQL.sharedReceipts, [run.id.text]) { row throws(PostgresError) in
                try SharedReceipt(row).finding
            }, to: run, admit, on: connection)
        try await add(
            session.stream(SQL.unknownProducts, [run.id.text]) { row throws(PostgresError) in
                try UnknownProduct(row).finding
            }, to: run, admit, on: connection)
    }

    /// - Parameter findings: read on a connection of their own, beside the one that writes.
    private func add(
        _ findings: PostgresStream<Finding>, to run: Run, _ admit: @Sendable (Finding) -> Finding?,
        on connection: PostgresConnection
    ) async throws(PostgresError) {
        var pages = findings.makeAsyncIterator()
        while let page = try await pages.next() {
            let admitted = page.compactMap(admit)
            let ids = PostgresArray.text(admitted.map(\.identity.id))
            // A replay takes the lifecycle from the run that it judges again.
            let known =
                run.replayOf != nil
                ? []
                : try await connection.query(
                    PostgresStatement(SQL.ledgerOfFindings), [ids]
                ) { row throws(PostgresError) in try LedgerEntry.read(row) }
            let accepted = try await connection.query(
                PostgresStatement(SQL.acceptedFindings), [run.past.text, ids]
            ) { row throws(PostgresError) in try row.text("finding_id") }
            let history = UserHistory(known.compactMap(\.self), accepted: Set(accepted))
            let rows = history.reported(admitted, judgedAt: run.asOf)
            try await connection.copyIn(
                FindingStatement.copy, CopyBuffer(findings: rows, of: run.reporting))
        }
    }
}

extension PostgresConnection {
    fileprivate func moveLedger(by run: RunID) throws(PostgresError) {
        let events = FindingKind.events.map(\.rawValue).sorted()
        try execute(PostgresStatement(SQL.moveLedger), [run.text, PostgresArray.text(events)])
    }
}
