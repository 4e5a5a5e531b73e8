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
        func flags(_ isSet: (BatchFlush) -> Bool) -> String {
            "{" + flush.map { isSet($0) ? "t" : "f" }.joined(separator: ",") + "}"
        }
        let parameters = [
            run.id.text, PostgresArray.integers(flush.map(\.batch.number)),
            PostgresArray.integers(flush.map(\.batch.lease)), flags { !$0.records.isEmpty },
            flags { $0.isDone && !$0.isDeferred }, String(LeaseStore.leaseSeconds),
            String(link.number),
            String(link.worker), String(link.previous), flags { $0.isDone && $0.isDeferred },
        ]
        let rows = try connection.query(PostgresStatement(SQL.holdBatches), parameters) { row in
            Hold(
                continuity: link.continuity(after: try row.optionalInt("flush_no")),
                batches: Set(try row.integers("batches")),
                runNumber: try row.optionalInt("run_no"))
        }
        return rows.first
            ?? Hold(continuity: link.continuity(after: nil), batches: [], runNumber: nil)
    }

    func copy(
        _ flush: [BatchFlush], as runNumber: Int, on connection: isolated PostgresConnection
    ) throws {
        let judged = flush.judged
        try connection.copyIn(PostgresStatement(SQL.copyUserResults), judged) {
            $1.append($0.user.value, in: $0.batch, of: runNumber)
        }
        try connection.copyIn(PostgresStatement(SQL.copySecondLook), flush.refused) {
            $1.append($0.user, in: $0.batch, of: run.id)
        }
        let requests = RequestCount.all(in: flush.lazy.flatMap(\.records).map(\.requests))
        try connection.copyIn(PostgresStatement(SQL.copyRequestCounts), requests) {
            $1.append($0, of: run.id)
        }
        let users = judged.map(\.user)
        try connection.copyIn(PostgresStatement(SQL.copyOutcomes), users.flatMap(\.value.outcomes))
        {
            $1.append($0, of: runNumber)
        }
        let findings = users.flatMap(\.value.findings)
        try connection.copyIn(
            FindingStatement.copy, CopyBuffer(findings: findings, of: run.reporting))
        let evidence = users.flatMap { user in
            user.value.evidence.map { (user.value.user, $0) }
        }
        try connection.copyIn(PostgresStatement(SQL.copyEvidence), evidence) {
            $1.append($0.1, $0.0, of: run.id)
        }
        let records = users.compactMap { user in
            user.value.user.flatMap { name in user.value.record.map { (user: name, record: $0) } }
        }
        try connection.copyIn(PostgresStatement(SQL.copyJudgedUsers), records) {
            $1.append($0.record, $0.user, of: runNumber)
        }
        try keep(users.flatMap(\.value.keptReceipts), on: connection)
        try copyUnreported(users, on: connection)
        try copySightings(users, as: runNumber, on: connection)
    }

    private func copyUnreported(
        _ users: [Reference<JudgedUser>], on connection: isolated PostgresConnection
    ) throws {
        let rows = users.flatMap { user in
            user.value.notReported.map { (user: user.value.user, row: $0) }
        }
        try connection.copyIn(PostgresStatement(SQL.copyNotReported), rows) {
            $1.append($0.row, $0.user, of: run.id)
        }
        try connection.copyIn(
            PostgresStatement(SQL.copyUnjudgedFindings), users.flatMap(\.value.unjudged)
        ) {
            $1.append(unjudgedFinding: $0, of: run.id)
        }
        try connection.copyIn(
            PostgresStatement(SQL.copyRememberedEvents), users.flatMap(\.value.remembered)
        ) { $1.append($0, of: run.id) }
    }

    private func copySightings(
        _ users: [Reference<JudgedUser>], as runNumber: Int,
        on connection: isolated PostgresConnection
    ) throws {
        try connection.copyIn(
            PostgresStatement(SQL.copySightedPurchases), users.flatMap(\.value.purchases)
        ) { $1.append($0, of: runNumber) }
        try connection.copyIn(
            PostgresStatement(SQL.copySightedReceipts), users.flatMap(\.value.receiptSightings)
        ) { $1.append($0, of: run.id) }
        let products = users.flatMap(\.value.unknownProducts).combined
        try connection.copyIn(
            PostgresStatement(SQL.copySightedProducts),
            CopyBuffer(unknownProducts: products, of: run.id))
        let undecided = users.compactMap(\.value.undecided)
        try connection.copyIn(
            PostgresStatement(SQL.copyUndecidedUsers),
            CopyBuffer(undecided: undecided, of: run.id))
    }
}
