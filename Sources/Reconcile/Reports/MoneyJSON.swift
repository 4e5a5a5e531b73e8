/// The money of a run as JSON: sums by bucket and currency, and what they come from.
extension MoneyTally {
    var json: PrintedJSON {
        .object(
            Bucket.allCases.map { bucket in
                (
                    bucket.rawValue,
                    .object(amounts(bucket).map { ($0.currency.code, .string($0.text)) })
                )
            })
    }
}

extension MoneyBreakdown {
    var json: PrintedJSON {
        .object(
            Dimension.allCases.map { dimension in
                let sums = (sums[dimension] ?? [:]).sorted { $0.key.bytesPrecede($1.key) }
                return (dimension.rawValue, .object(sums.map { ($0.key, $0.value.json) }))
            })
    }

    var countsJSON: PrintedJSON {
        .object(
            MoneyTally.Bucket.allCases.map { bucket in
                let counts = (counts[bucket] ?? [:]).sorted { $0.key < $1.key }
                return (bucket.rawValue, .counts(counts.map { ($0.key.code, $0.value) }))
            })
    }

    var noAmountJSON: PrintedJSON {
        .object(
            MoneyTally.Bucket.allCases.map { bucket in
                let counts = noAmounts[bucket] ?? [:]
                let total = counts.values.reduce(0, +)
                let byWhy = Estimate.NoAmount.allCases.map { ($0.rawValue, counts[$0] ?? 0) }
                return (
                    bucket.rawValue,
                    .object([("findings", .integer(total)), ("by_reason", .counts(byWhy))])
                )
            })
    }
}
