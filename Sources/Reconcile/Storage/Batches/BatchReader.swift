internal import SQL

/// Reads the stored rows and the history of a batch's users, each user in one snapshot so that the
/// rows agree.
///
/// Memory is bounded in bytes. A range with more receipt data is read in portions. A user with too
/// much data comes without it.
struct BatchReader: Sendable {
    /// Receipt data in a portion, in bytes; the user who reaches it is the last.
    static let portionBytes = 8 << 20
    /// The most receipt data of one user, in bytes. The largest receipt seen is 0.5 MB.
    static let mostBytesOfUser = 64 << 20

    let session: DatabaseSession

    /// Reads the next users of a batch of the first pass, without the `recorded` ones.
    /// - Parameter last: the last user of the previous portion; nil for the first portion.
    /// - Returns: nil when another session has locked the views for longer than `lockWait`.
    func portion(
        of batch: Batch, after last: UserID?, excluding recorded: [UserID], in run: Run
    ) async throws(DatabaseError) -> BatchPortion? {
        guard let range = batch.users else {
            return BatchPortion(batch: batch, users: [], isLast: true)
        }
        // Of recorded users only the number is known.
        var mayReadAgain = last == nil && recorded.isEmpty
        let leftOut = PostgresArray.text(recorded.map(\.text))
        var end = range.last
        var isLast = true
        while true {
            let scope = SnapshotScope(
                entitlements: SQL.batchEntitlements, receipts: SQL.batchReceipts,
                parameters: [range.first.text, end.text, last?.text, leftOut],
                mostBytes: isLast ? Self.portionBytes : .max)
            guard let snapshot = try await snapshot(scope, run.past) else { return nil }
            switch snapshot {
            case .whole(let users):
                var portion = BatchPortion(batch: batch, users: users, isLast: isLast)
                if mayReadAgain, isLast, batch.missing(among: portion.counts) > 0 {
                    // A table that a function or another server reads is not locked: it may have
                    // been empty for a moment.
                    mayReadAgain = false
                    continue
                }
                portion.lastUser = isLast ? nil : end
                return portion
            case .cut(let complete):
                // Reads again up to the last complete user: a portion must be from one snapshot.
                end = complete.last ?? range.last
                isLast = false
            }
        }
    }

    /// Reads users in a group of the second look; a user without stored rows is included.
    /// - Returns: the users who fit in one portion, and the rest; nil as `portion` does.
    func group(
        _ users: [RefusedUser], of batch: Batch, in run: Run
    ) async throws(DatabaseError) -> (portion: BatchPortion, rest: [RefusedUser])? {
        var wanted = users
        var mostBytes = Self.portionBytes
        while true {
            let names = PostgresArray.text(wanted.map(\.user.text))
            let scope = SnapshotScope(
                entitlements: SQL.groupEntitlements, receipts: SQL.groupReceipts,
                parameters: [names], mostBytes: mostBytes)
            guard let snapshot = try await snapshot(scope, run.past) else { return nil }
            switch snapshot {
            case .whole(let stored):
                let byUser = Dictionary(
                    stored.map { ($0.user, $0) }, uniquingKeysWith: { first, _ in first })
                let found = wanted.map { refused in
                    var user = byUser[refused.user] ?? StoredUser(user: refused.user)
                    user.firstPass = refused
                    return user
                }
                let included = Set(wanted.map(\.user))
                let rest = users.filter { !included.contains($0.user) }
                return (BatchPortion(batch: batch, users: found, isLast: rest.isEmpty), rest)
            case .cut(let complete):
                let fits = Set(complete)
                wanted = wanted.filter { fits.contains($0.user) }
                mostBytes = .max
            }
        }
    }

    /// Reads one user, outside of any run.
    /// - Throws: `viewsLocked` when another session has locked the views for too long.
    func user(_ user: UserID) async throws(DatabaseError) -> StoredUser {
        let scope = SnapshotScope(
            entitlements: SQL.groupEntitlements, receipts: SQL.groupReceipts,
            parameters: [PostgresArray.text([user.text])], mostBytes: .max)
        guard case .whole(let found)? = try await snapshot(scope, .all) else {
            throw DatabaseError(
                .viewsLocked("The views cannot be read: another session locks a table below them"),
                statement: SQL.lockViews.name)
        }
        return found.first { $0.user == user } ?? StoredUser(user: user)
    }

    private func snapshot(
        _ scope: SnapshotScope, _ past: PastRuns
    ) async throws(DatabaseError) -> Snapshot? {
        let ledger = LedgerReader(past: past)
        let readsKeys = !session.missingViews.contains("stored_download_keys")
        return try await session.readViews { connection in
            try SnapshotReader(scope: scope, ledger: ledger, readsKeys: readsKeys)
                .read(on: connection)
        }
    }

    /// The users of `batch` who are recorded or put off to the second look.
    func recordedUsers(of batch: Batch, in run: RunID)
        async throws(DatabaseError) -> [UserID]
    {
        try await session.query(SQL.recordedUsers, [run.text, String(batch.number)]) {
            row in UserID(try row.text("user_id"))
        }
    }
}
