/// What judging one batch brought: saved as a whole or not at all.
package struct BatchRecord: Sendable {
    package var batch: Batch
    package var outcomes: [Outcome]
    package var findings: [ReportedFinding]
    /// Findings of the last run that tonight's evidence shows to be no longer true.
    package var cleared: [ReportedFinding] = []
    /// What the run brings for later runs, should it be published and over everything.
    package var changes: [FindingChange] = []
    package var cancellations: [(user: UserID, cancellation: Cancellation)] = []
    package var receipts: ReceiptTally
    package var entitlements: EntitlementTally
    package var requests: RequestTally
    /// The earliest answer that the batch was judged by.
    package var oldestVerifiedAt: Instant?
    /// What was asked about the receipts that findings come of: by it their answers are found.
    package var citedQuestions: [ReceiptID: [UInt8]] = [:]
    /// The run whose answers were judged again; nil where those of this one were.
    package var replayOf: RunID?
    /// Digests of questions whose recorded refusals are not believed: they were of a storm.
    package var doubted: [[UInt8]] = []
    /// What is compared over users when every batch is done.
    package var subscriptions: [SubscriptionSighting] = []
    package var unknownProducts: [UnknownProduct] = []
    package var undecided: [UndecidedUser] = []

    package init(
        batch: Batch, outcomes: [Outcome] = [], findings: [ReportedFinding] = [],
        receipts: ReceiptTally = ReceiptTally(),
        entitlements: EntitlementTally = EntitlementTally(),
        requests: RequestTally = RequestTally(), oldestVerifiedAt: Instant? = nil
    ) {
        (self.batch, self.outcomes, self.findings) = (batch, outcomes, findings)
        (self.receipts, self.entitlements) = (receipts, entitlements)
        (self.requests, self.oldestVerifiedAt) = (requests, oldestVerifiedAt)
    }

    /// For a run that is none to later runs: one over some users, or a replay.
    package mutating func leaveNoTrace() { (changes, cancellations) = ([], []) }
}
