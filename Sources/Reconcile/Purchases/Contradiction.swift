enum Contradiction: Hashable, Sendable {
    case bundle(signed: BundleID)
    case product(of: TransactionID, signed: ProductID, answered: ProductID)
    case purchaseDate(of: TransactionID, signed: Instant, answered: Instant)
    case cancellation(of: TransactionID, signed: Instant)
    /// A purchase that still runs by the receipt.
    case purchase(TransactionID, of: ProductID)
    // Only for a receipt that was made at the time of the answer:
    case expiry(of: TransactionID, signed: Instant, answered: Instant)
    case noCancellation(of: TransactionID, answered: Instant)
    case notSigned(TransactionID)
}
