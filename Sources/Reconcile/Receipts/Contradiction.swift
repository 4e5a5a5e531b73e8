/// A point in which a receipt that Apple signed and Apple's answer to it cannot both be true.
package enum Contradiction: Hashable, Sendable {
    /// The app. The answer has its own.
    case bundle(signed: BundleID)
    case product(of: TransactionID, signed: ProductID, answered: ProductID)
    case purchaseDate(of: TransactionID, signed: Instant, answered: Instant)
    /// The receipt has it cancelled, the answer has not.
    case cancellation(of: TransactionID, signed: Instant)
}
