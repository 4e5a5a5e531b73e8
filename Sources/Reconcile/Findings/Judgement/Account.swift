/// One user at one instant: what Apple shows and what it grants, worked out once for all rules.
struct Account {
    let evidence: UserEvidence
    let catalog: Catalog
    let settings: JudgingSettings
    let history: UserHistory
    let rules: EntitlementRules
    /// From right-giving answers.
    let purchases: Purchases
    let grantors: [Grantor]
    let grandfathering: Grandfathering
    /// By right, a purchase that stands in an answer for another app.
    let purchasesInOtherApps: [Right: Purchase]
    /// By right, a purchase that stands in a sandbox answer.
    let purchasesInSandbox: [Right: Purchase]
    /// Something that could speak for the user could not be read (SPEC §5).
    let isEvidenceMissing: Bool
    /// The newest `stored_at` of the receipts with a right-giving answer.
    let newestProofStoredAt: Instant?

    init(
        _ evidence: UserEvidence, catalog: Catalog, settings: JudgingSettings,
        history: UserHistory = UserHistory()
    ) {
        (self.evidence, self.catalog, self.settings) = (evidence, catalog, settings)
        self.history = history
        let asOf = settings.asOf
        let verified = evidence.receipts.compactMap(\.verified)
        let rightGiving = verified.filter(\.isRightGiving)
        purchases = Purchases(in: rightGiving, asOf: asOf)
        rules = EntitlementRules(
            catalog: catalog,
            productsSeenExpiring: Self.productsSeenExpiring(verified, catalog, asOf),
            signedKinds: Self.signedKinds(evidence.receipts))
        grantors = rules.grantors(of: purchases, asOf: asOf)
        grandfathering = Grandfathering(receipts: verified, catalog: catalog)
        func witnesses(_ isIncluded: (VerifiedReceipt) -> Bool) -> [Right: Purchase] {
            Self.witnesses(verified.filter(isIncluded), catalog, asOf)
        }
        purchasesInSandbox = witnesses { $0.receipt.environment == .sandbox }
        purchasesInOtherApps = witnesses(\.isForOtherApp)
        isEvidenceMissing =
            evidence.invalidReceipts > 0
            || evidence.receipts.contains(where: \.isMissing)
            || settings.isOffline && !evidence.receipts.isEmpty
        newestProofStoredAt = rightGiving.map(\.storedAt).max()
    }

    /// Of several the one with the smallest id.
    var xcodeReceipt: ReceiptID? {
        evidence.receipts.filter { $0.validation == .unusable(.xcode) }.map(\.id).min()
    }

    var hasNoReceipt: Bool {
        evidence.receipts.isEmpty && evidence.invalidReceipts == 0
    }

    var hasGrantedRow: Bool {
        evidence.entitlements.contains { $0.isGranted(asOf: settings.asOf) }
    }

    /// A granted row of the App Store has no entitling grantor, and what the app cost does not give
    /// it either: a bad receipt may be all that it rests on.
    var hasUnprovenRow: Bool {
        evidence.entitlements.contains { row in
            row.source == .appStore && row.isGranted(asOf: settings.asOf)
                && !(grantors(for: row).first?.entitles ?? false)
                && grandfathering.verdict(on: row.product) != .paid
        }
    }

    /// The grantors of a stored row, the best first (SPEC §4.4).
    func grantors(for row: StoredEntitlement) -> [Grantor] {
        let right = catalog.right(of: row.product)
        let own = grantors.filter { grantor in
            grantor.rights.contains(right)
                || grantor.chain.map { $0 == row.originalTransaction } ?? false
        }
        return own.count > 1 ? own.sorted { $0.comesBefore($1, for: row) } : own
    }

    private static func productsSeenExpiring(
        _ receipts: [VerifiedReceipt], _ catalog: Catalog, _ asOf: Instant
    ) -> Set<ProductID> {
        var products: Set<ProductID> = []
        for receipt in receipts {
            // Lines of one product stand side by side: it is looked up once.
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

    /// A product of which two receipts say different things is left out.
    private static func signedKinds(_ receipts: [ReceiptEvidence]) -> [ProductID: ProductKind] {
        var kinds: [ProductID: Set<ProductKind>] = [:]
        for (product, kind) in receipts.lazy.flatMap({ $0.signedKinds }) {
            kinds[product, default: []].insert(kind)
        }
        return kinds.compactMapValues { $0.count == 1 ? $0.first : nil }
    }

    /// By right, the purchase with the smallest id in the receipt with the smallest id.
    private static func witnesses(
        _ receipts: [VerifiedReceipt], _ catalog: Catalog, _ asOf: Instant
    ) -> [Right: Purchase] {
        var witnesses: [Right: Purchase] = [:]
        for source in receipts.sorted(by: { $0.id < $1.id }) {
            let purchases = source.purchases.filter { $0.purchasedAt <= asOf }
            for purchase in purchases.sorted(by: { $0.id < $1.id }) {
                let right = catalog.right(of: purchase.product)
                if witnesses[right] == nil { witnesses[right] = purchase }
            }
        }
        return witnesses
    }
}

extension ReceiptEvidence {
    var verified: VerifiedReceipt? {
        guard case .verified(let receipt) = validation else { return nil }
        return VerifiedReceipt(
            id: id, storedBundle: bundle, storedAt: storedAt, receipt: receipt)
    }
}
