// A purchase vanished when Apple showed it before, it still runs, and no answer of this run has it.
// Until Apple shows what became of it, no row of its right is accused.

extension Judge {
    /// The purchases that give a right at the instant of judgement. Consumables never do.
    func running(_ purchases: [KnownPurchase]) -> [KnownPurchase] {
        guard !purchases.isEmpty else { return [] }
        var endOfPasses: [ProductID: Instant] = [:]
        return purchases.sorted { $0.purchasedAt < $1.purchasedAt }.filter { purchase in
            guard purchase.purchasedAt <= settings.asOf else { return false }
            switch catalog.kind(of: purchase) {
            case .autoRenewable: return purchase.endsAt.map { $0 > settings.asOf } ?? false
            case .nonConsumable: return true
            case .nonRenewing:
                guard let end = catalog.end(of: purchase, after: endOfPasses[purchase.product])
                else { return false }
                endOfPasses[purchase.product] = end
                return end > settings.asOf
            case .consumable, nil: return false
            }
        }
    }
}

extension Judge {
    /// The purchases that still run and that the answer about their receipt lacks.
    func missing(_ purchases: [KnownPurchase], in answer: Receipt) -> [KnownPurchase] {
        running(purchases).filter { purchase in
            let isForGood = catalog.kind(of: purchase) == .nonConsumable
            return !answer.shows(purchase, isForGood: isForGood) && !answer.showsLater(purchase)
        }
    }
}

extension Catalog {
    func kind(of purchase: KnownPurchase) -> ProductKind? {
        products[purchase.product]?.kind
            ?? (purchase.endsAt == nil ? purchase.kind : purchase.kind ?? .autoRenewable)
    }

    /// The end of a pass that starts at its purchase or at the end of the passes before it; nil
    /// without an `access_duration`.
    fileprivate func end(of pass: KnownPurchase, after earlier: Instant?) -> Instant? {
        if let end = pass.endsAt { return end }
        let start = max(earlier ?? .distantPast, pass.purchasedAt)
        return products[pass.product]?.accessDuration?.added(to: start)
    }
}

extension UserCase {
    func hasVanishedPurchase(of right: Right) -> Bool {
        let signed = evidence.receipts.lazy.flatMap(\.unanswered)
            .map { (purchase: $0, isSigned: true) }
        let judged = history.runningPurchases.lazy
            .filter { !self.isKnownToBeRefunded($0) }
            .map { (purchase: $0, isSigned: false) }
        return (Array(signed) + Array(judged)).contains { purchase, isSigned in
            catalog.right(of: purchase.product) == right
                && !isStillValid(purchase, isSigned: isSigned)
        }
    }

    /// Whether an answer of this run, of any environment and app, has the purchase: by its id, its
    /// line item or a non-consumable's original id; or a later one of the chain in a receipt.
    private func isStillValid(_ purchase: KnownPurchase, isSigned: Bool) -> Bool {
        let isForGood = catalog.kind(of: purchase) == .nonConsumable
        return verified.contains { source in
            source.receipt.shows(purchase, isForGood: isForGood)
                || isSigned && source.receipt.showsLater(purchase)
        }
    }

    private func isKnownToBeRefunded(_ purchase: KnownPurchase) -> Bool {
        let isForGood = catalog.kind(of: purchase) == .nonConsumable
        let reference =
            purchase.lineItem?.text
            ?? (isForGood ? purchase.originalID.text : purchase.id.text)
        return history.refunds[reference].map { !$0.isReversed } ?? false
    }
}
