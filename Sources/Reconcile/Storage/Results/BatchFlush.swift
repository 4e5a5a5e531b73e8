struct BatchFlush: Sendable {
    let batch: Batch
    var records: [UserRecord] = []
    /// Whether this worker needs the batch no more.
    var isDone = false
    /// Whether some of its users are deferred: then it is not done, and is leased again at the end.
    var isDeferred = false
}

struct FlushResult: Equatable, Sendable {
    /// The batches whose lease is still valid. For others nothing was written.
    var held: Set<Int>
    /// Receipts already recorded for another user, which count there.
    var leftOut: [ReceiptID] = []
}

extension [BatchFlush] {
    var judged: [(batch: Batch, user: Reference<JudgedUser>)] {
        flatMap { part in
            part.records.compactMap { $0.judged }.map { (part.batch, $0) }
        }
    }

    var refused: [(batch: Batch, user: RefusedUser)] {
        flatMap { part in
            part.records.compactMap { record in
                if case .refused(let user) = record { (part.batch, user) } else { nil }
            }
        }
    }

    var receipts: [ReceiptID] {
        judged.flatMap { $0.user.value.outcomes.compactMap(\.receipt) }
    }

    mutating func leaveOutRepeated() -> [ReceiptID] {
        let receipts = receipts
        var seen: Set<ReceiptID> = []
        guard Set(receipts).count < receipts.count else { return [] }
        return leaveOut { !seen.insert($0).inserted }
    }

    mutating func leaveOut(where isKnown: (ReceiptID) -> Bool) -> [ReceiptID] {
        var leftOut: [ReceiptID] = []
        for part in indices {
            for index in self[part].records.indices {
                guard case .judged(let judged) = self[part].records[index] else { continue }
                var user = judged.value
                user.outcomes.removeAll { outcome in
                    guard let receipt = outcome.receipt, isKnown(receipt) else { return false }
                    leftOut.append(receipt)
                    return true
                }
                user.receipts = Tally(user.outcomes)
                self[part].records[index] = .judged(Reference(user))
            }
        }
        return leftOut
    }
}

extension Tally<ReceiptBucket> {
    init(_ outcomes: [Outcome]) {
        self.init()
        for outcome in outcomes { add(to: outcome.validation.bucket) }
    }
}
