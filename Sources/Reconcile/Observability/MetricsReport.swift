/// A run's metrics in Prometheus's text format, for the textfile collector of node_exporter.
///
/// The number of families and labels is bounded: labels never contain kinds of findings, users or
/// runs.
package struct MetricsReport: Sendable {
    private var lines: [String] = []

    /// - Parameters:
    ///   - summary: nil when nothing was published.
    ///   - former: the previous content of the file; gives the last success if this run is none.
    package init(
        _ summary: Summary?, pace: RequestRate?, exitStatus: Int32, at now: Instant,
        former: String = ""
    ) {
        add("run_end_timestamp_seconds", "When the last run ended.", [([:], now.seconds)])
        add(
            "run_exit_status", "The exit status of the last run.",
            [([:], String(exitStatus))])
        let isSuccess = exitStatus == 0 || exitStatus == 1
        if let success = isSuccess ? now.seconds : Self.lastSuccess(in: former) {
            add(
                Self.successName, "When a run was last published and complete.",
                [([:], success)])
        }
        if let summary { add(summary, pace) }
    }

    package var text: String { lines.map { $0 + "\n" }.joined() }

    private static let successName = "last_success_timestamp_seconds"
    private static let prefix = "reconcile_"

    private static func lastSuccess(in former: String) -> String? {
        former.split(separator: "\n").lazy
            .filter { $0.hasPrefix(prefix + successName + " ") }
            .compactMap { $0.split(separator: " ").last.map(String.init) }
            .first { Double($0) != nil }
    }

    private mutating func add(_ summary: Summary, _ pace: RequestRate?) {
        let facts = summary.facts
        let outline = SummaryOutline(summary)
        add(outline.row(["as_of"]))
        if let began = facts.startedAt, let ended = facts.endedAt {
            let seconds = Double(ended.milliseconds - began.milliseconds) / 1_000
            add(
                "run_duration_seconds", "From the start of the run to its last user.",
                [([:], String(seconds))])
        }
        add(
            "run_status", "1 for the status of the last run.",
            Summary.Status.allCases.map { status in
                (["status": status.rawValue], status == summary.status ? "1" : "0")
            })
        add(outline.row(["users"]))
        for control in outline.rows("controls") { add(control) }
        addFindings(summary, outline)
        if let coverage = summary.coverage { add(coverage) }
        add(facts.retirement)
        addRequests(summary.requests, outline, pace)
    }

    /// The row's own family, or one with a sample for each of its parts.
    private mutating func add(_ row: SummaryOutline.Row?) {
        guard let row, let metric = row.metric else { return }
        var samples: [(labels: [String: String], value: String)] = []
        switch row.value {
        case .count(let count): samples = [([:], String(count))]
        case .instant(let instant?): samples = [([:], instant.seconds)]
        case .sum(_, let parts):
            samples = parts.map { ([metric.label ?? "name": $0.name], String($0.count)) }
        default: break
        }
        add(metric.name, metric.help, samples)
    }

    private mutating func add(_ coverage: Coverage) {
        add(
            "views",
            "Users, receipts and entitlements of the views when the last run was cut and closed.",
            coverage.counts.flatMap { count in
                [("planned", count.planned), ("at_close", count.atClose)].map { when, number in
                    (["count": count.name, "when": when], String(number))
                }
            })
    }

    private mutating func addFindings(_ summary: Summary, _ outline: SummaryOutline) {
        add(
            "findings", "Findings of the last run, without accepted ones.",
            Severity.allCases.map { severity in
                (["severity": severity.rawValue], String(summary.findings.open(severity)))
            })
        for row in outline.rows("findings", "by_lifecycle") { add(row) }
        add(outline.row(["cleared"]))
        guard let money = outline.row(["money"]), let metric = money.metric else { return }
        add(
            metric.name, metric.help,
            money.value.rows.flatMap { bucket in
                bucket.value.rows.map { amount in
                    (
                        ["bucket": bucket.name, metric.label ?? "name": amount.name],
                        amount.value.amount?.text ?? ""
                    )
                }
            })
    }

    private mutating func add(_ notice: RetirementNotice?) {
        add(
            "apple_retirement_announced",
            "1 when Apple's answers in the last run announced the end of what was asked.",
            [([:], notice == nil ? "0" : "1")])
        let dates = [
            ("deprecated", notice?.deprecatedAt), ("ends", notice?.endsAt),
        ].compactMap { name, date in date.map { (["date": name], $0.seconds) } }
        add(
            "apple_retirement_timestamp_seconds", "When what was asked is deprecated, and ends.",
            dates)
    }

    private mutating func addRequests(
        _ requests: RequestTally, _ outline: SummaryOutline, _ pace: RequestRate?
    ) {
        let rows = outline.rows("requests")
        let servers = rows.filter { $0.metric?.label == "server" }
        if let metric = servers.first?.metric {
            add(metric.name, metric.help, servers.map { (["server": $0.name], String($0.count)) })
        }
        for row in rows where row.metric?.label == nil { add(row) }
        let statuses = Dictionary(
            requests.byStatus.map { (Self.name(ofStatus: $0), $1) }, uniquingKeysWith: +)
        add(
            "requests_by_status", "Answers of the last run by Apple's status.",
            statuses.sorted { $0.key < $1.key }.map { (["status": $0], String($1)) })
        let classes = Dictionary(
            requests.byHTTPStatus.map { ("\($0 / 100)xx", $1) }, uniquingKeysWith: +)
        add(
            "requests_by_http_class", "Answers of the last run by the class of their HTTP status.",
            classes.filter { (1...5).contains(Int($0.key.prefix(1)) ?? 0) && $0.key.count == 3 }
                .sorted { $0.key < $1.key }.map { (["class": $0], String($1)) })
        if let pace {
            add(
                "requests_per_second", "Request rate of the last run.",
                [([:], String((pace.perSecond * 10).rounded() / 10))])
        }
    }

    /// Maps unknown statuses to fixed labels, so that answers cannot create labels.
    private static func name(ofStatus status: Int) -> String {
        switch status {
        case 0, 21000...21010: String(status)
        case 21100...21199: "211xx"
        // Of the App Store Server API.
        case 4_000_005, 4_040_001, 4_040_003, 4_040_005, 4_040_010: String(status)
        default: "other"
        }
    }

    private mutating func add(
        _ name: String, _ help: String, _ samples: [(labels: [String: String], value: String)]
    ) {
        guard !samples.isEmpty else { return }
        let name = Self.prefix + name
        lines += ["# HELP \(name) \(help)", "# TYPE \(name) gauge"]
        for (labels, value) in samples {
            let list = labels.sorted { $0.key < $1.key }.map { "\($0)=\"\($1)\"" }
            lines.append(
                name + (list.isEmpty ? "" : "{\(list.joined(separator: ","))}") + " \(value)")
        }
    }
}

extension Instant {
    /// Seconds since 1970.
    fileprivate var seconds: String { String(Double(milliseconds) / 1_000) }
}
