internal import SQL

struct TakenTokens: Equatable, Sendable {
    /// From the server's clock plus the lead to the first token's due time; negative when it is
    /// due.
    let firstDue: Duration
    let apart: Duration
    /// The server's clock, since 1970.
    let takenAt: Duration
    /// Zero while the service has priority; then `firstDue` says when to ask again.
    let count: Int
}

/// The rate limits that all workers share: one token bucket per Apple server.
package struct RateStore: Sendable {
    let session: DatabaseSession

    /// Sets the rate that all workers share, in requests a second, and the burst.
    /// - Parameter isPartial: a partial run does not change the rate of a nightly run in progress.
    package func set(
        _ rate: Double, burst: Int, for server: AppleServer, isPartial: Bool = false
    ) async throws(DatabaseError) {
        let parameters = [
            server.rawValue, String(rate), String(burst), isPartial ? "true" : "false",
        ]
        try await session.execute(SQL.setRate, parameters)
    }

    /// Takes `count` tokens in advance, due from `lead` after the server's clock.
    /// - Parameters:
    ///   - share: the part of the rate that the worker uses, 0.1 to 1. A token then costs the
    ///     bucket 1 / (rate · share), for all workers.
    ///   - isFirst: whether the caller has priority. Others get no token before these fall due,
    ///     except one time in ten.
    func take(
        _ count: Int, for server: AppleServer, lead: Duration = .zero, share: Double = 1,
        isFirst: Bool = false
    ) async throws(DatabaseError) -> TakenTokens {
        let parameters = [
            server.rawValue, String(count), String(lead / .seconds(1)), String(share),
            isFirst ? "t" : "f",
        ]
        let taken = try await session.query(SQL.takeTokens, parameters) { row in
            (
                first: try row.text("first_due"), apart: try row.text("apart"),
                at: try row.int64("taken_at"), count: try row.int("tokens")
            )
        }
        guard let row = taken.first, let first = Double(row.first), let apart = Double(row.apart)
        else {
            throw DatabaseError(.notMigrated, statement: SQL.takeTokens.name)
        }
        return TakenTokens(
            firstDue: .seconds(first), apart: .seconds(apart), takenAt: .microseconds(row.at),
            count: row.count)
    }
}
