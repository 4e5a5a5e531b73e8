/// A point in which a receipt that Apple signed and Apple's answer to it cannot both be true.
package enum Contradiction: Hashable, Sendable {
    /// The app. The answer has its own.
    case bundle(signed: BundleID)
    case product(of: TransactionID, signed: ProductID, answered: ProductID)
    case purchaseDate(of: TransactionID, signed: Instant, answered: Instant)
    /// The receipt has it cancelled, the answer has not.
    case cancellation(of: TransactionID, signed: Instant)
    // Only where both were made at one moment.
    case expiry(of: TransactionID, signed: Instant, answered: Instant)
    /// The answer has it cancelled, the receipt has not.
    case noCancellation(of: TransactionID, answered: Instant)
    /// The answer has a transaction that the receipt lacks.
    case notSigned(TransactionID)
}
