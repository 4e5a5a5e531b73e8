final class UserCase: Sendable {
    let evidence: UserEvidence
    let settings: JudgingSettings
    let history: UserHistory
    let sweptRefunds: Set<TransactionID>
    let kinds: ProductKinds
    /// From right-giving answers.
    let purchases: Purchases
    /// Cancelled purchases that were not upgraded, also those that earlier runs reported.
    let cancellations: [CancelledPurchase]
    let grantors: [Grantor]
    let grandfathering: Grandfathering
    /// Whether evidence is missing: a receipt of the user could not be checked or read.
    let isEvidenceMissing: Bool
    /// The newest `stored_at` of the receipts with a right-giving answer.
    let newestProofStoredAt: Instant?
    let verified: [VerifiedReceipt]

    init(
        _ evidence: UserEvidence, catalog: Catalog, settings: JudgingSettings,
        history: UserHistory = UserHistory(), sweptRefunds: Set<TransactionID> = []
    ) {
        self.evidence = evidence
        self.settings = settings
        self.history = history
        self.sweptRefunds = sweptRefunds
        let verified = evidence.receipts.answers
        let rightGiving = verified.filter(\.isRightGiving)
        self.verified = verified
        kinds = ProductKinds(
            catalog: catalog, seenExpiring: verified.seenExpiring(catalog, settings.asOf),
            typed: verified.typedKinds, signed: evidence.receipts.signedKinds)
        purchases = Purchases(in: rightGiving, asOf: settings.asOf, kinds: kinds)
        cancellations = purchases.all.compactMap { purchase in
            guard let cancelledAt = purchase.cancelledAt, !purchase.isUpgraded else { return nil }
            return CancelledPurchase(purchase: purchase, at: cancelledAt)
        }
        grantors = Grantors(of: purchases, kinds: kinds, asOf: settings.asOf).all
        grandfathering = Grandfathering(receipts: verified, catalog: catalog)
        isEvidenceMissing =
            evidence.invalidReceipts > 0
            || evidence.receipts.contains(where: \.isMissing)
            || !settings.knowsLaterFacts && !evidence.receipts.isEmpty
        newestProofStoredAt =
            evidence.receipts.lazy.filter { $0.answers.contains(where: \.isRightGiving) }
            .map(\.storedAt).max()
    }

    var catalog: Catalog { kinds.catalog }

    var hasNoReceipt: Bool {
        evidence.receipts.isEmpty && evidence.invalidReceipts == 0
    }

    /// Whether a row of the user cannot be read. It may grant anything.
    var hasUnreadableRow: Bool { evidence.invalidEntitlements > 0 }

    func bestGrantor(of right: Right) -> Grantor? {
        grantors.filter { $0.right == right }.min { $0.comesBefore($1, for: nil) }
    }

    /// - Parameter right: that of the row's product.
    func grantors(for row: StoredEntitlement, of right: Right) -> [Grantor] {
        let own = grantors.filter { grantor in
            grantor.gives(right)
                || grantor.chain.map { $0 == row.originalTransaction } ?? false
        }
        return own.count > 1 ? own.sorted { $0.comesBefore($1, for: row) } : own
    }

    func isGranted(_ row: StoredEntitlement) -> Bool { row.isGranted(asOf: settings.asOf) }

    func isInFlux(_ row: StoredEntitlement) -> Bool { row.updatedAt > settings.asOf }

    // MARK: What gives no right

    var xcodeReceipt: ReceiptID? {
        evidence.receipts.filter { $0.validation == .unusable(.xcode) }.map(\.id).min()
    }

    func purchaseInOtherApp(of right: Right) -> Purchase? {
        purchase(of: right, in: verified.filter(\.isForOtherApp))
    }

    func purchaseInSandbox(of right: Right) -> Purchase? {
        purchase(of: right, in: verified.filter { $0.receipt.environment == .sandbox })
    }

    /// The purchase with the smallest id in the receipt with the smallest id.
    private func purchase(of right: Right, in receipts: [VerifiedReceipt]) -> Purchase? {
        for source in receipts.sorted(by: { $0.id < $1.id }) {
            let purchases = source.purchases.filter { purchase in
                purchase.purchasedAt <= settings.asOf
                    && catalog.right(of: purchase.product) == right
            }
            if let first = purchases.min(by: { $0.id < $1.id }) { return first }
        }
        return nil
    }

    /// Whether an answer of any environment and app shows the subscription.
    func shows(_ chain: TransactionID) -> Bool {
        verified.contains { $0.receipt.transactions.contains { $0.originalID == chain } }
    }
}

extension [VerifiedReceipt] {
    /// Of several answers about a product the last one counts: Apple does not change a kind.
    fileprivate var typedKinds: [ProductID: ProductKind] {
        var kinds: [ProductID: ProductKind] = [:]
        for answer in self where !answer.receipt.kinds.isEmpty {
            kinds.merge(answer.receipt.kinds) { $1 }
        }
        return kinds
    }

    fileprivate func seenExpiring(_ catalog: Catalog, _ asOf: Instant) -> Set<ProductID> {
        var products: Set<ProductID> = []
        for receipt in self {
            // Skips repeated lookups: transactions of one product are adjacent.
            var known: ProductID?
            for index in receipt.receipt.transactions.indices {
                let purchase = Purchase(at: index, of: receipt)
                guard purchase.expiresAt != nil, purchase.purchasedAt <= asOf,
                    purchase.product != known
                else { continue }
                known = purchase.product
                if !catalog.has(purchase.product) { products.insert(purchase.product) }
            }
        }
        return products
    }
}

extension [ReceiptEvidence] {
    /// Each answer once, in the order of the receipts.
    var answers: [VerifiedReceipt] {
        let all = flatMap(\.answers)
        guard all.count > 1, all.contains(where: { $0.proof == .serverAPI }) else { return all }
        var seen: Set<ObjectIdentifier> = []
        return all.filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    /// Without products for which two receipts name different kinds.
    fileprivate var signedKinds: [ProductID: ProductKind] {
        var kinds: [ProductID: Set<ProductKind>] = [:]
        for (product, kind) in lazy.flatMap({ $0.signedKinds }) {
            kinds[product, default: []].insert(kind)
        }
        return kinds.compactMapValues { $0.count == 1 ? $0.first : nil }
    }
}
