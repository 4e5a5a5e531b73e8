/// A purchase that Apple has shown: in a stored receipt that Apple signed, or in an answer that an
/// earlier run judged. Tonight's answers may lack it.
struct KnownPurchase: Hashable, Sendable {
    var id: TransactionID
    /// The transaction's own id when Apple gives none.
    var originalID: TransactionID
    var product: ProductID
    /// Nil: the catalogue or an expiry decides.
    var kind: ProductKind?
    var purchasedAt: Instant
    /// The end of the paid time; nil when the source has none.
    var endsAt: Instant?
    var lineItem: LineItemID?
}

extension Receipt {
    /// Whether a transaction is the purchase, by its id, its line item or, if it is `isForGood`, a
    /// non-consumable's original id.
    func shows(_ purchase: KnownPurchase, isForGood: Bool) -> Bool {
        transactions.contains { transaction in
            transaction.id == purchase.id
                || transaction.lineItem.map { $0 == purchase.lineItem } ?? false
                || isForGood && transaction.originalID == purchase.originalID
        }
    }

    /// Whether the purchase's chain has a later transaction; of two at one instant, the one with
    /// the greater id is.
    func showsLater(_ purchase: KnownPurchase) -> Bool {
        transactions.contains { transaction in
            guard transaction.originalID == purchase.originalID else { return false }
            return transaction.purchasedAt == purchase.purchasedAt
                ? purchase.id.isNumericallyLess(than: transaction.id)
                : transaction.purchasedAt > purchase.purchasedAt
        }
    }
}
