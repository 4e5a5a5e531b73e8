extension FindingKind {
    /// verifyReceipt and the App Store Server API tell otherwise of one customer.
    static let sourcesDisagree = FindingKind(
        "sources_disagree", .medium, .none, in: .receipts, action: .investigate,
        remedy: "both sources tell the same")
}

extension FactRule {
    static let sourcesDisagree = FactRule(.sourcesDisagree, from: .transactions) { user in
        user.evidence.receipts.compactMap { receipt in
            guard let own = receipt.answer(of: .verifyReceipt) else {
                return nil
            }
            let customers = receipt.answers.filter { $0.proof == .serverAPI }
            var differing = Set(user.unseenRefunds(in: own))
            if receipt.validation.isVerified, !customers.isEmpty {
                differing.formUnion(SourceComparison(of: own, with: customers, user).differing)
            }
            let others = differing.sorted { $0.isNumericallyLess(than: $1) }
            guard let first = others.first else { return nil }
            let more = others.count > 1 ? ", one of \(others.count) that differ" : ""
            var finding = Finding(
                kind: .sourcesDisagree, weight: FindingKind.sourcesDisagree.weight,
                user: user.evidence.user,
                explanation: "verifyReceipt's answer to \(receipt.named) and the App Store Server"
                    + " API's about its customer tell otherwise of transaction \(first)\(more).",
                reference: receipt.id.text)
            finding.receipt = receipt.id
            finding.source = .serverAPI
            finding.question = customers.first?.question ?? own.question
            finding.bundle = own.receipt.bundle
            finding.environment = own.receipt.environment
            return finding
        }
    }
}

extension Finding {
    var isOfDisagreement: Bool { kind == .sourcesDisagree }
}

/// Compares what two sources tell of one receipt's customer at the instant of judgement.
private struct SourceComparison {
    private let user: UserCase
    private let own: VerifiedReceipt
    private let customers: [VerifiedReceipt]
    private let byID: [TransactionID: Purchase]
    private let byLineItem: [LineItemID: Purchase]

    init(of own: VerifiedReceipt, with customers: [VerifiedReceipt], _ user: UserCase) {
        self.own = own
        self.customers = customers
        self.user = user
        let purchases = customers.flatMap(\.purchases)
        byID = Dictionary(purchases.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        byLineItem = Dictionary(
            purchases.compactMap { purchase in purchase.lineItem.map { ($0, purchase) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The transactions and chains of which the two tell otherwise.
    var differing: [TransactionID] { transactions + chains }

    private var transactions: [TransactionID] {
        let setAside = Set(customers.flatMap(\.receipt.anomalies).compactMap(\.transaction))
        return own.purchases(seenAsOf: user.settings.asOf)
            .filter { !setAside.contains($0.id) && differs($0) }.map(\.id)
    }

    private func differs(_ purchase: Purchase) -> Bool {
        guard let other = byID[purchase.id] ?? purchase.lineItem.flatMap({ byLineItem[$0] }) else {
            return isMissing(purchase)
        }
        return purchase.product != other.product
            || Self.differ(purchase.purchasedAt, other.purchasedAt)
            || purchase.hasEnd != other.hasEnd
            || Self.differ(purchase.expiresAt, other.expiresAt)
            || purchase.isCancelled != isCancelledNow(other)
    }

    /// Restores of a non-consumable have other ids and dates. Consumables may be used up.
    private func isMissing(_ purchase: Purchase) -> Bool {
        switch user.kinds.kind(of: purchase.product) {
        case .consumable: return false
        case .nonConsumable:
            let same = byID.values.filter { other in
                other.originalID == purchase.originalID
                    && user.kinds.kind(of: other.product) == .nonConsumable
            }
            guard let first = same.first else { return true }
            return first.product != purchase.product
                || purchase.isCancelled != same.contains(where: isCancelledNow)
        case .autoRenewable, .nonRenewing, nil: return true
        }
    }

    private func isCancelledNow(_ purchase: Purchase) -> Bool {
        (purchase.seen(asOf: user.settings.asOf) ?? purchase).isCancelled
    }

    private static func differ(_ one: Instant?, _ other: Instant?) -> Bool {
        guard let one, let other else { return false }
        return abs(one.milliseconds - other.milliseconds) > 1_000
    }

    /// Chains whose plan to renew differs.
    private var chains: [TransactionID] {
        let shown = Set(own.receipt.transactions.map(\.originalID))
        let others = Dictionary(
            customers.flatMap(\.receipt.renewals).map { ($0.originalID, $0) },
            uniquingKeysWith: { first, _ in first })
        return own.receipt.renewals.filter { renewal in
            guard shown.contains(renewal.originalID), let plan = renewal.willRenew,
                let other = others[renewal.originalID]?.willRenew
            else { return false }
            return plan != other
        }.map(\.originalID)
    }
}
