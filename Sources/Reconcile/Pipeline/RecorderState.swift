struct HeldBatch {
    let batch: Batch
    var records: [UserRecord] = []
    var expected = 0
    var isRead = false
    var isBegun = false
    /// Whether some of its users are left until all other batches are done.
    var isDeferred = false

    init(_ batch: Batch) { self.batch = batch }

    /// Whether committing `records` completes the batch, or this attempt at it.
    var isDone: Bool { isRead && records.count >= expected }
}

struct RecorderState {
    var chain: CommitChain
    var batches: [Int: HeldBatch] = [:]
    var users = 0
    var permits = 0
    var bytes = 0
    var oldest: ContinuousClock.Instant?
    var isRequested = false
    var mustRenew = false

    init(_ chain: CommitChain) { self.chain = chain }

    func holds(_ batch: Batch) -> Bool { batches[batch.number]?.batch.lease == batch.lease }

    mutating func remove(_ batch: Batch) {
        guard holds(batch) else { return }
        // Records added after the lease was lost are dropped: another worker judges these users.
        users -= batches[batch.number]?.records.count ?? 0
        batches[batch.number] = nil
    }

    /// Drops every batch with its users; returns the begun batches, and the permits of the users.
    mutating func dropAll() -> (begun: [Int], permits: Int) {
        defer {
            batches = [:]
            users = 0
            permits = 0
            bytes = 0
            oldest = nil
        }
        return (batches.filter(\.value.isBegun).map(\.key), permits)
    }

    mutating func take(all: Bool) -> (parts: [BatchFlush], permits: Int) {
        var parts: [BatchFlush] = []
        for (number, held) in batches where all || !held.records.isEmpty || held.isDone {
            parts.append(
                BatchFlush(
                    batch: held.batch, records: held.records, isDone: held.isDone,
                    isDeferred: held.isDeferred))
            batches[number]?.expected -= held.records.count
            batches[number]?.records = []
        }
        defer {
            users = 0
            permits = 0
            bytes = 0
            oldest = nil
        }
        return (parts, permits)
    }
}
