package struct Summary: Hashable, Sendable {
    /// `incomplete`: over `--max-unverified` or past `--max-runtime`. `held`: a guard found the run
    /// implausible, or it missed part of the views, so it does not enter the history.
    package enum Status: String, Hashable, Sendable, CaseIterable {
        case complete, incomplete, held
    }

    package var run: Run
    package var status: Status
    package var receipts: Tally<ReceiptBucket>
    var entitlements: Tally<EntitlementBucket>
    package var findings: FindingTally
    var money = MoneyTally()
    var breakdown = MoneyBreakdown()
    var ageing = Ageing()
    package var requests: RequestTally
    /// The time of the oldest answer that verified a receipt.
    var oldestVerifiedAt: Instant?
    /// Receipts that both sources verified, and of which they tell the same, or not.
    var sourcesAgree = 0
    var sourcesDiffer = 0
    /// Subscriptions to which the App Store Server API gives the state that the rules give them,
    /// and another one.
    var statusesAgree = 0
    var statusesDiffer = 0
    var unverifiedByCause: [String: Int] = [:]
    var facts = Facts()
    /// The acceptances of the findings that the run shows as accepted.
    var acceptances: [AcceptedFinding] = []
    /// The comparison with the views; nil for a partial run and a replay.
    var coverage: Coverage?
    /// The reasons of coverage and of the guards. They hold a nightly run; the guards' are only
    /// reported of a trial.
    package var implausible: [HeldReason] = []
    /// For a held run: whether it would have been complete.
    var isComplete = true
    /// The rules by which it was judged; an earlier release's for a run that is written again.
    var rulesVersion = Run.rulesVersion
    /// What it had of users who were erased since, and has no more; nil when there are none.
    package var erasure: Erasure?
}

extension Summary {
    struct Facts: Hashable, Sendable {
        var startedAt: Instant?
        var endedAt: Instant?
        var users = 0
        var clearedByKind: [FindingKind: Int] = [:]
        /// The last run over everything published before it.
        var previousRun: RunID?
        /// Earlier nightly runs, newest first; empty for a partial run.
        var earlierRuns: [EarlierRun] = []
        /// Nil for a partial run.
        var monthToDate: MonthToDate?
        /// Recorded refunds and expirations by day, oldest first.
        var eventDays: [EventDay] = []
        /// Apple's notice of the end of verifyReceipt in the answers; nil without one.
        var retirement: RetirementNotice?
        /// The sums of its units; nil for a run that counts none.
        var units: UnitCounts?
        /// The sweep of refund notices; empty without one.
        var sweptApps: [SweptApp] = []

        var cleared: Int { clearedByKind.values.reduce(0, +) }
    }

    struct EarlierRun: Hashable, Sendable {
        var run: RunID
        var asOf: Instant
        var status: Status
        var findings: Int
        /// Those of them that are events.
        var events = 0
        var money = MoneyTally()
    }

    /// The refunds and expirations that a run records for one day in California.
    struct EventDay: Hashable, Sendable {
        /// That date, as midnight in UTC.
        var day: Instant
        var refunds: Int
        var expirations: Int
    }
}
