/// A finished run in numbers: what `summary.json` holds and the terminal shows.
package struct RunSummary: Hashable, Sendable {
    /// `incomplete`: over `--max-unverified`, or past `--max-runtime`. `held`: a guard found a
    /// night implausible, so that it counts for nothing.
    package enum Status: String, Hashable, Sendable, CaseIterable {
        case complete, incomplete, held
    }

    package var run: Run
    package var status: Status
    package var receipts: ReceiptTally
    package var entitlements: EntitlementTally
    package var findings: FindingTally
    package var money: MoneyTally
    /// The same money by what it came of.
    package var breakdown: MoneyBreakdown
    package var requests: RequestTally
    /// The earliest answer that this run judged by.
    package var oldestVerifiedAt: Instant?
    /// Receipts that could not be checked, by cause.
    package var unverifiedByCause: [String: Int]
    package var facts: RunFacts
    /// Who accepted the findings that the run shows as accepted.
    package var acceptances: [AcceptedFinding]
    /// Why it is implausible. A night with a reason is held, a trial says so only.
    package var implausible: [HeldReason] = []
    /// Also of a held run: whether it would be complete.
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

/// When a run was and what it was about.
package struct RunFacts: Hashable, Sendable {
    package var startedAt: Instant?
    /// When its last user was recorded.
    package var endedAt: Instant?
    /// How many users it judged.
    package var users = 0
    /// Findings of earlier runs that are no longer true, by kind.
    package var clearedByKind: [FindingKind: Int] = [:]
    /// The run over everything that was published before it.
    package var previousRun: RunID?
    /// The nights before, the newest first; none for a run over some users.
    package var earlierNights: [EarlierNight] = []
    /// The refunds and expirations that it records, by day, the oldest first.
    package var eventDays: [EventDay] = []
    /// What Apple's answers said of the end of verifyReceipt; nil: nothing.
    package var retirement: RetirementNotice?

    package init() {}

    /// Findings of earlier runs that are no longer true.
    package var cleared: Int { clearedByKind.values.reduce(0, +) }
}

/// A finding that an operator has looked at and accepted.
package struct AcceptedFinding: Hashable, Sendable {
    package var id: String
    /// Nil where no published run over everything has reported it.
    package var kind: FindingKind?
    package var user: UserID?
    package var by: String
    package var why: String
    /// From here on it counts no more. Nil: until further notice.
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
