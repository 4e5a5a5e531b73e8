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

extension [BatchFlush] {
    var judged: [(batch: Batch, user: Reference<JudgedUser>)] {
        flatMap { part in
            part.records.compactMap { record in
                if case .judged(let user) = record { (part.batch, user) } else { nil }
            }
        }
    }

    var putOff: [(batch: Batch, user: PutOffUser)] {
        flatMap { part in
            part.records.compactMap { record in
                if case .putOff(let user) = record { (part.batch, user) } else { nil }
            }
        }
    }

    var receipts: [ReceiptID] {
        judged.flatMap { $0.user.value.outcomes.compactMap(\.receipt) }
    }

    /// Leaves out what comes a second time; returns its ids.
    mutating func leaveOutRepeated() -> [ReceiptID] {
        let receipts = receipts
        var seen: Set<ReceiptID> = []
        guard Set(receipts).count < receipts.count else { return [] }
        return leaveOut { !seen.insert($0).inserted }
    }

    mutating func leaveOut(where isKnown: (ReceiptID) -> Bool) -> [ReceiptID] {
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
