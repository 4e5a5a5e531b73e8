/// A finding in the ledger, not cleared: a published run over everything reported or remembered it.
struct LedgerEntry: Hashable, Sendable {
    enum State: String, Hashable, Sendable {
        case open
        /// An event, which is reported once.
        case event
        case remembered
    }

    var id: String
    var state: State
    var identity: FindingIdentity
    var receipt: ReceiptID?
    /// `as_of` of the first run that reported it.
    var firstSeen: Instant
    /// For a refund: when Apple took the purchase back.
    var eventAt: Instant?
}
