/// What some receipts show together at one instant: each transaction and each renewal once.
struct Purchases: Sendable {
    /// In the order of their ids.
    let all: [Purchase]
    let renewals: [TransactionID: Renewal]

    /// Where receipts disagree, a transaction or renewal is taken whole from the answer with the
    /// latest creation date (an iOS 6 answer has none and comes last), then from the smaller
    /// receipt id. What was bought after `asOf` does not exist yet; what was cancelled after it is
    /// not cancelled yet (SPEC §4).
    init(in receipts: [VerifiedReceipt], asOf: Instant) {
        if receipts.count == 1 {
            // Nothing to merge, since an answer has each transaction and each renewal once.
            let source = receipts[0]
            all = source.receipt.transactions.compactMap {
                Purchase($0, source: source).seen(asOf: asOf)
            }.sorted { $0.id < $1.id }
            renewals = Dictionary(
                source.receipt.renewals.map { ($0.originalID, $0) },
                uniquingKeysWith: { first, _ in first })
            return
        }
        var purchases: [TransactionID: Purchase] = [:]
        var renewals: [TransactionID: Renewal] = [:]
        for source in receipts.sorted(by: Self.isBetterWitness) {
            for transaction in source.receipt.transactions where purchases[transaction.id] == nil {
                purchases[transaction.id] = Purchase(transaction, source: source)
            }
            for renewal in source.receipt.renewals where renewals[renewal.originalID] == nil {
                renewals[renewal.originalID] = renewal
            }
        }
        all = purchases.values.compactMap { $0.seen(asOf: asOf) }.sorted { $0.id < $1.id }
        self.renewals = renewals
    }

    private static func isBetterWitness(_ left: VerifiedReceipt, _ right: VerifiedReceipt) -> Bool {
        let (leftDate, rightDate) = (left.receipt.createdAt, right.receipt.createdAt)
        guard leftDate == rightDate else {
            return leftDate ?? .distantPast > rightDate ?? .distantPast
        }
        return left.id < right.id
    }
}

/// A transaction and the receipt whose answer showed it.
///
/// A class, since the rules sort and group purchases over and over: a copy of all that is in one
/// costs twenty times as much as a reference. What is asked of it stands here one by one: looked up
/// dynamically it was a key path made anew each time, a tenth of the time of judging.
final class Purchase: Sendable, Equatable {
    let transaction: Transaction
    let source: VerifiedReceipt
    /// Apple shows it cancelled, after the instant of judgement: so it is not cancelled yet, and
    /// nobody took the refund back.
    let isCancelledLater: Bool

    init(_ transaction: Transaction, source: VerifiedReceipt, isCancelledLater: Bool = false) {
        (self.transaction, self.source) = (transaction, source)
        self.isCancelledLater = isCancelledLater
    }

    static func == (left: Purchase, right: Purchase) -> Bool {
        left.transaction == right.transaction && left.source == right.source
            && left.isCancelledLater == right.isCancelledLater
    }

    var id: TransactionID { transaction.id }
    var originalID: TransactionID { transaction.originalID }
    var product: ProductID { transaction.product }
    var purchasedAt: Instant { transaction.purchasedAt }
    var expiresAt: Instant? { transaction.expiresAt }
    var cancelledAt: Instant? { transaction.cancelledAt }
    var isUpgraded: Bool { transaction.isUpgraded }
    var isTrial: Bool { transaction.isTrial }
    var ownership: Ownership? { transaction.ownership }
    var isFamilyShared: Bool { transaction.isFamilyShared }
    var isCancelled: Bool { transaction.cancelledAt != nil }

    fileprivate func seen(asOf: Instant) -> Purchase? {
        guard transaction.purchasedAt <= asOf else { return nil }
        guard let cancelledAt = transaction.cancelledAt, cancelledAt > asOf else { return self }
        var transaction = transaction
        transaction.cancelledAt = nil
        return Purchase(transaction, source: source, isCancelledLater: true)
    }
}

extension TransactionID {
    /// Order by number where both ids are numbers, of any length; by bytes otherwise.
    func isNumericallyLess(than other: TransactionID) -> Bool {
        let (left, right) = (text.utf8, other.text.utf8)
        guard left.allSatisfy(\.isDigit), right.allSatisfy(\.isDigit) else { return self < other }
        let (own, others) = (left.drop { $0 == 0x30 }, right.drop { $0 == 0x30 })
        return own.count == others.count
            ? own.lexicographicallyPrecedes(others) : own.count < others.count
    }
}

extension UInt8 {
    var isDigit: Bool { (0x30...0x39).contains(self) }
}
