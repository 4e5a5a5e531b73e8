internal import SQL

/// What is to be recorded of one leased batch.
package struct BatchFlush: Sendable {
    package let batch: Batch
    package var records: [UserRecord]
    /// Whether these are the last of the batch.
    package var isDone: Bool

    package init(batch: Batch, records: [UserRecord] = [], isDone: Bool = false) {
        self.batch = batch
        self.records = records
        self.isDone = isDone
    }
}

/// What came of a flush.
package struct FlushResult: Equatable, Sendable {
    /// The numbers of the batches that are still ours. Of others nothing was written.
    package var held: Set<Int>
    /// Receipts that another user had first: they count there.
    package var leftOut: [ReceiptID] = []
}

extension Database {
    /// Renews the leases of batches and records users of them, in one transaction: all of it or
    /// nothing. A batch that another worker has leased since, or whose run has ended, is left out.
    ///
    /// A receipt that moved to another user while the run went on may have been recorded before. It
    /// counts once, where it came first: here it is left out of the outcomes and the tally.
    package func record(_ flush: [BatchFlush], of run: RunID) async throws(DatabaseError)
        -> FlushResult
    {
        guard !flush.isEmpty else { return FlushResult(held: []) }
        var flush = flush
        var leftOut = flush.leaveOutRepeated()
        // Each round leaves out what others have recorded by then.
        while true {
            do throws(DatabaseError) {
                return FlushResult(held: try await write(flush, of: run), leftOut: leftOut)
            } catch {
                guard case .rejected("23505", _) = error.reason else { throw error }
                let known = try await recorded(flush.receipts, of: run)
                guard !known.isEmpty else { throw error }
                leftOut += flush.leaveOut { known.contains($0) }
            }
        }
    }

    private func write(_ flush: [BatchFlush], of run: RunID) async throws(DatabaseError)
        -> Set<Int>
    {
        let number = Int64.random(in: 0 ... .max)
        var trials = 0
        return try await endure(touching: .tables) { () async throws(PostgresError) in
            trials += 1
            let isRepeated = trials > 1
            return try await pool.transactionAtOnce { connection throws(PostgresError) in
                // A connection that dies after COMMIT was sent does not tell whether it was heard.
                let done = isRepeated ? try connection.recorded(number, flush, of: run) : []
                let left = flush.filter { !done.contains($0.batch.number) }
                let held = try connection.hold(left, of: run, number)
                let ours = left.filter { held.contains($0.batch.number) }
                try connection.copy(ours, of: run)
                return held.union(done)
            }
        }
    }

    private func recorded(_ receipts: [ReceiptID], of run: RunID)
        async throws(DatabaseError) -> Set<ReceiptID>
    {
        let ids = PostgresArray.text(receipts.map(\.text))
        let known = try await query(SQL.recordedReceipts, [run.text, ids]) {
            row throws(PostgresError) in ReceiptID(try row.text("receipt_id"))
        }
        return Set(known)
    }
}

extension PostgresConnection {
    /// Renews the leases of what is flushed; returns the numbers of the batches that are ours.
    fileprivate func hold(_ flush: [BatchFlush], of run: RunID, _ number: Int64)
        throws(PostgresError) -> Set<Int>
    {
        guard !flush.isEmpty else { return [] }
        func flags(_ isSet: (BatchFlush) -> Bool) -> String {
            "{" + flush.map { isSet($0) ? "t" : "f" }.joined(separator: ",") + "}"
        }
        let parameters = [
            run.text, PostgresArray.integers(flush.map(\.batch.number)),
            PostgresArray.integers(flush.map(\.batch.lease)), flags { !$0.records.isEmpty },
            flags(\.isDone), String(Database.leaseSeconds), String(number),
        ]
        return Set(
            try query(PostgresStatement(SQL.holdBatches), parameters) {
                row throws(PostgresError) in try row.int("batch_no")
            })
    }

    /// The batches that an earlier trial of the same flush has recorded.
    fileprivate func recorded(_ number: Int64, _ flush: [BatchFlush], of run: RunID)
        throws(PostgresError) -> Set<Int>
    {
        let batches = PostgresArray.integers(flush.map(\.batch.number))
        let parameters = [run.text, batches, String(number)]
        let found = try query(PostgresStatement(SQL.findRecorded), parameters) {
            row throws(PostgresError) in
            (batch: try row.int("batch_no"), isRecorded: try row.bool("is_recorded"))
        }
        return Set(found.filter(\.isRecorded).map(\.batch))
    }

    fileprivate func copy(_ flush: [BatchFlush], of run: RunID) throws(PostgresError) {
        let judged = flush.judged
        try copyIn(PostgresStatement(SQL.copyUserResults), judged) {
            $1.append($0.user.value, in: $0.batch, of: run)
        }
        try copyIn(PostgresStatement(SQL.copySecondLook), flush.putOff) {
            $1.append($0.user, in: $0.batch, of: run)
        }
        let users = judged.map(\.user)
        try copyIn(PostgresStatement(SQL.copyOutcomes), users.flatMap(\.value.outcomes)) {
            $1.append($0, of: run)
        }
        let findings = users.flatMap(\.value.findings)
        try copyIn(
            PostgresStatement(SQL.copyFindings), CopyBuffer(findings: findings, of: run))
        let evidence = users.flatMap { user in
            user.value.evidence.map { (user.value.user, $0) }
        }
        try copyIn(PostgresStatement(SQL.copyEvidence), evidence) { $1.append($0.1, $0.0, of: run) }
        try copyHistory(users, of: run)
        try copySightings(users, of: run)
    }

    private func copyHistory(
        _ users: [Reference<JudgedUser>], of run: RunID
    ) throws(PostgresError) {
        let cleared = CopyBuffer(findings: users.flatMap(\.value.cleared), of: run)
        try copyIn(PostgresStatement(SQL.copyCleared), cleared)
        try remember(users.flatMap(\.value.changes), of: run)
        let cancellations = users.flatMap { user in
            user.value.cancellations.compactMap { seen in user.value.user.map { ($0, seen) } }
        }
        try remember(cancellations, of: run)
    }

    private func copySightings(
        _ users: [Reference<JudgedUser>], of run: RunID
    ) throws(PostgresError) {
        try copyIn(
            PostgresStatement(SQL.copySightedSubscriptions), users.flatMap(\.value.subscriptions)
        ) { $1.append($0, of: run) }
        let products = users.flatMap(\.value.unknownProducts).combined
        try copyIn(
            PostgresStatement(SQL.copySightedProducts),
            CopyBuffer(unknownProducts: products, of: run))
        let undecided = users.compactMap(\.value.undecided)
        try copyIn(
            PostgresStatement(SQL.copyUndecidedUsers), CopyBuffer(undecided: undecided, of: run))
    }
}

extension [BatchFlush] {
    fileprivate var judged: [(batch: Batch, user: Reference<JudgedUser>)] {
        flatMap { part in
            part.records.compactMap { record in
                if case .judged(let user) = record { (part.batch, user) } else { nil }
            }
        }
    }

    fileprivate var putOff: [(batch: Batch, user: PutOffUser)] {
        flatMap { part in
            part.records.compactMap { record in
                if case .putOff(let user) = record { (part.batch, user) } else { nil }
            }
        }
    }

    fileprivate var receipts: [ReceiptID] {
        judged.flatMap { $0.user.value.outcomes.compactMap(\.receipt) }
    }

    /// Leaves out what comes a second time; returns its ids.
    fileprivate mutating func leaveOutRepeated() -> [ReceiptID] {
        let receipts = receipts
        var seen: Set<ReceiptID> = []
        guard Set(receipts).count < receipts.count else { return [] }
        return leaveOut { !seen.insert($0).inserted }
    }

    fileprivate mutating func leaveOut(where isKnown: (ReceiptID) -> Bool) -> [ReceiptID] {
        var leftOut: [ReceiptID] = []
        for part in indices {
            for place in self[part].records.indices {
                guard case .judged(let judged) = self[part].records[place] else { continue }
                var user = judged.value
                user.outcomes.removeAll { outcome in
                    guard let receipt = outcome.receipt, isKnown(receipt) else { return false }
                    leftOut.append(receipt)
                    return true
                }
                user.receipts = ReceiptTally(user.outcomes)
                self[part].records[place] = .judged(Reference(user))
            }
        }
        return leftOut
    }
}

extension ReceiptTally {
    package init(_ outcomes: [Outcome]) {
        self.init()
        for outcome in outcomes { count(outcome.validation) }
    }
}
