internal import SQL

/// The statements of one flush, within a transaction.
struct FlushTransaction: Sendable {
    let run: RunID
    /// Tells this flush from others, so that it is found again when its COMMIT was not answered.
    let number: Int64

    /// Renews the leases of what is flushed; returns the numbers of the batches that are ours.
    func hold(
        _ flush: [BatchFlush], on connection: isolated PostgresConnection
    ) throws(PostgresError) -> Set<Int> {
        guard !flush.isEmpty else { return [] }
        func flags(_ isSet: (BatchFlush) -> Bool) -> String {
            "{" + flush.map { isSet($0) ? "t" : "f" }.joined(separator: ",") + "}"
        }
        let parameters = [
            run.text, PostgresArray.integers(flush.map(\.batch.number)),
            PostgresArray.integers(flush.map(\.batch.lease)), flags { !$0.records.isEmpty },
            flags(\.isDone), String(LeaseStore.leaseSeconds), String(number),
        ]
        return Set(
            try connection.query(PostgresStatement(SQL.holdBatches), parameters) {
                row throws(PostgresError) in try row.int("batch_no")
            })
    }

    /// The batches that an earlier attempt of the same flush has recorded.
    func recorded(
        _ flush: [BatchFlush], on connection: isolated PostgresConnection
    ) throws(PostgresError) -> Set<Int> {
        let batches = PostgresArray.integers(flush.map(\.batch.number))
        let parameters = [run.text, batches, String(number)]
        let found = try connection.query(PostgresStatement(SQL.findRecorded), parameters) {
            row throws(PostgresError) in
            (batch: try row.int("batch_no"), isRecorded: try row.bool("is_recorded"))
        }
        return Set(found.filter(\.isRecorded).map(\.batch))
    }

    func copy(
        _ flush: [BatchFlush], on connection: isolated PostgresConnection
    ) throws(PostgresError) {
        let judged = flush.judged
        try connection.copyIn(PostgresStatement(SQL.copyUserResults), judged) {
            $1.append($0.user.value, in: $0.batch, of: run)
        }
        try connection.copyIn(PostgresStatement(SQL.copySecondLook), flush.putOff) {
            $1.append($0.user, in: $0.batch, of: run)
        }
        let users = judged.map(\.user)
        try connection.copyIn(PostgresStatement(SQL.copyOutcomes), users.flatMap(\.value.outcomes))
        {
            $1.append($0, of: run)
        }
        let findings = users.flatMap(\.value.findings)
        try connection.copyIn(
            PostgresStatement(SQL.copyFindings), CopyBuffer(findings: findings, of: run))
        let evidence = users.flatMap { user in
            user.value.evidence.map { (user.value.user, $0) }
        }
        try connection.copyIn(PostgresStatement(SQL.copyEvidence), evidence) {
            $1.append($0.1, $0.0, of: run)
        }
        try copyHistory(users, on: connection)
        try copySightings(users, on: connection)
    }

    private func copyHistory(
        _ users: [Reference<JudgedUser>], on connection: isolated PostgresConnection
    ) throws(PostgresError) {
        let cleared = CopyBuffer(findings: users.flatMap(\.value.cleared), of: run)
        try connection.copyIn(PostgresStatement(SQL.copyCleared), cleared)
        try connection.remember(users.flatMap(\.value.changes), of: run)
        let cancellations = users.flatMap { user in
            user.value.cancellations.compactMap { seen in user.value.user.map { ($0, seen) } }
        }
        try connection.remember(cancellations, of: run)
    }

    private func copySightings(
        _ users: [Reference<JudgedUser>], on connection: isolated PostgresConnection
    ) throws(PostgresError) {
        try connection.copyIn(
            PostgresStatement(SQL.copySightedSubscriptions), users.flatMap(\.value.subscriptions)
        ) { $1.append($0, of: run) }
        let products = users.flatMap(\.value.unknownProducts).combined
        try connection.copyIn(
            PostgresStatement(SQL.copySightedProducts),
            CopyBuffer(unknownProducts: products, of: run))
        let undecided = users.compactMap(\.value.undecided)
        try connection.copyIn(
            PostgresStatement(SQL.copyUndecidedUsers), CopyBuffer(undecided: undecided, of: run))
    }
}
