internal import SQL

extension Database {
    /// Saves what judging a batch brought, in one transaction: all of it or nothing.
    ///
    /// A receipt that moved to another user while the run went on may have been judged before. It
    /// counts once, where it came first: here it is left out of the outcomes and the tally, and
    /// returned for a warning. `answers` are those that were not recorded yet. Throws `notOpen` for
    /// a batch that is done or was leased anew, or whose run has ended.
    @discardableResult
    package func record(
        _ record: BatchRecord, answers: [RecordedAnswer] = [], of run: RunID
    ) async throws(DatabaseError) -> [ReceiptID] {
        var record = record
        var leftOut = record.leaveOutRepeated()
        do throws(DatabaseError) {
            try await write(record, answers, of: run)
        } catch {
            guard case .rejected("23505", _) = error.reason else { throw error }
            let known = try await recorded(record.outcomes.compactMap(\.receipt), of: run)
            guard !known.isEmpty else { throw error }
            leftOut += record.leaveOut(known)
            try await write(record, answers, of: run)
        }
        return leftOut
    }

    private func write(_ record: BatchRecord, _ answers: [RecordedAnswer], of run: RunID)
        async throws(DatabaseError)
    {
        let products = CopyBuffer(unknownProducts: record.unknownProducts, of: run)
        let undecided = CopyBuffer(undecided: record.undecided, of: run)
        let cleared = CopyBuffer(findings: record.cleared, of: run)
        let (parameters, batch) = (record.completion(of: run), record.batch)
        var trials = 0
        let isDone = try await endure(touching: .tables) { () async throws(PostgresError) in
            trials += 1
            let isDone = try await pool.transactionAtOnce { connection throws(PostgresError) in
                // First, so that of two writers the second waits here and then finds it done.
                let done = try connection.query(
                    PostgresStatement(SQL.completeBatch), parameters
                ) { row throws(PostgresError) in try row.int(0) }
                guard done == [batch.number] else { return false }
                try connection.copy([batch.number: answers], of: [batch], run)
                try connection.doubt(record.doubted, of: batch, run)
                try connection.copyIn(
                    PostgresStatement(SQL.copyOutcomes), record.outcomes
                ) { $1.append($0, of: run) }
                let findings = try connection.evidenced(record, of: run)
                try connection.copyIn(
                    PostgresStatement(SQL.copyFindings), CopyBuffer(findings: findings, of: run))
                try connection.copyIn(PostgresStatement(SQL.copyCleared), cleared)
                try record.remember(of: run, on: connection)
                try connection.copyIn(
                    PostgresStatement(SQL.copySightedSubscriptions), record.subscriptions
                ) { $1.append($0, of: run) }
                try connection.copyIn(
                    PostgresStatement(SQL.copySightedProducts), products)
                try connection.copyIn(
                    PostgresStatement(SQL.copyUndecidedUsers), undecided)
                return true
            }
            // A connection that dies after COMMIT was sent does not tell whether it was heard.
            guard !isDone, trials > 1 else { return isDone }
            return try await doneUnder(batch, of: run) == batch.lease
        }
        guard !isDone else { return }
        throw DatabaseError(
            .notOpen(
                "Batch \(batch.number) of run \(run) is done or was taken over, or the run has"
                    + " ended"),
            statement: SQL.completeBatch.name)
    }

    /// Under which lease a batch was done; nil while it is not.
    private func doneUnder(_ batch: Batch, of run: RunID) async throws(PostgresError) -> Int? {
        try await pool.withConnection { connection async throws(PostgresError) in
            try await connection.query(
                PostgresStatement(SQL.findLease), [run.text, String(batch.number)]
            ) { row throws(PostgresError) in try row.int(0) }
        }.first
    }

    private func recorded(_ receipts: [ReceiptID], of run: RunID)
        async throws(DatabaseError) -> Set<ReceiptID>
    {
        let ids = PostgresArray.text(receipts.map(\.text))
        let known = try await query(SQL.recordedReceipts, [run.text, ids]) {
            row throws(PostgresError) in ReceiptID(try row.text(0))
        }
        return Set(known)
    }
}

extension BatchRecord {
    /// Leaves out what comes a second time within the batch; returns its ids.
    fileprivate mutating func leaveOutRepeated() -> [ReceiptID] {
        var seen: Set<ReceiptID> = []
        return leaveOut { outcome in
            outcome.receipt.map { !seen.insert($0).inserted } ?? false
        }
    }

    fileprivate mutating func leaveOut(_ known: Set<ReceiptID>) -> [ReceiptID] {
        leaveOut { outcome in outcome.receipt.map(known.contains) ?? false }
    }

    private mutating func leaveOut(where isKnown: (Outcome) -> Bool) -> [ReceiptID] {
        var leftOut: [ReceiptID] = []
        outcomes.removeAll { outcome in
            guard isKnown(outcome), let receipt = outcome.receipt else { return false }
            leftOut.append(receipt)
            receipts.remove(outcome.validation)
            return true
        }
        return leftOut
    }

    /// The parameters of `complete_batch`.
    fileprivate func completion(of run: RunID) -> [String?] {
        let receipts = [
            receipts.inScope, receipts.verified, receipts.rejected, receipts.unusable,
            receipts.unverified,
        ]
        let entitlements = [
            entitlements.inScope, entitlements.consistent, entitlements.withFinding,
            entitlements.settling, entitlements.unverified, entitlements.notJudged,
        ]
        let calls = [requests.sent, requests.production, requests.sandbox, requests.retries]
        let statuses = [requests.byStatus, requests.byHTTPStatus].flatMap { counts in
            let sorted = counts.sorted { $0.key < $1.key }
            return [
                PostgresArray.integers(sorted.map(\.key)),
                PostgresArray.integers(sorted.map(\.value)),
            ]
        }
        let numbers = (receipts + entitlements + calls).map { String($0) }
        return [run.text, String(batch.number)] + numbers + statuses
            + [oldestVerifiedAt?.timestamptz, String(batch.lease)]
    }
}

extension ReceiptTally {
    fileprivate mutating func remove(_ validation: Validation) {
        inScope -= 1
        switch validation {
        case .verified: verified -= 1
        case .rejected: rejected -= 1
        case .unusable: unusable -= 1
        case .unverified: unverified -= 1
        }
    }
}
