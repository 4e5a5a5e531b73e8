package enum SummaryText {
    /// First whether the run is complete, then the findings, then where the reports are. `pace` is
    /// this process's and not part of published reports; `folder` is nil when none were published.
    package static func lines(
        _ summary: Summary, pace: RequestRate? = nil, folder: String?
    ) -> [String] {
        heading(summary) + findings(summary.findings, isOffline: summary.run.isOffline)
            + lifecycle(summary) + money(summary.money) + controls(summary)
            + requests(summary) + (pace.map { [line($0)] } ?? [])
            + (folder.map { ["", "Reports: \($0)"] } ?? [])
    }

    private static func heading(_ summary: Summary) -> [String] {
        let run = summary.run
        var lines = ["Run \(run.id), judged as of \(run.asOf): \(summary.status.rawValue)"]
        if summary.status == .incomplete {
            lines.append("INCOMPLETE: \(summary.receipts[.unverified].grouped) receipts unchecked.")
        }
        if summary.status == .held { lines.append("HELD: " + Run.heldNotice) }
        lines += summary.implausible.map { "IMPLAUSIBLE: \($0.sentence)" }
        if run.isOffline { lines.append("OFFLINE: " + Run.offlineNotice) }
        if !run.scope.isEverything { lines.append(Run.partialNotice) }
        if let notice = summary.facts.retirement { lines.append("NOTICE: " + notice.sentence) }
        if run.isTrial { lines.append(Run.trialNotice) }
        return lines + [""]
    }

    private static func findings(_ tally: FindingTally, isOffline: Bool) -> [String] {
        guard tally.total > 0 else {
            return [
                isOffline
                    ? "No findings that receipts alone could show."
                    : "No findings: Apple and the service agree.", "",
            ]
        }
        let severities = Severity.allCases.compactMap { severity in
            tally.bySeverity[severity].map { "\($0.grouped) \(severity.rawValue)" }
        }
        let files = FindingFile.allCases.flatMap { file in
            [row("  \(file.rawValue).csv", tally.byFile[file] ?? 0)]
                + FindingKind.allCases.filter { $0.file == file }.compactMap { kind in
                    tally.byKind[kind].map { row("    \(kind.rawValue)", $0) }
                }
        }
        return [row("Findings", tally.total) + "   " + severities.joined(separator: ", ")]
            + files + [""]
    }

    private static func lifecycle(_ summary: Summary) -> [String] {
        guard summary.findings.total > 0 || summary.facts.cleared > 0 else { return [] }
        let counts = summary.findings.byLifecycle
        let others = Lifecycle.allCases.filter { $0 != .new }.map { lifecycle in
            "\((counts[lifecycle] ?? 0).grouped) \(lifecycle.rawValue)"
        }
        return [
            row("New since the last run", counts[.new] ?? 0) + "   "
                + others.joined(separator: ", "),
            row("Cleared since the last run", summary.facts.cleared),
            "",
        ]
    }

    private static func money(_ tally: MoneyTally) -> [String] {
        let names: [(MoneyTally.Bucket, String)] = [
            (.leak, "Leak"), (.owed, "Owed"), (.refunded, "Refunded"),
        ]
        let lines = names.flatMap { bucket, name in
            tally.amounts(bucket).map { row(name + ", estimated, " + $0.currency.code, $0.text) }
        }
        return lines.isEmpty ? [] : lines + [""]
    }

    private static func controls(_ summary: Summary) -> [String] {
        let receipts = summary.receipts
        let rights = summary.entitlements
        return [
            sum(
                "Receipts", receipts.inScope,
                [
                    ("verified", receipts[.verified]), ("rejected", receipts[.rejected]),
                    ("unusable", receipts[.unusable]), ("unverified", receipts[.unverified]),
                ]),
            sum(
                "Entitlements", rights.inScope,
                [
                    ("consistent", rights[.consistent]), ("with a finding", rights[.withFinding]),
                    ("settling", rights[.settling]), ("unverified", rights[.unverified]),
                    ("not judged", rights[.notJudged]),
                ]),
        ] + (summary.coverage.map(views) ?? [])
    }

    private static func views(_ coverage: Coverage) -> [String] {
        [("when it was cut", coverage.planned), ("when it was closed", coverage.atClose)].map {
            when, counts in
            row("Users in the views", counts.users) + "   \(counts.receipts.grouped) receipts, "
                + "\(counts.entitlements.grouped) entitlements, \(when)"
        }
    }

    private static func requests(_ summary: Summary) -> [String] {
        let tally = summary.requests
        let oldest = summary.oldestVerifiedAt.map { "; oldest answer of \($0)" } ?? ""
        return [
            row("Requests to Apple", tally.sent) + "   \(tally.production.grouped) production, "
                + "\(tally.sandbox.grouped) sandbox, of which \(tally.retries.grouped) retries"
                + oldest
        ]
    }

    private static func line(_ pace: RequestRate) -> String {
        let bound =
            switch pace.bound {
            case .rate: "held back by --rate"
            case .inFlight: "held back by --in-flight: as many were in flight as it allows"
            case .ourselves: "held back by neither --rate nor --in-flight"
            }
        return row("Requests a second", pace.perSecond.inTenths)
            + "   \(bound); \(pace.inFlight.inTenths) in flight on average"
    }

    private static func sum(_ label: String, _ total: Int, _ parts: [(String, Int)]) -> String {
        row(label, total) + " = "
            + parts.map { "\($1.grouped) \($0)" }.joined(separator: " + ")
    }

    private static func row(_ label: String, _ number: Int) -> String {
        row(label, number.grouped)
    }

    private static func row(_ label: String, _ number: String) -> String {
        let gap = max(1, 44 - label.utf8.count - number.utf8.count)
        return label + String(repeating: " ", count: gap) + number
    }
}

extension Double {
    /// For example `1,234.5`.
    fileprivate var inTenths: String {
        let tenths = Int(min(max(0, self * 10), 1e15).rounded())
        return (tenths / 10).grouped + ".\(tenths % 10)"
    }
}
