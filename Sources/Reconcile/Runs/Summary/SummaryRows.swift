/// The rows of the outline, in the order of `summary.json`.
extension SummaryOutline {
    package init(_ summary: Summary, codeVersion: String = "") {
        let kinds = Self.kinds(of: summary)
        self.kinds = kinds
        rows =
            Self.run(summary, codeVersion) + [
                Row("controls", .rows(Self.controls(summary))),
                Row("findings", .rows(Self.findings(summary.findings, kinds))),
                Row(
                    "cleared", "Cleared since the last run", .count(summary.facts.cleared),
                    metric: Metric(
                        name: "findings_cleared",
                        help: "Findings of earlier runs that the last run cleared.")),
                Row("cleared_by_kind", .counts(kinds.map { ($0.kind.rawValue, $0.cleared) })),
            ] + Self.money(summary) + [
                Row(
                    "unverified_by_cause",
                    .counts(summary.unverifiedByCause.sorted { $0.key < $1.key })),
                Row("accepted", .list(summary.acceptances.map(\.rows))),
                Row("change", Self.change(summary)),
                Row(
                    "month_to_date",
                    summary.facts.monthToDate.map { .rows($0.rows) } ?? .none),
                Row("event_days", .list(summary.facts.eventDays.map(\.rows))),
                Row("earlier_nights", .list(summary.facts.earlierRuns.map(\.rows))),
                Row("oldest_verified_at", .instant(summary.oldestVerifiedAt)),
                Row(
                    "source_agreement",
                    Self.agreement(summary.sourcesAgree, summary.sourcesDiffer)),
                Row(
                    "status_agreement",
                    Self.agreement(summary.statusesAgree, summary.statusesDiffer)),
                Row("requests", "Requests to Apple", .rows(Self.requests(summary.requests))),
            ] + Self.sweep(summary) + Self.units(summary)
    }

    private static func sweep(_ summary: Summary) -> [Row] {
        let apps = summary.facts.sweptApps
        guard !apps.isEmpty else { return [] }
        return [Row("refund_sweep", .rows(apps.rows(to: summary.run.asOf)))]
    }

    private static func units(_ summary: Summary) -> [Row] {
        guard let window = summary.run.units, let units = summary.facts.units else { return [] }
        return [
            Row(
                "units",
                .rows([
                    Row("from", .text(window.first.dayText)), Row("to", .text(window.last.dayText)),
                    Row("sold", "Sold", .count(units.sold)),
                    Row("trials", "of them free trials", .count(units.trials)),
                    Row("refunded", "Refunded", .count(units.refunded)),
                    Row("upgraded", "Upgraded", .count(units.upgraded)),
                ]))
        ]
    }

    private static func agreement(_ agree: Int, _ differ: Int) -> Value {
        .rows([Row("agree", .count(agree)), Row("differ", .count(differ))])
    }

    private static func run(_ summary: Summary, _ codeVersion: String) -> [Row] {
        let run = summary.run
        let facts = summary.facts
        let implausible = summary.implausible.map { held in
            [
                Row("guard", .text(held.by)), Row("flag", .text(held.flag)),
                Row("reason", .text(held.reason)),
            ]
        }
        let kinds = run.kindsNotLookedFor.map(\.rawValue)
        return [
            Row("run_id", "Run", .text(run.id.text)),
            Row(
                "as_of", "Judged as of (UTC)", .instant(run.asOf),
                metric: Metric(
                    name: "run_as_of_timestamp_seconds",
                    help: "The instant as of which the last run judged.")),
            Row("scope", "Scope", .text(run.scopeMark ?? run.scope.name)),
            Row("status", "Status", .text(summary.status.rawValue)),
        ] + (run.isOffline ? [Row("offline", .truth(true))] : [])
            + (implausible.isEmpty ? [] : [Row("implausible", .list(implausible))]) + [
                Row(
                    "rules_version", "Rules version", .count(summary.rulesVersion)),
                Row("code_version", "Program version", .text(codeVersion)),
                Row("started_at", .instant(facts.startedAt)),
                Row("ended_at", .instant(facts.endedAt)),
                Row(
                    "previous_run", "Night before, judged as of (UTC)",
                    .text(facts.previousRun?.text)),
                Row(
                    "users", "Users", .count(facts.users),
                    metric: Metric(name: "users", help: "Users that the last run judged.")),
            ] + (kinds.isEmpty ? [] : [Row("not_looked_for", .texts(kinds))])
            + (facts.retirement.map { [Row("retirement", .rows($0.rows))] } ?? [])
    }

    private static func controls(_ summary: Summary) -> [Row] {
        let receipts = ReceiptBucket.allCases.map {
            Row($0.name, .count(summary.receipts[$0]))
        }
        let entitlements = EntitlementBucket.allCases.map {
            Row($0.name, $0.label, .count(summary.entitlements[$0]))
        }
        return [
            Row(
                "receipts", "Receipts", .sum(summary.receipts.inScope, receipts),
                metric: Metric(
                    name: "receipts", help: "Receipts of the last run, each in one bucket.",
                    label: "outcome")),
            Row(
                "entitlements", "Entitlements", .sum(summary.entitlements.inScope, entitlements),
                metric: Metric(
                    name: "entitlements",
                    help: "Stored entitlements of the last run, each in one bucket.",
                    label: "bucket")),
        ]
            + (summary.coverage.map { coverage in
                [
                    Row("planned", "when it was cut", .rows(coverage.planned.rows)),
                    Row(
                        "at_close", "when it was closed", .rows(coverage.atClose.rows)),
                ]
            } ?? [])
    }

    private static func requests(_ requests: RequestTally) -> [Row] {
        let byServer = Metric(
            name: "requests", help: "Requests to Apple of the last run.", label: "server")
        let servers = requests.perServer.map { server in
            Row(server.name, .count(server.requests), metric: byServer)
        }
        let answers = [
            Row(
                "retries", .count(requests.retries),
                metric: Metric(
                    name: "requests_repeated",
                    help: "Requests to Apple of the last run that were retries.")),
            Row("by_status", counts(requests.byStatus)),
            Row("by_http_status", counts(requests.byHTTPStatus)),
        ]
        return [Row("sent", .count(requests.sent))] + servers + answers
    }

    private static func counts(_ counts: [Int: Int]) -> Value {
        .counts(counts.sorted { $0.key < $1.key }.map { ("\($0)", $1) })
    }

    private static func change(_ summary: Summary) -> Value {
        guard let last = summary.facts.earlierRuns.first else { return .none }
        return .rows([
            Row("since", .text(last.run.text)),
            Row(
                "findings",
                .count(
                    summary.findings.total - summary.findings.events
                        - (last.findings - last.events))),
            Row("money", .rows(change(of: summary.money, since: last.money))),
        ])
    }
}

extension SummaryOutline {
    /// Of what stands. Refunds are told once, so those of two nights are not compared.
    private static func change(of money: MoneyTally, since last: MoneyTally) -> [Row] {
        let change = money.subtracting(last)
        return [MoneyTally.Bucket.leak, .owed].map { bucket in
            let amounts = change.amounts(bucket).map { Row($0.currency.code, .amount($0)) }
            return Row(bucket.rawValue, .rows(amounts))
        }
    }
}

extension SummaryOutline.Value {
    /// Leaves out zeros.
    static func counts(_ counts: [(String, Int)]) -> Self {
        .rows(counts.filter { $0.1 != 0 }.map { .init($0.0, .count($0.1)) })
    }
}
