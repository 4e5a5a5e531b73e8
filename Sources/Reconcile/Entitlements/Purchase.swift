/// A transaction, and the receipt whose answer showed it.
///
/// Refers to the transaction: the rules sort and group purchases repeatedly, and copies cost twenty
/// times as much. The properties are written out: dynamic member lookup took a tenth of the time.
struct Purchase: Sendable, Equatable {
    let source: VerifiedReceipt
    private let index: Int
    /// Cancelled after the instant of judgement: not cancelled yet, and not a reversed refund.
    let isCancelledLater: Bool

    init(at index: Int, of source: VerifiedReceipt) {
        self.init(source: source, index: index, isCancelledLater: false)
    }

    private init(source: VerifiedReceipt, index: Int, isCancelledLater: Bool) {
        self.source = source
        self.index = index
        self.isCancelledLater = isCancelledLater
    }

    static func == (left: Purchase, right: Purchase) -> Bool {
        left.isCancelledLater == right.isCancelledLater && left.source == right.source
            && left.source.receipt.transactions[left.index]
                == right.source.receipt.transactions[right.index]
    }

    var transaction: Transaction { source.receipt.transactions[index] }
    var id: TransactionID { source.receipt.transactions[index].id }
    var originalID: TransactionID { source.receipt.transactions[index].originalID }
    var product: ProductID { source.receipt.transactions[index].product }
    var purchasedAt: Instant { source.receipt.transactions[index].purchasedAt }
    var originallyPurchasedAt: Instant? {
        source.receipt.transactions[index].originallyPurchasedAt
    }
    var expiresAt: Instant? { source.receipt.transactions[index].expiresAt }
    var cancelledAt: Instant? {
        isCancelledLater ? nil : source.receipt.transactions[index].cancelledAt
    }
    var cancellationReason: String? { source.receipt.transactions[index].cancellationReason }
    var isUpgraded: Bool { source.receipt.transactions[index].isUpgraded }
    var isTrial: Bool { source.receipt.transactions[index].isTrial }
    var isDiscounted: Bool { source.receipt.transactions[index].isDiscounted }
    var isInLatest: Bool { source.receipt.transactions[index].isInLatest }
    var lineItem: LineItemID? { source.receipt.transactions[index].lineItem }
    var quantity: Int { source.receipt.transactions[index].quantity }
    var ownership: Ownership? { source.receipt.transactions[index].ownership }
    var isFamilyShared: Bool { ownership == .familyShared }
    /// Whether a cancellation is the end of family sharing, and no refund.
    var isOfFamily: Bool { source.receipt.transactions[index].isOfFamily }
    var sale: Sale? { source.receipt.transactions[index].sale }
    /// Whether the customer bought it; so do those of whom Apple sends no ownership.
    var isBought: Bool {
        !isFamilyShared && !source.receipt.transactions[index].isOwnershipUnknown
    }
    var hasEnd: Bool { expiresAt != nil }
    var isCancelled: Bool { cancelledAt != nil }

    /// The purchase as of `asOf`; nil when it was bought later.
    func seen(asOf: Instant) -> Purchase? {
        guard purchasedAt <= asOf else { return nil }
        guard let cancelledAt, cancelledAt > asOf else { return self }
        return Purchase(source: source, index: index, isCancelledLater: true)
    }

    /// Whether the purchase and its cancellation, if any, are not after `asOf`.
    func isPast(asOf: Instant) -> Bool {
        purchasedAt <= asOf && cancelledAt.map { $0 <= asOf } ?? true
    }

    func isOfRun(of other: Purchase) -> Bool {
        product == other.product && originalID == other.originalID
    }
}

extension VerifiedReceipt {
    var purchases: [Purchase] {
        receipt.transactions.indices.map { Purchase(at: $0, of: self) }
    }

    func purchases(seenAsOf asOf: Instant) -> [Purchase] {
        var purchases: [Purchase] = []
        purchases.reserveCapacity(receipt.transactions.count)
        for index in receipt.transactions.indices {
            guard let purchase = Purchase(at: index, of: self).seen(asOf: asOf) else { continue }
            purchases.append(purchase)
        }
        return purchases
    }
}
