package enum SummaryText {
    /// First whether the run is complete, then the findings, then where the reports are. `pace` is
    /// this process's and not part of published reports; `folder` is nil when none were published.
    package static func lines(
        _ summary: Summary, pace: RequestRate? = nil, folder: String?
    ) -> [String] {
        let outline = SummaryOutline(summary)
        return heading(summary) + findings(outline, of: summary)
            + lifecycle(outline) + money(outline) + controls(outline)
            + requests(outline) + (pace.map { [line($0)] } ?? [])
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

    private static func findings(_ outline: SummaryOutline, of summary: Summary) -> [String] {
        guard let total = outline.row(["findings", "total"]), total.count > 0 else {
            return [summary.nothingFound, ""]
        }
        let severities = outline.rows("findings", "by_severity").map(counted)
        let files = outline.rows("findings", "by_file").flatMap { file in
            [row("  " + file.label, file.count)]
                + outline.kinds.filter { $0.kind.file.rawValue == file.name && $0.total > 0 }
                .map { row("    " + $0.kind.rawValue, $0.total) }
        }
        return [row(total) + "   " + severities.joined(separator: ", ")] + files + [""]
    }

    private static func lifecycle(_ outline: SummaryOutline) -> [String] {
        let counts = outline.rows("findings", "by_lifecycle")
        guard let new = counts.first, let cleared = outline.row(["cleared"]),
            outline.count("findings", "total") > 0 || cleared.count > 0
        else { return [] }
        let others = counts.dropFirst().map(counted).joined(separator: ", ")
        return [row(new) + "   " + others, row(cleared), ""]
    }

    private static func money(_ outline: SummaryOutline) -> [String] {
        let lines = outline.rows("money").flatMap { bucket in
            bucket.value.rows.map { amount in
                row("\(bucket.label), estimated, \(amount.name)", amount.value.amount?.text ?? "")
            }
        }
        return lines.isEmpty ? [] : lines + [""]
    }

    private static func controls(_ outline: SummaryOutline) -> [String] {
        outline.rows("controls").map { control in
            if case .sum(let total, let parts) = control.value {
                return row(control.label, total) + " = "
                    + parts.map(counted).joined(separator: " + ")
            }
            let counts = control.value.rows
            let others = counts.dropFirst().map(counted) + [control.label]
            return row("Users in the views", counts.first?.count ?? 0) + "   "
                + others.joined(separator: ", ")
        }
    }

    private static func requests(_ outline: SummaryOutline) -> [String] {
        let servers = outline.rows("requests").filter { row in
            let server = AppleServer(rawValue: row.name)
            return server.map { $0.source == .verifyReceipt || row.count != 0 } ?? false
        }
        let retries = outline.count("requests", "retries").grouped
        let oldest = outline.row(["oldest_verified_at"])?.value.instant
        let label = outline.row(["requests"])?.label ?? ""
        return [
            row(label, outline.count("requests", "sent")) + "   "
                + servers.map(counted).joined(separator: ", ") + ", of which \(retries) retries"
                + (oldest.map { "; oldest answer of \($0)" } ?? "")
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

    /// For example `9 verified`.
    private static func counted(_ row: SummaryOutline.Row) -> String {
        "\(row.count.grouped) \(row.label)"
    }

    private static func row(_ row: SummaryOutline.Row) -> String { self.row(row.label, row.count) }

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
