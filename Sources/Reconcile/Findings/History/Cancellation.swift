/// A transaction that a run saw cancelled: what later runs must know to notice that Apple took the
/// refund back, and not to report it twice.
package struct Cancellation: Hashable, Sendable {
    package var transaction: TransactionID
    package var cancelledAt: Instant
    /// A run has reported the refund, or the family sharing withdrawn.
    package var isReported: Bool
    /// A run has reported that the refund was taken back.
    package var isReversed: Bool

    package init(
        transaction: TransactionID, cancelledAt: Instant, isReported: Bool, isReversed: Bool
    ) {
        (self.transaction, self.cancelledAt) = (transaction, cancelledAt)
        (self.isReported, self.isReversed) = (isReported, isReversed)
    }
}

/// What earlier runs saw of one user's transactions.
package struct UserHistory: Hashable, Sendable {
    /// Transactions of the user that were seen cancelled.
    package var cancellations: [TransactionID: Cancellation]
    /// Transactions that were seen cancelled, whoever's they were: a receipt may change hands.
    package var elsewhere: [TransactionID: Cancellation]

    package init(
        cancellations: [TransactionID: Cancellation] = [:],
        elsewhere: [TransactionID: Cancellation] = [:]
    ) {
        (self.cancellations, self.elsewhere) = (cancellations, elsewhere)
    }

    func hasReported(refundOf transaction: TransactionID) -> Bool {
        cancellations[transaction]?.isReported ?? false
            || elsewhere[transaction]?.isReported ?? false
    }
}
