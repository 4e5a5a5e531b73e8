internal import SQL

/// Users with refused receipts, their groups, and the controls of the second look.
struct SecondLookStore: Sendable {
    static let usersPerGroup = 100

    let session: DatabaseSession

    /// Cuts the users put off to the second look into groups, once all others are recorded. Safe to
    /// call by every worker and repeatedly.
    /// - Returns: nil when there are no such users, or the groups already exist.
    func cut(of run: RunID)
        async throws(DatabaseError) -> (groups: Int, users: Int)?
    {
        let cut = try await session.query(
            SQL.cutSecondLook, [run.text, String(Self.usersPerGroup)]
        ) { row in
            (groups: try row.int("groups"), users: try row.int("users"))
        }
        return cut.first.flatMap { $0.groups > 0 ? $0 : nil }
    }

    func refusedUsers(of batch: Batch, in run: RunID)
        async throws(DatabaseError) -> [RefusedUser]
    {
        let rows = try await session.query(SQL.groupUsers, [run.text, String(batch.number)]) {
            row in
            RefusedUser(
                user: try row.id("user_id"),
                refusals: [
                    RefusedReceipt(
                        receipt: try row.id("receipt_id"), server: try row.word("refused_by"))
                ])
        }
        // The rows have one refused receipt each, sorted by user.
        return rows.reduce(into: []) { users, row in
            if let last = users.indices.last, users[last].user == row.user {
                users[last].refusals.formUnion(row.refusals)
            } else {
                users.append(row)
            }
        }
    }

    /// At most `count` receipts that `run` verified by an answer of `server`, drawn from `point`
    /// on.
    /// - Parameters:
    ///   - point: pseudorandom.
    ///   - other: where `run` is an earlier one, the run whose put-off users are left out.
    func controls(
        of run: RunID, verifiedBy server: AppleServer, from point: Int64, count: Int,
        excludingPutOffIn other: RunID? = nil
    ) async throws(DatabaseError) -> [StoredReceipt] {
        let parameters = [run.text, server.rawValue, String(point), String(count), other?.text]
        return try await session.read(SQL.drawControls, parameters) { row in
            try ReceiptRow(row)
        }.compactMap { if case .valid(let receipt) = $0 { receipt } else { nil } }
    }

    /// Of each server one receipt that it verified in `run`, if there is one.
    func samples(of run: RunID) async throws(DatabaseError) -> [AppleServer: [StoredReceipt]] {
        var samples: [AppleServer: [StoredReceipt]] = [:]
        for server in AppleServer.allCases {
            samples[server] = try await controls(
                of: run, verifiedBy: server, from: .min, count: 1)
        }
        return samples
    }

    /// Releases a group, to be leased again after `wait`.
    func postpone(_ batch: Batch, of run: RunID, for wait: Duration)
        async throws(DatabaseError)
    {
        let seconds = String(Double(wait.inMilliseconds) / 1_000)
        let parameters = [run.text, String(batch.number), String(batch.lease), seconds]
        try await session.execute(SQL.postponeBatch, parameters)
    }
}
