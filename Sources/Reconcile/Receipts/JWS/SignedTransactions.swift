/// A customer's signed transactions, each once. Of several of one id the one signed last counts:
/// Apple shows a transaction twice that changes while its pages are read.
struct SignedTransactions: Sendable {
    private struct Entry: Sendable {
        let signed: SignedTransaction
        /// Others of the same id and date say something else: none of them counts.
        var isContradicted = false
    }

    private var entries: [TransactionID: Entry] = [:]
    private var order: [TransactionID] = []
    private var anomalies: [ParseAnomaly] = []

    private(set) var hasSubscription = false

    mutating func add(_ payload: SignedPayload) {
        let signed = SignedTransaction(payload)
        if signed.expiresAt != .absent || signed.kind == .autoRenewable { hasSubscription = true }
        guard let id = signed.id else {
            anomalies.append(ParseAnomaly(key: "transactionId"))
            return
        }
        guard let known = entries[id] else {
            order.append(id)
            entries[id] = Entry(signed: signed)
            return
        }
        let former = known.signed.signedAt.instant ?? .distantPast
        let latter = signed.signedAt.instant ?? .distantPast
        if latter > former {
            entries[id] = Entry(signed: signed)
        } else if latter == former, signed != known.signed {
            entries[id]?.isContradicted = true
        }
    }

    func write(to receipt: inout Receipt) {
        receipt.anomalies = anomalies
        receipt.transactions.reserveCapacity(order.count)
        for id in order {
            guard let entry = entries[id] else { continue }
            if entry.isContradicted {
                receipt.anomalies.append(
                    ParseAnomaly(key: ParseAnomaly.duplicateKey, transaction: id))
                continue
            }
            do throws(NoTransaction) {
                receipt.transactions.append(try entry.signed.transaction(id))
                if let kind = entry.signed.kind, let product = entry.signed.product {
                    receipt.kinds[product] = kind
                }
            } catch {
                receipt.anomalies.append(
                    ParseAnomaly(key: error.key.description, transaction: id))
            }
        }
    }
}

/// `key` is Apple's name of what is missing or unreadable.
private struct NoTransaction: Error { let key: StaticString }

extension SignedTransaction {
    /// Nil for a type that Apple added since.
    fileprivate var kind: ProductKind? {
        switch type {
        case "Auto-Renewable Subscription": .autoRenewable
        case "Non-Renewing Subscription": .nonRenewing
        case "Non-Consumable": .nonConsumable
        case "Consumable": .consumable
        default: nil
        }
    }

    private var isTrial: Bool { offerDiscountType == "FREE_TRIAL" }

    /// The identifier of an offer of this type, which is no trial. Apple gives it not for each.
    private func offer(_ type: String) -> String? {
        !isTrial && offerType == type ? offerIdentifier ?? "" : nil
    }

    fileprivate func transaction(_ id: TransactionID) throws(NoTransaction) -> Transaction {
        guard let product else { throw NoTransaction(key: "productId") }
        guard let purchasedAt = purchasedAt.instant else {
            throw NoTransaction(key: "purchaseDate")
        }
        guard expiresAt != .unreadable else { throw NoTransaction(key: "expiresDate") }
        guard revokedAt != .unreadable else { throw NoTransaction(key: "revocationDate") }
        let known = ownership.flatMap { Ownership(rawValue: $0) }
        return Transaction(
            id: id, originalID: originalID ?? id, product: product, purchasedAt: purchasedAt,
            originallyPurchasedAt: expiresAt == .absent ? originallyPurchasedAt.instant : nil,
            expiresAt: expiresAt.instant, cancelledAt: revokedAt.instant,
            cancellationReason: revocationReason, isUpgraded: isUpgraded, isTrial: isTrial,
            isIntroductoryOffer: offer("1") != nil, promotionalOffer: offer("2"),
            offerCode: offer("3"), ownership: known,
            isOwnershipUnknown: ownership != nil && known == nil, lineItem: lineItem,
            quantity: max(1, quantity ?? 1), isInLatest: true, sale: sale)
    }

    private var sale: Sale {
        let percentages = 0...100_000
        return Sale(
            price: price.flatMap { price in
                currency.map { SalePrice(thousandths: price, currency: $0) }
            },
            revocationPercentage:
                revocationPercentage
                .flatMap { percentages.contains($0) ? $0 : nil },
            isFamilyRevocation: revocationType == "FAMILY_REVOKE",
            isWinBack: offer("4") != nil,
            isMonthlyCommitment: billingPlanType == "MONTHLY", accountToken: appAccountToken)
    }
}
