/// The rows about how old findings are, and how many of them carry an amount.
extension Ageing {
    var rows: [SummaryOutline.Row] {
        Self.directions.map { direction in
            .init(
                direction.rawValue,
                .rows(
                    Self.dimensions.map { dimension in
                        let names = (parts[direction]?[dimension] ?? [:]).keys
                        let sorted = names.sorted { $0.bytesPrecede($1) }
                        return .init(
                            dimension.rawValue,
                            .rows(sorted.map { .init($0, rows(direction, dimension, $0)) }))
                    }))
        }
    }

    private func rows(
        _ direction: Direction, _ dimension: MoneyBreakdown.Dimension, _ name: String
    ) -> SummaryOutline.Value {
        .rows(
            Self.ages.compactMap { age in
                let part = part(direction, by: dimension, name, age)
                guard part.findings > 0 else { return nil }
                let money = part.money.sorted { $0.key < $1.key }
                return .init(
                    Self.key(of: age),
                    .rows([
                        .init("findings", .count(part.findings)),
                        .init("money", .rows(money.map { .init($0.key.code, .amount($0.value)) })),
                    ]))
            })
    }
}

extension Summary {
    /// How many findings a sum of money is of: those with an amount, of all that there are.
    struct AmountCount: Hashable, Sendable {
        /// Of `refunded` the refunds; else the findings of that direction.
        let findings: Int
        let withAmount: Int
        /// Findings of a kind that never carries one.
        let neverPriced: Int
    }

    func amountCount(_ bucket: MoneyTally.Bucket) -> AmountCount {
        let all =
            switch bucket {
            case .leak: findings.byDirection[.leak] ?? 0
            case .owed: findings.byDirection[.owed] ?? 0
            case .refunded: findings.refunds
            }
        let priced = (breakdown.counts[bucket] ?? [:]).values.reduce(0, +)
        let unpriced = (breakdown.noAmounts[bucket] ?? [:]).values.reduce(0, +)
        return AmountCount(
            findings: all, withAmount: priced, neverPriced: max(0, all - priced - unpriced))
    }

    var amountCounts: [SummaryOutline.Row] {
        MoneyTally.Bucket.allCases.map { bucket in
            let count = amountCount(bucket)
            return .init(
                bucket.rawValue,
                .rows([
                    .init("findings", .count(count.findings)),
                    .init("with_amount", .count(count.withAmount)),
                    .init("of_a_kind_without", .count(count.neverPriced)),
                ]))
        }
    }
}
