/// A receipt's own content in the form of an answer of Apple's, for a run that asks nobody. Whether
/// Apple signed it is another question.
extension ReceiptPayload {
    /// Nil without an app, or with another environment than the App Store's.
    ///
    /// The clock of the answer is the time of the receipt's making, nothing is known of renewals
    /// and family sharing, and what was upgraded is inferred.
    var receipt: Receipt? {
        guard let bundle, !bundle.isEmpty, let environment = storeEnvironment else { return nil }
        var receipt = Receipt(
            bundle: BundleID(bundle), environment: environment, createdAt: createdAt,
            requestedAt: createdAt, originalApplicationVersion: originalApplicationVersion,
            originalPurchaseAt: attributes.first(18)?.instant)
        receipt.anomalies = Array(repeating: ParseAnomaly(key: "in_app"), count: unreadable)
        var seen: [TransactionID: Transaction] = [:]
        for purchase in purchases {
            do throws(NoTransaction) {
                let transaction = try purchase.asTransaction()
                if let other = seen.updateValue(transaction, forKey: transaction.id) {
                    guard other != transaction else { continue }
                    receipt.transactions.removeAll { $0.id == transaction.id }
                    throw NoTransaction(key: ParseAnomaly.duplicateKey)
                }
                receipt.transactions.append(transaction)
            } catch {
                receipt.anomalies.append(
                    ParseAnomaly(key: error.key, transaction: purchase.transaction))
            }
        }
        receipt.transactions.inferUpgrades()
        return receipt
    }

    private var storeEnvironment: StoreEnvironment? {
        switch environment {
        case "Production", "ProductionVPP": .production
        case "ProductionSandbox", "ProductionVPPSandbox": .sandbox
        default: nil
        }
    }
}

/// Why a purchase is no transaction: verifyReceipt's word for what is missing or unreadable.
private struct NoTransaction: Error { let key: String }

extension InAppPurchase {
    fileprivate func asTransaction() throws(NoTransaction) -> Transaction {
        guard unreadable == 0 else { throw NoTransaction(key: "in_app") }
        guard let id = transaction, !id.text.isEmpty else {
            throw NoTransaction(key: "transaction_id")
        }
        guard let product, !product.text.isEmpty else { throw NoTransaction(key: "product_id") }
        guard let purchasedAt = try date(1_704, "purchase_date") else {
            throw NoTransaction(key: "purchase_date")
        }
        let original = originalTransaction.flatMap { $0.text.isEmpty ? nil : $0 }
        var transaction = Transaction(
            id: id, originalID: original ?? id, product: product, purchasedAt: purchasedAt,
            expiresAt: try date(1_708, "expires_date"),
            cancelledAt: try date(1_712, "cancellation_date"))
        transaction.isTrial = attributes.first(1_713)?.integer == 1
        transaction.isIntroductoryOffer = attributes.first(1_719)?.integer == 1
        transaction.promotionalOffer = attributes.first(1_721)?.text.flatMap {
            $0.isEmpty ? nil : $0
        }
        // 0 for a purchase that is no subscription.
        if let lineItem = attributes.first(1_711)?.integer, lineItem != 0 {
            transaction.lineItem = LineItemID(String(lineItem))
        }
        transaction.quantity = Int(max(1, attributes.first(1_701)?.integer ?? 1))
        return transaction
    }

    /// Nil where there is none, or one of no length, by which Apple says the same.
    private func date(_ type: Int64, _ key: String) throws(NoTransaction) -> Instant? {
        guard let attribute = attributes.first(type), !attribute.value.isEmpty,
            attribute.text?.isEmpty != true
        else { return nil }
        guard let instant = attribute.instant else { throw NoTransaction(key: key) }
        return instant
    }
}

extension [Transaction] {
    /// A receipt does not say which periods were upgraded, and has the time of an upgrade for a
    /// cancellation. So a period within which another product of its chain was bought, or that was
    /// cancelled when one was, counts as upgraded; and so does a renewal that was charged ahead and
    /// replaced before it began, which can replace nothing itself.
    fileprivate mutating func inferUpgrades() {
        let products = Dictionary(
            map { ($0.originalID, $0.product) }, uniquingKeysWith: { first, _ in first })
        var mixed: [TransactionID: [Period]] = [:]
        for transaction in self where products[transaction.originalID] != transaction.product {
            mixed[transaction.originalID] = []
        }
        guard !mixed.isEmpty else { return }
        for (place, transaction) in enumerated() {
            guard let period = Period(transaction, at: place) else { continue }
            mixed[transaction.originalID]?.append(period)
        }
        for periods in mixed.values.map({ $0.sorted { $0.boughtAt < $1.boughtAt } }) {
            func isOther(_ period: Period, than other: Period) -> Bool {
                self[period.place].product != self[other.place].product
            }
            let neverBegan = periods.indices.filter { number in
                let (period, earlier) = (periods[number], periods[..<number])
                let isToFollow = earlier.contains { period.beginsAtEnd(of: $0) }
                return earlier.reversed().prefix { period.mayBeChargedAhead(of: $0) }.contains {
                    isOther($0, than: period)
                        && period.isReplaced(aheadBy: $0, isToFollow: isToFollow)
                }
            }
            for number in neverBegan { self[periods[number].place].isUpgraded = true }
            let begun = periods.filter { !self[$0.place].isUpgraded }
            for (number, period) in begun.enumerated() {
                let later = begun[(number + 1)...].prefix {
                    period.mayBeReplaced(at: $0.boughtAt)
                }
                self[period.place].isUpgraded = later.contains { other in
                    period.isReplaced(at: other.boughtAt) && isOther(other, than: period)
                }
            }
        }
    }
}

/// A paid period of a chain, by the place of its transaction; instants in milliseconds.
private struct Period {
    let place: Int
    let boughtAt: Int64
    let endsAt: Int64
    let cancelledAt: Int64?

    /// How shortly before a period's end its renewal may be charged.
    private static let renewalLead: Int64 = 86_400_000
    /// How far apart the two ends of one upgrade may be written down.
    private static let sameMoment: Int64 = 60_000

    init?(_ transaction: Transaction, at place: Int) {
        guard let expiresAt = transaction.expiresAt else { return nil }
        (self.place, boughtAt) = (place, transaction.purchasedAt.milliseconds)
        endsAt = expiresAt.milliseconds
        cancelledAt = transaction.cancelledAt?.milliseconds
    }

    /// Whether it may have been charged already when `other`, an earlier purchase, was made.
    func mayBeChargedAhead(of other: Period) -> Bool {
        other.boughtAt > boughtAt - Self.renewalLead
    }

    func beginsAtEnd(of other: Period) -> Bool {
        abs(other.endsAt - boughtAt) <= Self.sameMoment
    }

    /// Whether `other`, bought shortly before this period would have begun and running on beyond
    /// that, took its place.
    /// - Parameter isToFollow: whether it was to begin where another ended. What was cancelled must
    ///   have been so when `other` was bought; else it was a refund.
    func isReplaced(aheadBy other: Period, isToFollow: Bool) -> Bool {
        guard other.boughtAt < boughtAt, other.endsAt > boughtAt + Self.sameMoment else {
            return false
        }
        return cancelledAt.map { abs($0 - other.boughtAt) <= Self.sameMoment } ?? isToFollow
    }

    /// Whether a purchase at `time` was an upgrade of it, or a later one may still have been.
    func mayBeReplaced(at time: Int64) -> Bool {
        time < endsAt - Self.renewalLead
            || cancelledAt.map { time <= $0 + Self.sameMoment } ?? false
    }

    func isReplaced(at time: Int64) -> Bool {
        guard time > boughtAt else { return false }
        if time < endsAt - Self.renewalLead { return true }
        return cancelledAt.map { abs(time - $0) <= Self.sameMoment } ?? false
    }
}
