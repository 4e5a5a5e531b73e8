/// Reads the users of leased batches into a queue, from which they are judged.
struct FirstPass: Sendable {
    let run: Run
    let database: Database
    let recorder: Recorder
    let meter: RunMeter
    let invalidRows: InvalidRowLog
    let users: BoundedQueue<UserWork>
    let observe: @Sendable (RunEvent) -> Void
    private let memory = Semaphore(permits: MemoryShare.all)

    func read(_ batch: Batch) async throws {
        if batch.isWithoutUser {
            try await recordRows(of: batch)
        } else {
            try await readUsers(of: batch)
        }
    }

    private func recordRows(of batch: Batch) async throws {
        switch try await database.rowsWithoutUser.record(batch, of: run) {
        case .recorded(let rows):
            meter.recorded(rows)
            if !rows.isEmpty { observe(.rowsWithoutUser(rows)) }
        case .viewsLocked: try await database.leases.putBack(batch, of: run.id)
        case .leaseLost: break
        }
    }

    /// Reads the users of a batch that are not recorded, in portions.
    private func readUsers(of batch: Batch) async throws {
        let isSetAside = batch.attempts >= RunWorker.mostAttempts
        if isSetAside { observe(.setAside(batch)) }
        // Only an earlier lease can have recorded users of this batch.
        let recorded =
            batch.isFirstLease
            ? [] : try await database.batches.recordedUsers(of: batch, in: run.id)
        var last: UserID?
        var isFirst = true
        var isRead = false
        // What the recorded users had is not known, so it counts as complete.
        var found =
            recorded.isEmpty
            ? .zero
            : ViewCounts(
                users: recorded.count, receipts: batch.planned.receipts,
                entitlements: batch.planned.entitlements)
        while !isRead {
            guard
                var portion = try await database.batches.portion(
                    of: batch, after: last, excluding: recorded, in: run)
            else {
                // Users of an earlier portion are being requested: the batch is kept for them.
                if last != nil { continue }
                guard try await recorder.release(batch) else { return }
                return try await database.leases.putBack(batch, of: run.id)
            }
            found += portion.counts
            recorder.expect(portion.users.count, of: batch, isLast: portion.isLast)
            let share = try await MemoryShare.taken(for: portion, of: memory)
            // The last first, so that the receipt data of a judged user is released at once.
            var waiting = Array(portion.users.reversed())
            portion.users = []
            while let user = waiting.popLast() {
                invalidRows.report(rowsOf: user)
                try await users.send(
                    UserWork(
                        user: user, batch: batch,
                        isFirstOfBatch: isFirst, isSetAside: isSetAside, share: share))
                isFirst = false
            }
            last = portion.lastUser
            isRead = portion.isLast
        }
        if batch.missing(among: found) > Self.mostMissing {
            observe(.short(batch, found: found))
        }
    }

    /// Users or rows of a batch that may leave it during a run without a warning.
    private static let mostMissing = 10
}
