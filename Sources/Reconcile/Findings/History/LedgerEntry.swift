/// What the ledger has of one finding that a published run over everything has reported, and that
/// is not over.
package struct LedgerEntry: Hashable, Sendable {
    package enum State: String, Hashable, Sendable {
        /// Reported, and not seen to be over since.
        case open
        /// Reported once.
        case event
        /// An event that counts as reported, although no report has it.
        case remembered
    }

    package var id: String
    package var state: State
    package var identity: FindingIdentity
    package var receipt: ReceiptID?
    /// `as_of` of the first run that reported it.
    package var firstSeen: Instant
    /// Of a refund, when Apple took the purchase back.
    package var eventAt: Instant?

    package init(
        id: String, state: State, identity: FindingIdentity, receipt: ReceiptID? = nil,
        firstSeen: Instant, eventAt: Instant? = nil
    ) {
        self.id = id
        self.state = state
        self.identity = identity
        self.receipt = receipt
        self.firstSeen = firstSeen
        self.eventAt = eventAt
    }
}
