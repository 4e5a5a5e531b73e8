internal import SQL

struct MoneyReader: Sendable {
    let session: DatabaseSession

    private struct Sum: Sendable {
        let bucket: MoneyTally.Bucket
        /// Nil for the total.
        let dimension: MoneyBreakdown.Dimension?
        let name: String
        let currency: String
        let amount: String
        let findings: Int
    }

    /// - Throws: `DatabaseError`; `MoneyTally.Unsummable` for amounts that no run writes.
    func money(of run: RunID) async throws -> (MoneyTally, MoneyBreakdown) {
        let sums = try await session.query(SQL.countMoney, [run.text]) { row in
            Sum(
                bucket: try row.word("bucket"),
                dimension: MoneyBreakdown.Dimension(rawValue: try row.text("by_what")),
                name: try row.text("name"), currency: try row.text("currency"),
                amount: try row.text("amount"), findings: try row.int("findings"))
        }
        var tally = MoneyTally()
        var breakdown = MoneyBreakdown()
        for sum in sums {
            guard let currency = Currency(sum.currency),
                let money = Money(sum.amount, in: currency)
            else { throw MoneyTally.Unsummable(what: "\(sum.amount) \(sum.currency)") }
            if let dimension = sum.dimension {
                try breakdown.add(money, to: sum.bucket, of: sum.name, by: dimension)
            } else {
                try tally.add(money, to: sum.bucket)
                breakdown.count(sum.findings, in: currency, of: sum.bucket)
            }
        }
        try await addMissing(to: &breakdown, of: run)
        return (tally, breakdown)
    }

    func ageing(of run: RunID) async throws -> Ageing {
        let sums = try await session.query(SQL.countAges, [run.text]) { row in
            (
                direction: try row.word("direction") as Direction,
                dimension: try row.word("by_what") as MoneyBreakdown.Dimension,
                name: try row.text("name"), age: try row.optionalWord("age") as Age?,
                currency: try row.optionalText("currency"), amount: try row.optionalText("amount"),
                findings: try row.int("findings")
            )
        }
        var ageing = Ageing()
        for sum in sums {
            let money = sum.currency.flatMap(Currency.init).flatMap { currency in
                sum.amount.flatMap { Money($0, in: currency) }
            }
            guard (money == nil) == (sum.amount == nil) else {
                throw MoneyTally.Unsummable(what: "\(sum.amount ?? "") \(sum.currency ?? "")")
            }
            try ageing.add(
                sum.findings, money, aged: sum.age, sum.direction, by: sum.dimension, sum.name)
        }
        return ageing
    }

    private func addMissing(
        to breakdown: inout MoneyBreakdown, of run: RunID
    ) async throws(DatabaseError) {
        let missing = try await session.query(SQL.countNoAmounts, [run.text]) { row in
            (
                bucket: try row.word("bucket") as MoneyTally.Bucket,
                why: try row.word("no_amount") as Estimate.NoAmount,
                count: try row.int("findings")
            )
        }
        for missing in missing {
            breakdown.count(missing.count, without: missing.why, in: missing.bucket)
        }
    }
}
