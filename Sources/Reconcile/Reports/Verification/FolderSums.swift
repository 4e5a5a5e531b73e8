struct FolderSums {
    private(set) var findings = FindingTally()
    private(set) var money = MoneyTally()
    private(set) var entitlementsWithFinding = 0
    private(set) var notReported: [NotReported.Bucket: Int] = [:]
    private(set) var unverifiedByCause: [String: Int] = [:]
    var unverified = 0
    var units = UnitCounts()
    private var clearedByKind: [FindingKind: Int] = [:]
    private var moneyCounts: [String: Int] = [:]
    private var ageing = Ageing()
    /// Sums by the groups of `totals`, without those that `settle` has checked.
    private var totals: [FindingTotal.Group: (count: Int, money: MoneyTally)] = [:]

    /// - Parameter asOf: when the run judged.
    mutating func add(
        _ row: ReportedFinding, asOf: Instant
    ) throws(MoneyTally.Unsummable) {
        let finding = row.finding
        findings.add(finding.kind, finding.severity, row.lifecycle, count: 1)
        // A stored row has at most one finding of these kinds.
        if Self.ofStoredRows.contains(finding.kind), finding.entitlement != nil {
            entitlementsWithFinding += 1
        }
        try money.add(row)
        if let bucket = finding.moneyBucket?.rawValue, let currency = row.currency {
            moneyCounts["\(bucket).\(currency)", default: 0] += 1
        }
        try ageing.add(row, asOf: asOf)
        let group = FindingTotal.Group(row, asOf: asOf)
        try totals[group, default: (0, MoneyTally())].money.add(row)
        totals[group, default: (0, MoneyTally())].count += 1
    }

    /// Describes how a line of `totals` differs from the sum of its findings; nil when it does not.
    mutating func settle(_ total: FindingTotal) throws(MoneyTally.Unsummable) -> String? {
        guard let sum = totals.removeValue(forKey: total.group) else {
            return "no finding belongs to it"
        }
        var printed = MoneyTally()
        try printed.add(total)
        guard sum.count == total.count, sum.money.isSame(as: printed) else {
            return "the findings come to \(sum.count) and \(sum.money)"
        }
        return nil
    }

    mutating func addCleared(_ row: ReportedFinding) {
        clearedByKind[row.finding.kind, default: 0] += 1
    }

    mutating func add(_ row: NotReportedRow) {
        notReported[row.notReported.bucket, default: 0] += 1
    }

    mutating func add(_ row: UnverifiedReceipt) {
        unverified += 1
        // The table also lists stored rows with a null, which the summary counts as unusable.
        if row.cause != Unusable.storedRowInvalid.rawValue {
            unverifiedByCause[row.cause, default: 0] += 1
        }
    }

    private static let ofStoredRows = Set(FindingKind.ofStoredRows)

    func differences(from summary: PrintedPaths) -> [String] {
        counts.compactMap { path, count in
            let printed = summary.integer(path) ?? 0
            return printed == count
                ? nil : "summary.json: \(path) is \(printed), but the rows add up to \(count)."
        } + moneyDifferences(summary) + ageDifferences(summary) + controls(summary) + missingTotals
    }

    private var counts: [(String, Int)] {
        var counts = [
            ("findings.total", findings.total),
            ("cleared", clearedByKind.values.reduce(0, +)),
            ("findings.events", findings.events),
            ("amount_counts.refunded.findings", findings.refunds),
        ]
        for direction in Direction.allCases {
            let count = findings.byDirection[direction] ?? 0
            counts.append(("findings.by_direction.\(direction.rawValue)", count))
            guard Ageing.directions.contains(direction) else { continue }
            counts.append(("amount_counts.\(direction.rawValue).findings", count))
        }
        for bucket in MoneyTally.Bucket.allCases.map(\.rawValue) {
            let priced = moneyCounts.filter { $0.key.hasPrefix(bucket + ".") }
            let count = priced.values.reduce(0, +)
            counts.append(("amount_counts.\(bucket).with_amount", count))
        }
        counts += clearedByKind.map { ("cleared_by_kind.\($0.key.rawValue)", $0.value) }
        counts += moneyCounts.map { ("money_counts.\($0.key)", $0.value) }
        counts += findings.lifecycleByKind.flatMap { kind, counts in
            counts.map { ("findings.lifecycle_by_kind.\(kind.rawValue).\($0.rawValue)", $1) }
        }
        counts += findings.severityByKind.flatMap { kind, counts in
            counts.map { ("findings.severity_by_kind.\(kind.rawValue).\($0.rawValue)", $1) }
        }
        counts += FindingFile.allCases.map {
            ("findings.by_file.\($0.rawValue)", findings.byFile[$0] ?? 0)
        }
        counts += FindingKind.allCases.map {
            ("findings.by_kind.\($0.rawValue)", findings.byKind[$0] ?? 0)
        }
        counts += Severity.allCases.map {
            ("findings.by_severity.\($0.rawValue)", findings.bySeverity[$0] ?? 0)
        }
        counts += Lifecycle.allCases.map {
            ("findings.by_lifecycle.\($0.rawValue)", findings.byLifecycle[$0] ?? 0)
        }
        counts += unverifiedByCause.map { ("unverified_by_cause.\($0.key)", $0.value) }
        let controls = "controls.entitlements."
        counts.append((controls + "with_finding", entitlementsWithFinding))
        counts.append((controls + "settling", notReported[.settling] ?? 0))
        counts.append((controls + "unverified", notReported[.unverified] ?? 0))
        counts.append((controls + "not_judged", notReported[.notJudged] ?? 0))
        counts += [
            ("units.sold", units.sold), ("units.trials", units.trials),
            ("units.refunded", units.refunded), ("units.upgraded", units.upgraded),
        ]
        return counts
    }

    private func ageDifferences(_ summary: PrintedPaths) -> [String] {
        let counted = PrintedPaths(
            PrintedJSON.object([("ageing", PrintedJSON(.rows(ageing.rows)))]).bytes
        ).members(of: "ageing")
        let printed = summary.members(of: "ageing")
        return Set(counted.keys).union(printed.keys).sorted().compactMap { path in
            guard counted[path] != printed[path] else { return nil }
            return "summary.json: ageing.\(path) is \(printed[path] ?? "missing"), but the rows add"
                + " up to \(counted[path] ?? "nothing")."
        }
    }

    private func moneyDifferences(_ summary: PrintedPaths) -> [String] {
        MoneyTally.Bucket.allCases.flatMap { bucket -> [String] in
            let sums = Dictionary(
                uniqueKeysWithValues: money.amounts(bucket).map { ($0.currency.code, $0) })
            let printed = summary.members(of: "money." + bucket.rawValue)
            return Set(sums.keys).union(printed.keys).sorted().compactMap { code in
                let sum = sums[code] ?? Currency(code).map { Money(minorUnits: 0, in: $0) }
                guard let sum, printed[code] != sum.text else { return nil }
                return "summary.json: money.\(bucket.rawValue).\(code) is"
                    + " \(printed[code] ?? "missing"), but the rows add up to \(sum.text)."
            }
        }
    }

    private var missingTotals: [String] {
        totals.isEmpty
            ? [] : ["totals.csv: \(totals.count.grouped) groups of findings have no line."]
    }

    /// A run over everything states what the views had, and is held if it recorded less or more.
    static func coverageDifferences(in summary: PrintedPaths) -> [String] {
        guard let scope = summary["scope"], comparedScopes.contains(scope) else { return [] }
        guard let planned = ViewCounts(summary, "controls.planned"),
            let atClose = ViewCounts(summary, "controls.at_close")
        else { return ["summary.json: controls.planned or controls.at_close is missing."] }
        let recorded = ViewCounts(
            users: summary.integer("users") ?? 0,
            receipts: summary.integer("controls.receipts.in_scope") ?? 0,
            entitlements: summary.integer("controls.entitlements.in_scope") ?? 0)
        let reasons = Coverage(planned: planned, atClose: atClose, recorded: recorded).reasons
            .map(\.reason)
        guard reasons.isEmpty || summary["status"] == Summary.Status.held.rawValue else {
            return reasons.map { "summary.json: the run is not held, although \($0)" }
        }
        let stated = summary.values.count {
            $0.path.hasPrefix("implausible[") && $0.path.hasSuffix("].guard")
                && summary[$0.path] == Coverage.name
        }
        return stated == reasons.count
            ? []
            : [
                "summary.json: implausible has \(stated) reasons of coverage, but controls have"
                    + " \(reasons.count)."
            ]
    }

    private static let comparedScopes = [Run.Scope.everything.name, "trial"]

    /// Controls that cannot be counted from rows must at least add up.
    private func controls(_ summary: PrintedPaths) -> [String] {
        var differences: [String] = []
        for name in ["receipts", "entitlements"] {
            let path = "controls.\(name)"
            let parts = summary.members(of: path).filter { $0.key != "in_scope" }
            let sum = parts.values.compactMap { Int($0) }.reduce(0, +)
            let total = summary.integer(path + ".in_scope") ?? -1
            if sum != total {
                differences.append(
                    "summary.json: \(path).in_scope is \(total), but its parts add up to \(sum).")
            }
        }
        // The table also lists stored rows with a null, which the summary counts as unusable.
        let least = summary.integer("controls.receipts.unverified") ?? 0
        let most = least + (summary.integer("controls.receipts.unusable") ?? 0)
        if !(least...max(least, most)).contains(unverified) {
            differences.append(
                "unverified.csv: \(unverified) rows, but controls.receipts.unverified is \(least).")
        }
        return differences
    }
}

extension ViewCounts {
    fileprivate init?(_ summary: PrintedPaths, _ path: String) {
        guard let users = summary.integer(path + ".users"),
            let receipts = summary.integer(path + ".receipts"),
            let entitlements = summary.integer(path + ".entitlements")
        else { return nil }
        self.init(users: users, receipts: receipts, entitlements: entitlements)
    }
}
