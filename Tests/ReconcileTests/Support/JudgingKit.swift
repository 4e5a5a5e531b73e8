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
}

extension Transaction {
    /// A month from `bought`, both in days from the instant of judgement.
    static func monthly(
        _ id: TransactionID = "1", of chain: TransactionID = "1",
        _ product: ProductID = "pro.monthly", bought: Double, days: Double = 30,
        cancelled: Double? = nil, isUpgraded: Bool = false, isFamilyShared: Bool = false
    ) -> Transaction {
        var month = once(
            id, product, bought: bought, cancelled: cancelled, isFamilyShared: isFamilyShared)
        month.originalID = chain
        month.expiresAt = .day(bought + days)
        month.isUpgraded = isUpgraded
        return month
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
        version: String? = "5.0", created: Double? = -3, anomalies: [ParseAnomaly] = []
    ) -> Receipt {
        Receipt(
            style: style, bundle: bundle, environment: environment,
            createdAt: created.map(Instant.day), originalApplicationVersion: version,
            transactions: transactions, renewals: renewals, anomalies: anomalies)
    }
}

extension Purchase {
    /// The purchases of one receipt with these transactions.
    static func shown(_ transactions: [Transaction]) -> [Purchase] {
        var receipt = Receipt.showing()
        receipt.transactions = transactions
        return VerifiedReceipt(
            id: "r1", storedBundle: "acme", storedAt: .day(-5), receipt: receipt
        ).purchases
    }
}

extension ReceiptEvidence {
    static func stored(_ id: ReceiptID, _ validation: Validation) -> ReceiptEvidence {
        ReceiptEvidence(id: id, bundle: "acme", storedAt: .day(-5), validation: validation)
    }

    /// A receipt with this answer from Apple. An unreadable answer makes it unverified.
    static func answered(
        _ id: ReceiptID, _ answer: String, stored: Double = -5, bundle: BundleID = "acme"
    ) -> ReceiptEvidence {
        let read = try? VerifyReceiptAnswer.read(Array(answer.utf8), from: .production)
        return ReceiptEvidence(
            id: id, bundle: bundle, storedAt: .day(stored),
            validation: read?.receipt.map(Validation.verified) ?? .unverified(.malformedAnswer))
    }

    static func answered(_ answer: String) -> ReceiptEvidence { .answered("r1", answer) }
}

let unchecked = ReceiptEvidence.stored("r9", .unverified(.timeout))

extension StoredDownloadKey {
    /// A key for receipt r1, which expires that many days after the instant of judgement.
    static func cut(
        _ key: String? = "key-1", for product: ProductID, ends: Double
    ) -> StoredDownloadKey {
        StoredDownloadKey(
            receipt: "r1", product: product, remoteProduct: "asset", key: key, expiresAt: .day(ends)
        )
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
}

extension LedgerEntry {
    static func of(
        _ finding: Finding, state: State? = nil, firstSeen: Instant = .day(-1)
    ) -> LedgerEntry {
        LedgerEntry(
            id: finding.identity.id, state: state ?? (finding.kind.isEvent ? .event : .open),
            identity: finding.identity, receipt: finding.receipt, firstSeen: firstSeen,
            eventAt: finding.eventAt)
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

    /// A reversed refund that was reported.
    static func reversal(_ reference: String = "1", cancelled: Double) -> LedgerEntry {
        refund(reference, cancelled: cancelled, kind: .refundReversed)
    }
}

extension UserHistory {
    /// The history after a run that published what `judgement` found and remembered.
    init(after judgement: Judgement) {
        self.init(
            judgement.findings.map { LedgerEntry.of($0) }
                + judgement.remembered.map { LedgerEntry.of($0, state: .remembered) })
    }
}

extension Judge {
    static let acme = Judge(catalog: .acme, settings: JudgingSettings(asOf: .asOf))

    func judgement(
        of receipts: [ReceiptEvidence], _ rows: [StoredEntitlement], invalidReceipts: Int = 0,
        after history: UserHistory = UserHistory()
    ) -> Judgement {
        let evidence = UserEvidence(
            user: "u", receipts: receipts, invalidReceipts: invalidReceipts, entitlements: rows)
        return judgement(of: evidence, history: history)
    }
}

extension Judgement {
    var kinds: [FindingKind] { findings.map(\.kind).sorted { $0.rawValue < $1.rawValue } }

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

    /// Every finding as its kind and its row, if it has one, and every row without a finding by its
    /// bucket; sorted.
    var outcome: [String] {
        let tally = entitlements
        let told = findings.map { finding in
            finding.kind.rawValue + (finding.entitlement.map { " \($0)" } ?? "")
        }
        let buckets = [
            "consistent": tally.consistent, "settling": tally.settling,
            "unverified": tally.unverified, "not_judged": tally.notJudged,
        ].flatMap { Array(repeating: $0.key, count: $0.value) }
        return (told + buckets).sorted()
    }

    /// The amount and currency of the only finding of `kind`; `-` without an amount.
    func amount(of kind: FindingKind) throws -> String {
        let found = findings.filter { $0.kind == kind }
        #expect(found.count == 1)
        let amount = try #require(found.first).estimate?.amount
        return amount.map { "\($0.text) \($0.currency.code)" } ?? "-"
    }
}

/// One user's receipts and rows, and the complete outcome of judging them.
struct AnsweredCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let receipts: [ReceiptEvidence]
    let rows: [StoredEntitlement]
    let expected: [String]

    /// - Parameter expected: the words of `Judgement.outcome`, in any order.
    init(
        _ title: String, _ receipts: [ReceiptEvidence], _ rows: [StoredEntitlement],
        expected: [String]
    ) {
        testDescription = title
        self.receipts = receipts
        self.rows = rows
        self.expected = expected
    }

    func judgement(by catalog: Catalog = .acme) -> Judgement {
        Judge(catalog: catalog, settings: Judge.acme.settings).judgement(of: receipts, rows)
    }

    func check(by catalog: Catalog = .acme) {
        let judgement = judgement(by: catalog)
        #expect(judgement.outcome == expected.sorted())
        #expect(judgement.entitlements.isBalanced)
    }
}
