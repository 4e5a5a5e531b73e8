/// The numbers of a run as JSON, for `summary.json` and `--output json`.
package enum SummaryReport {
    /// Keys are in the order of the report contract, counts by kind in the order of the rules.
    package static func json(_ summary: Summary, codeVersion: String) -> [UInt8] {
        let head: [(String, PrintedJSON)] = [
            ("run_id", .string(summary.run.id.text)),
            ("as_of", .string(summary.run.asOf.description)),
            ("scope", .string(summary.run.scopeMark ?? summary.run.scope.name)),
            ("status", .string(summary.status.rawValue)),
        ]
        return PrintedJSON.object(
            head + summary.run.offlineMark + implausible(summary) + facts(summary, codeVersion)
                + numbers(summary)
        ).bytes
    }

    private static func implausible(_ summary: Summary) -> [(String, PrintedJSON)] {
        guard !summary.implausible.isEmpty else { return [] }
        return [("implausible", .array(summary.implausible.map(\.json)))]
    }

    private static func facts(
        _ summary: Summary, _ codeVersion: String
    ) -> [(String, PrintedJSON)] {
        let facts = summary.facts
        let kinds = summary.run.kindsNotLookedFor.map { PrintedJSON.string($0.rawValue) }
        return [
            ("rules_version", .integer(summary.rulesVersion)),
            ("code_version", .string(codeVersion)),
            ("started_at", PrintedJSON(facts.startedAt?.description)),
            ("ended_at", PrintedJSON(facts.endedAt?.description)),
            ("previous_run", PrintedJSON(facts.previousRun?.text)),
            ("users", .integer(facts.users)),
        ] + (kinds.isEmpty ? [] : [("not_looked_for", .array(kinds))])
            + (facts.retirement.map { [("retirement", $0.json)] } ?? [])
    }

    private static func numbers(_ summary: Summary) -> [(String, PrintedJSON)] {
        [
            (
                "controls",
                .object(
                    [
                        ("receipts", summary.receipts.json),
                        ("entitlements", summary.entitlements.json),
                    ] + (summary.coverage?.json ?? []))
            ),
            ("findings", summary.findings.json),
            ("cleared", .integer(summary.facts.cleared)),
            (
                "cleared_by_kind",
                .counts(
                    FindingKind.allCases.map {
                        ($0.rawValue, summary.facts.clearedByKind[$0] ?? 0)
                    })
            ),
            ("money", summary.money.json),
            ("money_counts", summary.breakdown.countsJSON),
            ("money_by", summary.breakdown.json),
            ("money_without_amount", summary.breakdown.noAmountJSON),
            (
                "unverified_by_cause",
                .counts(summary.unverifiedByCause.sorted { $0.key < $1.key })
            ),
            ("accepted", .array(summary.acceptances.map(\.json))),
            ("change", change(summary)),
            ("event_days", .array(summary.facts.eventDays.map(\.json))),
            ("earlier_nights", .array(summary.facts.earlierRuns.map(\.json))),
            ("oldest_verified_at", PrintedJSON(summary.oldestVerifiedAt?.description)),
            ("requests", summary.requests.json),
        ]
    }
}

extension SummaryReport {
    private static func change(_ summary: Summary) -> PrintedJSON {
        guard let last = summary.facts.earlierRuns.first else { return .null }
        return .object([
            ("since", .string(last.run.text)),
            ("findings", .integer(summary.findings.total - last.findings)),
            ("money", summary.money.subtracting(last.money).json),
        ])
    }
}

extension Summary.EventDay {
    fileprivate var json: PrintedJSON {
        .object([
            ("day", .string(day.dayText)), ("refunds", .integer(refunds)),
            ("expirations", .integer(expirations)),
        ])
    }
}

extension Summary.EarlierRun {
    fileprivate var json: PrintedJSON {
        .object([
            ("run_id", .string(run.text)), ("as_of", .string(asOf.description)),
            ("status", .string(status.rawValue)), ("findings", .integer(findings)),
            ("money", money.json),
        ])
    }
}

extension Run {
    var offlineMark: [(String, PrintedJSON)] { isOffline ? [("offline", .boolean(true))] : [] }

    /// Kinds of findings that need all users to be compared.
    var kindsNotLookedFor: [FindingKind] {
        scope.isEverything ? [] : FactRules.onlyOverEverything
    }
}

extension Tally<ReceiptBucket> {
    fileprivate var json: PrintedJSON {
        .object(
            [("in_scope", .integer(inScope))]
                + ReceiptBucket.allCases.map { ($0.name, .integer(self[$0])) })
    }
}

extension Tally<EntitlementBucket> {
    fileprivate var json: PrintedJSON {
        .object(
            [("in_scope", .integer(inScope))]
                + EntitlementBucket.allCases.map { ($0.name, .integer(self[$0])) })
    }
}

extension Coverage {
    fileprivate var json: [(String, PrintedJSON)] {
        [("planned", planned.json), ("at_close", atClose.json)]
    }
}

extension ViewCounts {
    var json: PrintedJSON {
        .object([
            ("users", .integer(users)), ("receipts", .integer(receipts)),
            ("entitlements", .integer(entitlements)),
        ])
    }
}

extension FindingTally {
    fileprivate var json: PrintedJSON {
        .object([
            ("total", .integer(total)),
            ("by_severity", .counts(Severity.allCases.map { ($0.rawValue, bySeverity[$0] ?? 0) })),
            (
                "by_file",
                .object(FindingFile.allCases.map { ($0.rawValue, .integer(byFile[$0] ?? 0)) })
            ),
            ("by_kind", .counts(FindingKind.allCases.map { ($0.rawValue, byKind[$0] ?? 0) })),
            (
                "by_lifecycle",
                .object(
                    Lifecycle.allCases.map { ($0.rawValue, .integer(byLifecycle[$0] ?? 0)) })
            ),
            ("lifecycle_by_kind", json(lifecycleByKind)),
            ("severity_by_kind", json(severityByKind)),
        ])
    }

    private func json<Part>(_ counts: [FindingKind: [Part: Int]]) -> PrintedJSON
    where Part: RawRepresentable<String> & CaseIterable {
        .object(
            FindingKind.allCases.compactMap { kind in
                counts[kind].map { counts in
                    (kind.rawValue, .counts(Part.allCases.map { ($0.rawValue, counts[$0] ?? 0) }))
                }
            })
    }
}

extension HeldReason {
    fileprivate var json: PrintedJSON {
        .object([
            ("guard", .string(by)), ("flag", PrintedJSON(flag)), ("reason", .string(reason)),
        ])
    }
}

extension RetirementNotice {
    fileprivate var json: PrintedJSON {
        .object([
            ("deprecation", PrintedJSON(deprecation)), ("sunset", PrintedJSON(sunset)),
            ("deprecated_at", PrintedJSON(deprecatedAt?.description)),
            ("ends_at", PrintedJSON(endsAt?.description)),
        ])
    }
}

extension AcceptedFinding {
    fileprivate var json: PrintedJSON {
        .object([
            ("finding_id", .string(id)), ("kind", PrintedJSON(kind?.rawValue)),
            ("user_id", PrintedJSON(user?.text)), ("by", .string(by)), ("why", .string(why)),
            ("until", PrintedJSON(until?.description)),
        ])
    }
}

extension RequestTally {
    fileprivate var json: PrintedJSON {
        .object([
            ("sent", .integer(sent)), ("production", .integer(production)),
            ("sandbox", .integer(sandbox)), ("retries", .integer(retries)),
            ("by_status", .counts(byStatus.sorted { $0.key < $1.key }.map { ("\($0)", $1) })),
            (
                "by_http_status",
                .counts(byHTTPStatus.sorted { $0.key < $1.key }.map { ("\($0)", $1) })
            ),
        ])
    }
}

extension PrintedJSON {
    /// Leaves out zeros.
    static func counts(_ counts: [(String, Int)]) -> PrintedJSON {
        .object(counts.filter { $0.1 != 0 }.map { ($0.0, .integer($0.1)) })
    }
}
