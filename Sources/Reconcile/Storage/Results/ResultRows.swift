/// Rows of recorded users, in the column order of the files in `sql/`.
extension BinaryCopyBuffer {
    mutating func append(_ user: JudgedUser, in batch: Batch, of runNumber: Int) {
        beginRow(columns: 15)
        append(bigint: runNumber)
        append(int: batch.number)
        append(int: user.receipts.inScope)
        append(int: user.receipts[.verified])
        for bucket in ReceiptBucket.allCases.dropFirst() {
            append(rare: user.receipts[bucket])
        }
        append(int: user.entitlements.inScope)
        append(int: user.entitlements[.consistent])
        for bucket in EntitlementBucket.allCases.dropFirst() {
            append(rare: user.entitlements[bucket])
        }
        append(timestamp: user.oldestVerifiedAt?.milliseconds)
        append(user.user)
    }

    /// Appends an `int` that is null for 0, as most are.
    private mutating func append(rare number: Int) { append(int: number == 0 ? nil : number) }

    mutating func append(_ count: RequestCount, of run: RunID) {
        beginRow(columns: 6)
        append(run.text)
        append(int: count.requests)
        append(int: count.retries)
        append(int: count.httpStatus)
        append(bigint: count.status)
        append(count.server.rawValue)
    }

    mutating func append(_ user: RefusedUser, in batch: Batch, of run: RunID) {
        beginRow(columns: 5)
        append(run.text)
        append(int: batch.number)
        append(user.user)
        let refusals = user.refusals.sorted { $0.key < $1.key }
        append(texts: refusals.map(\.key.text))
        append(texts: refusals.map(\.value.rawValue))
    }

    mutating func append(_ outcome: Outcome, of runNumber: Int) {
        beginRow(columns: 13)
        append(bigint: runNumber)
        append(outcome.receipt)
        append(outcome.user)
        append(outcome.bundle)
        append(outcome.validation.outcome)
        append(outcome.validation.cause)
        append(int: outcome.attempts.count)
        append(bigint: outcome.attempts.lastStatus)
        append(int: outcome.attempts.lastHTTPStatus)
        append(outcome.attempts.detail)
        append(outcome.attempts.server?.rawValue)
        append(timestamp: outcome.attempts.answeredAt?.milliseconds)
        append(int: outcome.entitlementsAffected)
    }

    mutating func append(_ answer: KeptAnswer, _ user: UserID?, of run: RunID) {
        beginRow(columns: 14)
        append(run.text)
        append(bytes: answer.request)
        append(answer.receipt)
        append(user)
        append(answer.conclusion.outcome)
        append(answer.conclusion.cause)
        append(int: answer.attempts.count)
        append(bigint: answer.attempts.lastStatus)
        append(int: answer.attempts.lastHTTPStatus)
        append(answer.attempts.detail)
        append(timestamp: answer.attempts.answeredAt?.milliseconds)
        append(answer.body?.server.rawValue)
        append(bytes: answer.bodyDigest)
        append(bytes: answer.body?.bytes)
    }

    mutating func append(_ record: JudgedRecord, _ user: UserID, of runNumber: Int) {
        beginRow(columns: 5)
        append(bigint: Int(record.digest))
        append(bigint: runNumber)
        append(user)
        append(jsonb: record.transactions)
        append(bytes: record.json)
    }

    mutating func append(_ row: NotReported, _ user: UserID?, of run: RunID) {
        beginRow(columns: 6)
        append(run.text)
        append(user)
        append(row.entitlement)
        append(row.bucket.rawValue)
        append(row.kind?.rawValue)
        append(row.cause.rawValue)
    }

    mutating func append(unjudgedFinding id: String, of run: RunID) {
        beginRow(columns: 2)
        append(run.text)
        append(id)
    }

    mutating func append(_ event: Finding, of run: RunID) {
        beginRow(columns: 6)
        append(run.text)
        append(event.identity.id)
        append(timestamp: event.eventAt?.milliseconds)
        append(event.kind.rawValue)
        append(event.user)
        append(event.reference)
    }
}

extension KeptAnswer.Conclusion {
    fileprivate var outcome: String {
        switch self {
        case .verified: "verified"
        case .rejected: "rejected"
        case .unverified: "unverified"
        }
    }

    fileprivate var cause: String? {
        switch self {
        case .verified: nil
        case .rejected(let cause): cause.rawValue
        case .unverified(let cause): cause.rawValue
        }
    }
}
