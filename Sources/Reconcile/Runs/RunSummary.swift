/// A finished run in numbers: what `summary.json` holds and the terminal shows.
package struct RunSummary: Hashable, Sendable {
    /// `incomplete`: over `--max-unverified`, or past `--max-runtime`.
    package enum Status: String, Hashable, Sendable { case complete, incomplete }

    package var run: Run
    package var status: Status
    package var receipts: ReceiptTally
    package var entitlements: EntitlementTally
    package var findings: FindingTally
    package var money: MoneyTally
    package var requests: RequestTally
    /// The earliest answer that this run judged by.
    package var oldestVerifiedAt: Instant?

    package init(
        run: Run, status: Status, receipts: ReceiptTally, entitlements: EntitlementTally,
        findings: FindingTally, money: MoneyTally = MoneyTally(), requests: RequestTally,
        oldestVerifiedAt: Instant?
    ) {
        (self.run, self.status) = (run, status)
        (self.receipts, self.entitlements) = (receipts, entitlements)
        (self.findings, self.money, self.requests) = (findings, money, requests)
        self.oldestVerifiedAt = oldestVerifiedAt
    }
}

/// Findings counted, from the rows of the report.
package struct FindingTally: Hashable, Sendable {
    package private(set) var byKind: [FindingKind: Int] = [:]
    package private(set) var bySeverity: [Severity: Int] = [:]
    package private(set) var byFile: [FindingFile: Int] = [:]
    /// Those that somebody has accepted; they are among the others as well.
    package private(set) var accepted: [Severity: Int] = [:]

    package init() {}

    /// How many of a severity nobody has accepted.
    package func open(_ severity: Severity) -> Int {
        (bySeverity[severity] ?? 0) - (accepted[severity] ?? 0)
    }

    package var total: Int { byKind.values.reduce(0, +) }

    package mutating func add(
        _ kind: FindingKind, _ severity: Severity, count: Int = 1, isAccepted: Bool = false
    ) {
        if isAccepted { accepted[severity, default: 0] += count }
        byKind[kind, default: 0] += count
        bySeverity[severity, default: 0] += count
        byFile[kind.file, default: 0] += count
    }
}
