/// The totals of a finished run, for `summary.json` and the terminal.
package struct RunSummary: Hashable, Sendable {
    /// `incomplete`: over `--max-unverified` or past `--max-runtime`. `held`: a guard found the run
    /// implausible, so it does not enter the history.
    package enum Status: String, Hashable, Sendable, CaseIterable {
        case complete, incomplete, held
    }

    package var run: Run
    package var status: Status
    package var receipts: ReceiptTally
    package var entitlements: EntitlementTally
    package var findings: FindingTally
    package var money: MoneyTally
    /// The same money by kind, product and app.
    package var breakdown: MoneyBreakdown
    package var requests: RequestTally
    /// The earliest answer that this run judged by.
    package var oldestVerifiedAt: Instant?
    package var unverifiedByCause: [String: Int]
    package var facts: RunFacts
    /// The acceptances of the findings that the run shows as accepted.
    package var acceptances: [AcceptedFinding]
    /// The guards' reasons. They hold a nightly run; a trial only reports them.
    package var implausible: [HeldReason] = []
    /// For a held run: whether it would have been complete.
    package var isComplete = true

    package init(
        run: Run, status: Status, receipts: ReceiptTally, entitlements: EntitlementTally,
        findings: FindingTally, money: MoneyTally = MoneyTally(),
        breakdown: MoneyBreakdown = MoneyBreakdown(), requests: RequestTally,
        oldestVerifiedAt: Instant? = nil, unverifiedByCause: [String: Int] = [:],
        facts: RunFacts = RunFacts(), acceptances: [AcceptedFinding] = []
    ) {
        self.run = run
        self.status = status
        self.receipts = receipts
        self.entitlements = entitlements
        self.findings = findings
        self.money = money
        self.breakdown = breakdown
        self.requests = requests
        self.oldestVerifiedAt = oldestVerifiedAt
        self.unverifiedByCause = unverifiedByCause
        self.facts = facts
        self.acceptances = acceptances
    }
}

package struct RunFacts: Hashable, Sendable {
    package var startedAt: Instant?
    package var endedAt: Instant?
    package var users = 0
    /// Cleared findings of earlier runs, by kind.
    package var clearedByKind: [FindingKind: Int] = [:]
    /// The last run over everything published before it.
    package var previousRun: RunID?
    /// Earlier nightly runs, newest first; empty for a partial run.
    package var earlierNights: [EarlierNight] = []
    /// Recorded refunds and expirations by day, oldest first.
    package var eventDays: [EventDay] = []
    /// Apple's notice of the end of verifyReceipt in the answers; nil without one.
    package var retirement: RetirementNotice?

    package init() {}

    package var cleared: Int { clearedByKind.values.reduce(0, +) }
}

package struct AcceptedFinding: Hashable, Sendable {
    package var id: String
    /// Nil when no published run over everything has reported it.
    package var kind: FindingKind?
    package var user: UserID?
    package var by: String
    package var why: String
    /// The end of the acceptance; nil for no end.
    package var until: Instant?

    package init(
        id: String, kind: FindingKind?, user: UserID?, by: String, why: String, until: Instant?
    ) {
        self.id = id
        self.kind = kind
        self.user = user
        self.by = by
        self.why = why
        self.until = until
    }
}
