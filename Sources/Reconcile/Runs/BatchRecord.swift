/// What judging one batch brought: saved as a whole or not at all.
package struct BatchRecord: Sendable {
    package var batch: Batch
    package var outcomes: [Outcome]
    package var findings: [ReportedFinding]
    package var receipts: ReceiptTally
    package var entitlements: EntitlementTally
    package var requests: RequestTally
    /// The earliest answer that the batch was judged by.
    package var oldestVerifiedAt: Instant?
    /// What is compared over users when every batch is done.
    package var subscriptions: [SubscriptionSighting] = []
    package var unknownProducts: [UnknownProduct] = []

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
}
