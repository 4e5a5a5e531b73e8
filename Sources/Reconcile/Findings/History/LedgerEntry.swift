/// One finding in the ledger: reported by a published run over everything, and not cleared.
package struct LedgerEntry: Hashable, Sendable {
    package enum State: String, Hashable, Sendable {
        case open
        /// An event, which is reported once.
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
    /// For a refund: when Apple took the purchase back.
    package var eventAt: Instant?
}
