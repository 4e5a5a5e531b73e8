@testable import Reconcile

/// The smallest values that a rule needs. Day 0 is the instant of judgement.
extension Instant {
    static let asOf = Instant(milliseconds: 1_795_140_000_000)

    /// PostgreSQL's infinities where `days` is infinite.
    static func day(_ days: Double) -> Instant {
        guard days.isFinite else { return days > 0 ? .distantFuture : .distantPast }
        return Instant(milliseconds: asOf.milliseconds + Int64(days * 86_400_000))
    }
}

extension Transaction {
    /// A month from `bought`, both in days from the instant of judgement.
    static func monthly(
        _ id: TransactionID = "1", of chain: TransactionID = "1",
        _ product: ProductID = "pro.monthly", bought: Double, days: Double = 30,
        cancelled: Double? = nil, reason: String? = nil, isUpgraded: Bool = false,
        isFamilyShared: Bool = false
    ) -> Transaction {
        Transaction(
            id: id, originalID: chain, product: product, purchasedAt: .day(bought),
            expiresAt: .day(bought + days), cancelledAt: cancelled.map(Instant.day),
            cancellationReason: reason, isUpgraded: isUpgraded,
            ownership: isFamilyShared ? .familyShared : .purchased)
    }

    static func once(
        _ id: TransactionID = "1", _ product: ProductID, bought: Double, cancelled: Double? = nil,
        isFamilyShared: Bool = false
    ) -> Transaction {
        Transaction(
            id: id, originalID: id, product: product, purchasedAt: .day(bought),
            cancelledAt: cancelled.map(Instant.day),
            ownership: isFamilyShared ? .familyShared : .purchased)
    }
}

extension Catalog {
    /// A group of subscriptions, one of another group, one without a group, and one product of each
    /// other kind.
    static let acme = Catalog(
        products: [
            CatalogProduct(
                id: "pro.monthly", kind: .autoRenewable, group: "G", serviceLevel: 2,
                billingPeriod: CalendarInterval(months: 1)),
            CatalogProduct(id: "pro.yearly", kind: .autoRenewable, group: "G", serviceLevel: 2),
            CatalogProduct(id: "max.monthly", kind: .autoRenewable, group: "G", serviceLevel: 1),
            CatalogProduct(id: "lite.monthly", kind: .autoRenewable, group: "G", serviceLevel: 3),
            CatalogProduct(id: "plus.monthly", kind: .autoRenewable, group: "G"),
            CatalogProduct(id: "news.weekly", kind: .autoRenewable, group: "N", serviceLevel: 1),
            CatalogProduct(id: "solo.monthly", kind: .autoRenewable),
            CatalogProduct(
                id: "pass", kind: .nonRenewing, accessDuration: CalendarInterval(days: 30)),
            CatalogProduct(id: "pass.unknown", kind: .nonRenewing),
            CatalogProduct(id: "unlock", kind: .nonConsumable),
            CatalogProduct(id: "full", kind: .nonConsumable),
            CatalogProduct(id: "coins", kind: .consumable),
        ],
        apps: [
            CatalogApp(bundle: "acme", lastPaidVersion: "4.10", premiumProduct: "full"),
            CatalogApp(bundle: "other"),
        ])

    func with(_ app: CatalogApp) -> Catalog {
        Catalog(products: Array(products.values), apps: Array(apps.values) + [app])
    }
}

extension Receipt {
    static func showing(
        _ transactions: Transaction..., renewals: [Renewal] = [], bundle: BundleID = "acme",
        environment: StoreEnvironment = .production, style: Style = .modern,
        version: String? = "5.0", created: Double? = -3, requested: Double? = nil,
        anomalies: [ParseAnomaly] = []
    ) -> Receipt {
        Receipt(
            style: style, bundle: bundle, environment: environment,
            createdAt: created.map(Instant.day), requestedAt: requested.map(Instant.day),
            originalApplicationVersion: version,
            transactions: transactions, renewals: renewals, anomalies: anomalies)
    }
}

extension Purchase {
    /// The purchases of one receipt with these transactions.
    static func shown(_ transactions: [Transaction]) -> [Purchase] {
        var receipt = Receipt.showing()
        receipt.transactions = transactions
        return VerifiedReceipt.stored(receipt).purchases
    }
}

extension ReceiptEvidence {
    static func stored(_ id: ReceiptID, _ validation: Validation) -> ReceiptEvidence {
        ReceiptEvidence(
            id: id, bundle: "acme", storedAt: .day(-5), validation: validation)
    }

    static func stored(_ validation: Validation) -> ReceiptEvidence { .stored("r1", validation) }
}

extension VerifiedReceipt {
    static func stored(_ id: ReceiptID, _ receipt: Receipt) -> VerifiedReceipt {
        VerifiedReceipt(id: id, storedBundle: "acme", storedAt: .day(-5), receipt: receipt)
    }

    static func stored(_ receipt: Receipt) -> VerifiedReceipt { .stored("r1", receipt) }
}

extension StoredDownloadKey {
    /// A key for receipt r1, which expires that many days after the instant of judgement.
    static func cut(
        _ key: String? = "key-1", for product: ProductID, ends: Double
    ) -> StoredDownloadKey {
        StoredDownloadKey(
            receipt: "r1", product: product, remoteProduct: "asset", key: key,
            expiresAt: .day(ends))
    }
}

extension StoredEntitlement {
    static func row(
        _ id: EntitlementID = "e1", _ product: ProductID = "pro.monthly",
        chain: TransactionID? = nil, isActive: Bool = true, expires: Double? = nil,
        autoRenew: Bool? = nil, ownership: Ownership? = nil,
        source: EntitlementSource = .appStore, updated: Double = -10
    ) -> StoredEntitlement {
        StoredEntitlement(
            id: id, user: "u", product: product, originalTransaction: chain, isActive: isActive,
            expiresAt: expires.map(Instant.day), autoRenew: autoRenew, ownership: ownership,
            source: source, updatedAt: .day(updated))
    }

    func updated(_ day: Double) -> StoredEntitlement {
        StoredEntitlement(
            id: id, user: user, product: product, originalTransaction: originalTransaction,
            isActive: isActive, expiresAt: expiresAt, autoRenew: autoRenew, ownership: ownership,
            source: source, updatedAt: .day(day))
    }
}

extension Judge {
    static let acme = Judge(catalog: .acme, settings: JudgingSettings(asOf: .asOf))

    func judgement(
        of receipts: [ReceiptEvidence], _ rows: [StoredEntitlement], invalidReceipts: Int = 0
    ) -> Judgement {
        judgement(
            of: UserEvidence(
                user: "u", receipts: receipts, invalidReceipts: invalidReceipts,
                entitlements: rows))
    }
}

extension Judgement {
    var kinds: [FindingKind] { findings.map(\.kind).sorted { $0.rawValue < $1.rawValue } }

    /// The findings of the first table, including rights without a row.
    var disagreements: [FindingKind] {
        kinds.filter { ![.expired, .refundRecorded, .familyRevocationRecorded].contains($0) }
    }

    var bucket: String {
        let tally = entitlements
        return switch 1 {
        case tally.consistent: "consistent"
        case tally.withFinding: "with_finding"
        case tally.settling: "settling"
        case tally.unverified: "unverified"
        case tally.notJudged: "not_judged"
        default: "none"
        }
    }
}
