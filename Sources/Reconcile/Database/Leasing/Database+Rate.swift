internal import SQL

/// Tokens taken from a bucket in advance.
package struct TakenTokens: Equatable, Sendable {
    /// From the server's clock, and the lead, to when the first falls due; below zero for one that
    /// is due.
    package let firstDue: Duration
    package let apart: Duration
}

extension Database {
    /// The rate that all workers share: `rate` requests a second, `burst` of them at once.
    package func setRate(_ rate: Double, burst: Int, for environment: StoreEnvironment)
        async throws(DatabaseError)
    {
        let parameters = [environment.rawValue, String(rate), String(burst)]
        _ = try await query(SQL.setRate, parameters) { _ in }
    }

    /// Takes `count` tokens in advance, reckoned from `lead` after the server's clock.
    package func takeTokens(
        _ count: Int, for environment: StoreEnvironment, lead: Duration = .zero
    ) async throws(DatabaseError) -> TakenTokens {
        let parameters = [
            environment.rawValue, String(count), String(Double(lead.inMilliseconds) / 1_000),
        ]
        let taken = try await query(SQL.takeTokens, parameters) {
            row throws(PostgresError) in
            (first: try row.text(0), apart: try row.text(1))
        }
        guard let first = taken.first.flatMap({ Double($0.first) }),
            let apart = taken.first.flatMap({ Double($0.apart) })
        else {
            throw DatabaseError(.notMigrated, statement: SQL.takeTokens.name)
        }
        return TakenTokens(firstDue: .seconds(first), apart: .seconds(apart))
    }
}
