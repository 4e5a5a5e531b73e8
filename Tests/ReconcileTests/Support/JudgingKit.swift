import Testing

@testable import Reconcile

/// The smallest values that a rule needs. Day 0 is the instant of judgement.
extension Instant {
    static let asOf = Instant(milliseconds: 1_795_140_000_000)

    /// PostgreSQL's infinities where `days` is infinite.
    static func day(_ days: Double) -> Instant {
        guard days.isFinite else { return days > 0 ? .distantFuture : .distantPast }
        return Instant(milliseconds: asOf.milliseconds + Int64(days * 86_400_000))
    }

    /// The number of its day, for example `-10` or `0.5`.
    var inDays: String {
        let days = Double(milliseconds - Instant.asOf.milliseconds) / 86_400_000
        return days == days.rounded() ? "\(Int(days))" : "\(days)"
    }
}

extension Transaction {
    static func once(_ id: TransactionID, _ product: ProductID, bought: Double) -> Transaction {
        Transaction(id: id, originalID: id, product: product, purchasedAt: .day(bought))
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
}

extension Receipt {
    static func showing(_ transactions: Transaction..., bundle: BundleID = "acme") -> Receipt {
        Receipt(
            bundle: bundle, environment: .production, createdAt: .day(-3),
            originalApplicationVersion: "5.0", transactions: transactions)
    }
}

extension ReceiptEvidence {
    static func stored(_ id: ReceiptID, _ validation: Validation) -> ReceiptEvidence {
        ReceiptEvidence(id: id, bundle: "acme", storedAt: .day(-5), validation: validation)
    }
}

extension LedgerEntry {
    static func open(_ finding: Finding) -> LedgerEntry {
        LedgerEntry(
            id: finding.identity.id, state: .open, identity: finding.identity,
            receipt: finding.receipt, firstSeen: .day(-1), eventAt: finding.eventAt)
    }

    static func refund(
        _ reference: String = "1", cancelled: Double, kind: FindingKind = .refundRecorded
    ) -> LedgerEntry {
        let identity = FindingIdentity(
            kind: kind, user: "u", entitlement: nil, reference: reference)
        return LedgerEntry(
            id: identity.id, state: .event, identity: identity, firstSeen: .day(-30),
            eventAt: .day(cancelled))
    }
}

extension Judge {
    static let acme = Judge(.acme)

    init(_ catalog: Catalog, isOffline: Bool = false) {
        self.init(
            catalog: catalog, settings: JudgingSettings(asOf: .asOf, isOffline: isOffline))
    }

    func judgement(
        of receipts: [ReceiptEvidence], _ rows: [StoredEntitlement],
        after history: UserHistory = UserHistory()
    ) -> Judgement {
        judgement(
            of: UserEvidence(user: "u", receipts: receipts, entitlements: rows), history: history)
    }
}

extension Judgement {
    var kinds: [FindingKind] { findings.map(\.kind).sorted { $0.rawValue < $1.rawValue } }

    /// The bucket of the only row, or of each row.
    var bucket: String {
        let found = Array(repeating: "with_finding", count: entitlements.withFinding)
        let all = (found + buckets).sorted()
        return all.isEmpty ? "none" : all.joined(separator: ", ")
    }

    private var buckets: [String] {
        let tally = entitlements
        return [
            "consistent": tally.consistent, "settling": tally.settling,
            "unverified": tally.unverified, "not_judged": tally.notJudged,
        ].flatMap { Array(repeating: $0.key, count: $0.value) }
    }

    /// Every finding as its kind and its row, if it has one, and every row without a finding by its
    /// bucket; sorted.
    var outcome: [String] {
        let told = findings.map { finding in
            finding.kind.rawValue + (finding.entitlement.map { " \($0)" } ?? "")
        }
        return (told + buckets).sorted()
    }

    func only(_ kind: FindingKind) throws -> Finding {
        let found = findings.filter { $0.kind == kind }
        #expect(found.count == 1)
        return try #require(found.first)
    }
}
