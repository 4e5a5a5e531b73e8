enum Contradiction: Hashable, Sendable {
    case bundle(signed: BundleID)
    case product(of: TransactionID, signed: ProductID, answered: ProductID)
    case purchaseDate(of: TransactionID, signed: Instant, answered: Instant)
    /// Cancelled in the receipt, not in the answer.
    case cancellation(of: TransactionID, signed: Instant)
    // The following cases are only found when receipt and answer were made at the same time.
    case expiry(of: TransactionID, signed: Instant, answered: Instant)
    case noCancellation(of: TransactionID, answered: Instant)
    case notSigned(TransactionID)
}
