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
    static func once(_ id: TransactionID, _ product: ProductID, bought: Double) -> Transaction {
        Transaction(id: id, originalID: id, product: product, purchasedAt: .day(bought))
    }
}

extension Receipt {
    static func showing(_ transactions: Transaction..., bundle: BundleID = "acme") -> Receipt {
        Receipt(
            bundle: bundle, environment: .production, createdAt: .day(-3),
            originalApplicationVersion: "5.0", transactions: transactions)
    }
}

extension ReceiptEvidence {
    static func stored(
        _ id: ReceiptID, _ validation: Validation, contradictions: [Contradiction] = [],
        kinds: [ProductID: ProductKind] = [:]
    ) -> ReceiptEvidence {
        ReceiptEvidence(
            id: id, bundle: "acme", storedAt: .day(-5), validation: validation,
            contradictions: contradictions, signedKinds: kinds)
    }
}

extension UserEvidence {
    /// The same receipts, as a run with this judge has them: offline by their own signatures.
    func proven(for judge: Judge) -> UserEvidence {
        guard !judge.settings.knowsLaterFacts else { return self }
        var offline = self
        offline.receipts = receipts.map { receipt in
            ReceiptEvidence(
                id: receipt.id, bundle: receipt.bundle, storedAt: receipt.storedAt,
                validation: receipt.validation, proof: .ownSignature,
                contradictions: receipt.contradictions,
                answerContradictions: receipt.answerContradictions,
                unanswered: receipt.unanswered, signedKinds: receipt.signedKinds)
        }
        return offline
    }
}

extension Catalog {
    /// Subscriptions of two groups and of none, and products of each other kind.
    static let acme = Catalog(
        products: [
            .subscription("pro.monthly", group: "G", level: 2, per: .month),
            .subscription("pro.yearly", group: "G", level: 2),
            .subscription("max.monthly", group: "G", level: 1),
            .subscription("lite.monthly", group: "G", level: 3),
            .subscription("plus.monthly", group: "G"),
            .subscription("news.weekly", group: "N", level: 1), .subscription("solo.monthly"),
            .pass("pass", lasts: .days(30)), .pass("pass.unknown", lasts: nil),
            .boughtOnce("unlock"), .boughtOnce("full"), .consumable("coins"),
        ],
        apps: [
            CatalogApp(bundle: "acme", lastPaidVersion: "4.10", premiumProduct: "full"),
            CatalogApp(bundle: "other"),
        ])
}

extension LedgerEntry {
    static func refund(
        _ reference: String = "1", cancelled: Double, kind: FindingKind = .refundRecorded,
        state: State = .event
    ) -> LedgerEntry {
        let refund = FindingIdentity(kind: kind, user: "u", entitlement: nil, reference: reference)
        return LedgerEntry(
            id: refund.id, state: state, identity: refund, firstSeen: .day(-30),
            eventAt: .day(cancelled))
    }
}

extension Judge {
    static let acme = Judge(.acme)
    static let offline = Judge(.acme, knowsLaterFacts: false)

    init(_ catalog: Catalog, knowsLaterFacts: Bool = true) {
        self.init(
            catalog: catalog, settings: .init(asOf: .asOf, knowsLaterFacts: knowsLaterFacts))
    }

    func judgement(of receipts: [ReceiptEvidence], _ rows: [StoredEntitlement]) -> Judgement {
        judgement(of: UserEvidence(user: "u", receipts: receipts, entitlements: rows))
    }
}

extension Tally<EntitlementBucket> {
    /// The bucket of each row.
    var ofRows: [EntitlementBucket] {
        EntitlementBucket.allCases.flatMap { Array(repeating: $0, count: self[$0]) }
    }
}

extension Judgement {
    var kinds: [FindingKind] { findings.map(\.kind).sorted { $0.rawValue < $1.rawValue } }

    func only(
        _ kind: FindingKind, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Finding {
        let found = findings.filter { $0.kind == kind }
        #expect(found.count == 1, "\(kind.rawValue)", sourceLocation: sourceLocation)
        return try #require(found.first, sourceLocation: sourceLocation)
    }
}

/// Lines of Apple's answers as JSON text, which the parser reads, in days from the judgement.
enum AppleLine {
    typealias Members = [(key: String, value: String?)]

    static func period(
        _ id: String, of chain: String, from bought: Double, to end: Double, cancelled: Double?,
        order: String
    ) -> String {
        once(
            id, of: chain, "pro.monthly", bought: bought, cancelled: cancelled,
            [("expires_date_ms", ms(end)), ("web_order_line_item_id", order)])
    }

    static func once(
        _ id: String, of chain: String, _ product: String, bought: Double, cancelled: Double?,
        _ more: Members = []
    ) -> String {
        let own: Members = [
            ("transaction_id", id), ("original_transaction_id", chain), ("product_id", product),
            ("purchase_date_ms", ms(bought)), ("cancellation_date_ms", cancelled.map(ms)),
        ]
        return json(own + more)
    }

    static func json(_ members: Members) -> String {
        let known = members.compactMap { key, value in value.map { #""\#(key)":"\#($0)""# } }
        return "{" + known.joined(separator: ",") + "}"
    }

    static func ms(_ day: Double) -> String { "\(Instant.day(day).milliseconds)" }

    /// Status 0 with these lines. `firstGot`: when the customer first got the app.
    static func answer(
        inApp: [String] = [], latest: [String] = [], renewals: [String] = [],
        version: String = "5.0", firstGot: Double? = nil, created: Double = -3,
        bundle: String = "acme", environment: StoreEnvironment = .production
    ) -> String {
        let original = firstGot.map { #""original_purchase_date_ms":"\#(ms($0))","# } ?? ""
        return """
            {"status":0,"environment":"\(environment.rawValue)","receipt":{"bundle_id":"\(bundle)",\
            \(original)"original_application_version":"\(version)",\
            "receipt_creation_date_ms":"\(ms(created))","request_date_ms":"\(ms(0))",\
            "in_app":[\(inApp.joined(separator: ","))]},\
            "latest_receipt_info":[\(latest.joined(separator: ","))],\
            "pending_renewal_info":[\(renewals.joined(separator: ","))]}
            """
    }
}
