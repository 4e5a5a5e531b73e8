/// The rows about findings and their money.
extension SummaryOutline {
    static func kinds(of summary: Summary) -> [KindCounts] {
        let tally = summary.findings
        return FindingKind.allCases.compactMap { kind in
            let cleared = summary.facts.clearedByKind[kind] ?? 0
            guard let total = tally.byKind[kind] ?? (cleared > 0 ? 0 : nil) else { return nil }
            return KindCounts(
                kind: kind, total: total,
                lifecycles: Lifecycle.allCases.map {
                    Row($0.rawValue, .count(tally.lifecycleByKind[kind]?[$0] ?? 0))
                },
                severities: tally.severityByKind[kind] ?? [:], cleared: cleared)
        }
    }

    static func findings(_ tally: FindingTally, _ kinds: [KindCounts]) -> [Row] {
        let found = kinds.filter { $0.total > 0 }
        return [
            Row("total", "Findings", .count(tally.total)),
            Row("events", "Events, told once", .count(tally.events)),
            Row(
                "by_direction",
                .rows(
                    Direction.allCases.map { direction in
                        Row(direction.rawValue, .count(tally.byDirection[direction] ?? 0))
                    })),
            Row(
                "by_severity",
                .counts(Severity.allCases.map { ($0.rawValue, tally.bySeverity[$0] ?? 0) })),
            Row(
                "by_file",
                .rows(
                    FindingFile.allCases.map {
                        Row($0.rawValue, $0.rawValue + ".csv", .count(tally.byFile[$0] ?? 0))
                    })),
            Row(
                "by_kind", .counts(found.map { ($0.kind.rawValue, $0.total) })),
            Row("by_lifecycle", .rows(byLifecycle(tally))),
            Row(
                "lifecycle_by_kind",
                .rows(
                    found.map { kind in
                        Row(kind.kind.rawValue, .rows(kind.lifecycles.filter { $0.count != 0 }))
                    })),
            Row(
                "severity_by_kind",
                .rows(
                    found.map { kind in
                        Row(
                            kind.kind.rawValue,
                            .counts(
                                Severity.allCases.map {
                                    ($0.rawValue, kind.severities[$0] ?? 0)
                                }))
                    })),
        ]
    }

    private static func byLifecycle(_ tally: FindingTally) -> [Row] {
        Lifecycle.allCases.map { lifecycle in
            let isNew = lifecycle == .new
            return Row(
                lifecycle.rawValue, isNew ? "New since the last run" : lifecycle.rawValue,
                .count(tally.byLifecycle[lifecycle] ?? 0),
                metric: isNew
                    ? Metric(
                        name: "findings_new",
                        help: "Findings that the last run was the first to report.") : nil)
        }
    }

    static func money(_ summary: Summary) -> [Row] {
        let breakdown = summary.breakdown
        let buckets = MoneyTally.Bucket.allCases
        return [
            Row(
                "money", .money(summary.money),
                metric: Metric(
                    name: "money_estimate", help: "Estimated amounts of the last run.",
                    label: "currency")),
            Row(
                "money_counts",
                .rows(
                    buckets.map { bucket in
                        let counts = (breakdown.counts[bucket] ?? [:]).sorted { $0.key < $1.key }
                        return Row(
                            bucket.rawValue, .counts(counts.map { ($0.key.code, $0.value) }))
                    })),
            Row(
                "money_by",
                .rows(
                    MoneyBreakdown.Dimension.allCases.map { dimension in
                        let sums = breakdown.sums[dimension] ?? [:]
                        let sorted = sums.sorted { $0.key.bytesPrecede($1.key) }
                        return Row(
                            dimension.rawValue, .rows(sorted.map { Row($0.key, .money($0.value)) }))
                    })),
            Row(
                "money_without_amount",
                .rows(buckets.map { Row($0.rawValue, .without(breakdown.noAmounts[$0] ?? [:])) })),
            Row("amount_counts", .rows(summary.amountCounts)),
            Row("ageing", .rows(summary.ageing.rows)),
        ]
    }
}

extension SummaryOutline.Value {
    static func money(_ tally: MoneyTally) -> Self {
        .rows(
            MoneyTally.Bucket.allCases.map { bucket in
                .init(
                    bucket.rawValue, bucket.label,
                    .rows(tally.amounts(bucket).map { .init($0.currency.code, .amount($0)) }))
            })
    }

    fileprivate static func without(_ counts: [Estimate.NoAmount: Int]) -> Self {
        let byReason = Estimate.NoAmount.allCases.map { ($0.rawValue, counts[$0] ?? 0) }
        return .rows([
            .init("findings", .count(counts.values.reduce(0, +))),
            .init("by_reason", .counts(byReason)),
        ])
    }
}

extension MoneyTally.Bucket {
    fileprivate var label: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
