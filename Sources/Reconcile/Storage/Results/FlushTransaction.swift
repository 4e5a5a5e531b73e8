internal import SQL

struct FlushTransaction: Sendable {
    let run: Run
    let link: CommitChain.Link

    struct Hold: Sendable {
        let continuity: CommitChain.Link.Continuity
        /// The batches whose lease is still valid.
        let batches: Set<Int>
        /// The run's `run_no`, by which the largest tables refer to it; nil for an unknown run.
        let runNumber: Int?
    }

    /// Adds the flush to the worker's chain and renews the leases of its batches. Writes nothing
    /// unless the flush `follows`.
    func hold(
        _ flush: [BatchFlush], on connection: isolated PostgresConnection
    ) throws -> Hold {
        let parameters = [
            run.id.text, String(LeaseStore.leaseSeconds), String(link.number),
            String(link.worker), String(link.previous),
        ]
        let rows = try connection.query(
            Self.batches.statement, parameters + Self.batches.arrays(of: flush)
        ) { row in
            Hold(
                continuity: link.continuity(after: try row.optionalInt("flush_no")),
                batches: Set(try row.integers("batches")),
                runNumber: try row.optionalInt("run_no"))
        }
        return rows.first
            ?? Hold(continuity: link.continuity(after: nil), batches: [], runNumber: nil)
    }

    private static let batches = GivenRows<BatchFlush>(
        SQL.holdBatches,
        [
            .int("batch_no") { $0.batch.number },
            .bigint("lease") { $0.batch.lease },
            .boolean("has_rows") { !$0.records.isEmpty },
            .boolean("is_done") { $0.isDone && !$0.isDeferred },
            // Released, to be leased again for the deferred users.
            .boolean("is_deferred") { $0.isDone && $0.isDeferred },
        ])

    func copy(
        _ flush: [BatchFlush], as runNumber: Int, on connection: isolated PostgresConnection
    ) throws {
        let run = RecordedRun(id: run.id, number: runNumber)
        let judged = flush.judged
        let users = judged.map(\.user)
        let evidence = users.flatMap { user in
            user.value.evidence.map { (user: user.value.user, answer: $0) }
        }
        let records = users.compactMap { user in
            user.value.user.flatMap { name in user.value.record.map { (user: name, record: $0) } }
        }
        try connection.copyIn(judged, to: ResultTables.userResults, of: run)
        try connection.copyIn(flush.refused, to: ResultTables.secondLook, of: run)
        try connection.copyIn(
            RequestCount.all(in: flush.lazy.flatMap(\.records).map(\.requests)),
            to: ResultTables.requestCounts, of: run)
        try connection.copyIn(
            users.flatMap(\.value.outcomes), to: ResultTables.outcomes, of: run)
        try connection.copyIn(
            FindingStatement.copy,
            CopyBuffer(findings: users.flatMap(\.value.findings), of: self.run.reporting))
        try connection.copyIn(evidence, to: ResultTables.evidence, of: run)
        try connection.copyIn(records, to: ResultTables.judgedUsers, of: run)
        try keep(users.flatMap(\.value.keptReceipts), on: connection)
        try copyUnreported(users, of: run, on: connection)
        try copySightings(users, of: run, on: connection)
    }

    private func copyUnreported(
        _ users: [Reference<JudgedUser>], of run: RecordedRun,
        on connection: isolated PostgresConnection
    ) throws {
        let rows = users.flatMap { user in
            user.value.notReported.map { (user: user.value.user, row: $0) }
        }
        try connection.copyIn(rows, to: ResultTables.notReported, of: run)
        try connection.copyIn(
            users.flatMap(\.value.unjudged), to: ResultTables.unjudgedFindings, of: run)
        try connection.copyIn(
            users.flatMap(\.value.remembered), to: ResultTables.rememberedEvents, of: run)
    }

    private func copySightings(
        _ users: [Reference<JudgedUser>], of run: RecordedRun,
        on connection: isolated PostgresConnection
    ) throws {
        try connection.copyIn(
            users.flatMap(\.value.purchases), to: ResultTables.sightedPurchases, of: run)
        try connection.copyIn(
            users.flatMap(\.value.receiptSightings), to: ResultTables.sightedReceipts, of: run)
        try connection.copyIn(
            users.flatMap(\.value.unknownProducts).combined, to: ResultTables.sightedProducts,
            of: run)
        try connection.copyIn(
            [FlushedUnits(of: users, in: link.number)].compactMap(\.self),
            to: ResultTables.unitSightings, of: run)
        try connection.copyIn(
            users.compactMap(\.value.undecided), to: ResultTables.undecidedUsers, of: run)
        try connection.copyIn(
            users.flatMap(\.value.sweptTransactions), to: ResultTables.sweptTransactions, of: run)
    }
}
