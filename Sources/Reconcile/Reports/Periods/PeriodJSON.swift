/// `summary.json` of a period.
package enum PeriodJSON {
    package static func bytes(_ summary: PeriodSummary) -> [UInt8] {
        let events = summary.events
        return PrintedJSON.object([
            ("period", period(summary)),
            ("runs", .array(summary.runs.map { .string($0.text) })),
            ("opening", summary.opening.map(standing) ?? .null),
            ("closing", standing(summary.closing)),
            (
                "refunds",
                .array(events.refunds.sorted { $0.key < $1.key }.map { refunds($0.key, $0.value) })
            ),
            ("family_revocations", .integer(events.familyRevocations)),
            ("expirations", counts(events.expirations)),
            ("without_amount", counts(events.withoutAmount)),
        ]).bytes
    }

    private static func period(_ summary: PeriodSummary) -> PrintedJSON {
        let days = summary.period.days
        return .object([
            ("from", .string(days.firstText)), ("to", .string(days.lastText)),
            ("month", PrintedJSON(days.month?.text)),
            ("fiscal", PrintedJSON(days.fiscalMonth?.text)),
            ("bundle_id", PrintedJSON(summary.period.app?.text)),
            ("starts_at", .string(days.instants.lowerBound.description)),
            ("ends_at", .string(days.instants.upperBound.description)),
            ("open", .boolean(summary.isOpen)),
        ])
    }

    private static func standing(_ standing: PeriodSummary.Standing) -> PrintedJSON {
        let buckets: [MoneyTally.Bucket] = [.leak, .owed]
        return .object([
            ("run_id", .string(standing.run.text)),
            ("as_of", .string(standing.asOf.description)),
            ("findings", .integer(standing.findings)),
            ("unjudged", .integer(standing.unjudged)),
            (
                "money",
                .object(
                    buckets.map { bucket in
                        (
                            bucket.rawValue,
                            .object(
                                standing.money.amounts(bucket).map {
                                    ($0.currency.code, .string($0.text))
                                })
                        )
                    })
            ),
        ])
    }

    private static func refunds(
        _ group: PeriodTally.Group, _ refunds: PeriodTally.Refunds
    ) -> PrintedJSON {
        func amount(_ minorUnits: Int128) -> PrintedJSON {
            PrintedJSON(group.currency.map { Money(minorUnits: minorUnits, in: $0).text })
        }
        return .object([
            ("bundle_id", PrintedJSON(group.app?.text)),
            ("product_id", PrintedJSON(group.product?.text)),
            ("currency", PrintedJSON(group.currency?.code)),
            ("count", .integer(refunds.count)),
            ("amount", amount(refunds.amount)),
            ("reversed_count", .integer(refunds.reversedCount)),
            ("reversed_amount", amount(refunds.reversedAmount)),
            ("net_count", .integer(refunds.count - refunds.reversedCount)),
            ("net_amount", amount(refunds.amount - refunds.reversedAmount)),
        ])
    }

    private static func counts(_ counts: [String: Int]) -> PrintedJSON {
        .object(
            counts.sorted { $0.key.bytesPrecede($1.key) }.map { ($0.key, .integer($0.value)) })
    }
}
