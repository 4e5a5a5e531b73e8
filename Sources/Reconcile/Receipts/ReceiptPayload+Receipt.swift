extension ReceiptPayload {
    /// The payload in the form of Apple's answer, for `--offline`; the caller checks the signature.
    /// Nil without an app, or with an environment other than the App Store's.
    ///
    /// The receipt's creation time is taken as the time of the answer. Renewals and family sharing
    /// are unknown, and upgrades are inferred.
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

    var storeEnvironment: StoreEnvironment? {
        switch environment {
        case "Production", "ProductionVPP": .production
        case "ProductionSandbox", "ProductionVPPSandbox": .sandbox
        default: nil
        }
    }
}

/// `key` is verifyReceipt's key of the missing or unreadable field.
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
        transaction.lineItem = lineItem
        transaction.quantity = Int(max(1, attributes.first(1_701)?.integer ?? 1))
        return transaction
    }

    /// Nil for an absent or an empty date; both mean "no date".
    private func date(_ type: Int64, _ key: String) throws(NoTransaction) -> Instant? {
        guard let attribute = attributes.first(type), !attribute.value.isEmpty,
            attribute.text?.isEmpty != true
        else { return nil }
        guard let instant = attribute.instant else { throw NoTransaction(key: key) }
        return instant
    }
}

extension [Transaction] {
    /// Sets `isUpgraded`, which a receipt lacks: it shows the time of an upgrade as a cancellation.
    ///
    /// A period counts as upgraded when another product of its chain was bought within the period,
    /// or at the time of its cancellation. A renewal that was charged ahead and replaced before it
    /// began also counts as upgraded, and cannot replace another period.
    fileprivate mutating func inferUpgrades() {
        let products = Dictionary(
            map { ($0.originalID, $0.product) }, uniquingKeysWith: { first, _ in first })
        var mixed: [TransactionID: [Period]] = [:]
        for transaction in self where products[transaction.originalID] != transaction.product {
            mixed[transaction.originalID] = []
        }
        guard !mixed.isEmpty else { return }
        for (index, transaction) in enumerated() {
            guard let period = Period(transaction, at: index) else { continue }
            mixed[transaction.originalID]?.append(period)
        }
        for periods in mixed.values.map({ $0.sorted { $0.boughtAt < $1.boughtAt } }) {
            func isOther(_ period: Period, than other: Period) -> Bool {
                self[period.index].product != self[other.index].product
            }
            let neverBegan = periods.indices.filter { number in
                let period = periods[number]
                let earlier = periods[..<number]
                let isToFollow = earlier.contains { period.beginsAtEnd(of: $0) }
                return earlier.reversed().prefix { period.mayBeChargedAhead(of: $0) }.contains {
                    isOther($0, than: period)
                        && period.isReplaced(aheadBy: $0, isToFollow: isToFollow)
                }
            }
            for number in neverBegan { self[periods[number].index].isUpgraded = true }
            let begun = periods.filter { !self[$0.index].isUpgraded }
            for (number, period) in begun.enumerated() {
                let later = begun[(number + 1)...].prefix {
                    period.mayBeReplaced(at: $0.boughtAt)
                }
                self[period.index].isUpgraded = later.contains { other in
                    period.isReplaced(at: other.boughtAt) && isOther(other, than: period)
                }
            }
        }
    }
}

/// A paid period of a chain. `index` is that of its transaction; instants in milliseconds.
private struct Period {
    let index: Int
    let boughtAt: Int64
    let endsAt: Int64
    let cancelledAt: Int64?

    /// Milliseconds. Apple may charge a renewal this long before the end of the period.
    private static let renewalLead: Int64 = 86_400_000
    /// Milliseconds. The greatest difference between the two recorded times of one upgrade.
    private static let sameMoment: Int64 = 60_000

    init?(_ transaction: Transaction, at index: Int) {
        guard let expiresAt = transaction.expiresAt else { return nil }
        self.index = index
        boughtAt = transaction.purchasedAt.milliseconds
        endsAt = expiresAt.milliseconds
        cancelledAt = transaction.cancelledAt?.milliseconds
    }

    /// Whether this period may have been charged already at `other`, an earlier purchase.
    func mayBeChargedAhead(of other: Period) -> Bool {
        other.boughtAt > boughtAt - Self.renewalLead
    }

    func beginsAtEnd(of other: Period) -> Bool {
        abs(other.endsAt - boughtAt) <= Self.sameMoment
    }

    /// Whether `other` replaced this period before it began: bought before this period, and ending
    /// after its start.
    /// - Parameter isToFollow: whether this period was to begin at the end of another one. A
    ///   cancelled period was replaced if it was cancelled at the purchase of `other`, and refunded
    ///   otherwise.
    func isReplaced(aheadBy other: Period, isToFollow: Bool) -> Bool {
        guard other.boughtAt < boughtAt, other.endsAt > boughtAt + Self.sameMoment else {
            return false
        }
        return cancelledAt.map { abs($0 - other.boughtAt) <= Self.sameMoment } ?? isToFollow
    }

    /// Whether a purchase at `time` or later can be an upgrade of this period.
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
