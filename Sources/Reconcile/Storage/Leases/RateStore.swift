internal import SQL

/// Tokens taken from a bucket in advance.
package struct TakenTokens: Equatable, Sendable {
    /// From the server's clock, and the lead, to when the first falls due; below zero for one that
    /// is due.
    package let firstDue: Duration
    package let apart: Duration
    /// The server's clock, since 1970.
    package let takenAt: Duration
    /// Zero where others go first; then `firstDue` says when to ask again.
    package let count: Int
}

/// The rate limits that all workers share, a token bucket for each of Apple's servers.
package struct RateStore: Sendable {
    let session: DatabaseSession

    /// The rate that all workers share: `rate` requests a second, `burst` of them at once.
    /// - Parameter isPartial: of a run over some users, which leaves a nightly run in progress its
    ///   rate.
    package func set(
        _ rate: Double, burst: Int, for environment: StoreEnvironment, isPartial: Bool = false
    ) async throws(DatabaseError) {
        let parameters = [
            environment.rawValue, String(rate), String(burst), isPartial ? "true" : "false",
        ]
        try await session.execute(SQL.setRate, parameters)
    }

    /// Takes `count` tokens in advance, reckoned from `lead` after the server's clock.
    ///
    /// - Parameters:
    ///   - share: the part of the rate that the worker uses now, 0.1 to 1. Each token costs the
    ///     bucket, and so all workers, the interval of that part.
    ///   - isFirst: others get no token before those that are taken now fall due, but for one time
    ///     in ten.
    package func take(
        _ count: Int, for environment: StoreEnvironment, lead: Duration = .zero, share: Double = 1,
        isFirst: Bool = false
    ) async throws(DatabaseError) -> TakenTokens {
        let parameters = [
            environment.rawValue, String(count), String(lead / .seconds(1)), String(share),
            isFirst ? "t" : "f",
        ]
        let taken = try await session.query(SQL.takeTokens, parameters) {
            row throws(PostgresError) in
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
