@testable import Reconcile
@testable import TestSupport

/// One user of a random world, the same for the same seed: a handful of chains and purchases,
/// spread over overlapping receipts, and rows that may or may not agree with them.
struct RandomAccount {
    var receipts: [ReceiptEvidence]
    var rows: [StoredEntitlement]

    private static let subscriptions: [ProductID] = [
        "pro.monthly", "pro.yearly", "max.monthly", "lite.monthly", "plus.monthly", "solo.monthly",
        "news.weekly", "nobody.knows",
    ]
    private static let onceOnly: [ProductID] = ["unlock", "full", "pass", "coins", "nobody.sells"]

    var evidence: UserEvidence {
        UserEvidence(user: "u", receipts: receipts, entitlements: rows)
    }

    var judgement: Judgement { Judge.acme.judgement(of: evidence) }

    init(seed: UInt64) {
        var random = SeededGenerator(seed)
        let (transactions, renewals) = Self.purchases(&random)
        receipts = (0..<Int.random(in: 0...3, using: &random)).map { number in
            Self.receipt(number, transactions, renewals, &random)
        }
        rows = (0..<Int.random(in: 0...4, using: &random)).map { number in
            let row = Self.row(number, &random)
            guard Self.chance(50, &random) else { return row }
            return row.agreeing(with: transactions.randomElement(using: &random))
        }
    }

    private static func purchases(
        _ random: inout SeededGenerator
    ) -> ([Transaction], [Renewal]) {
        var transactions: [Transaction] = []
        var renewals: [Renewal] = []
        for chain in 1...Int.random(in: 1...3, using: &random) {
            let product = subscriptions.randomElement(using: &random) ?? "pro.monthly"
            let isShared = chance(10, &random)
            var end = Double.random(in: -70...40, using: &random)
            for period in 0..<Int.random(in: 1...3, using: &random) {
                let isUpgraded = chance(10, &random)
                let another = subscriptions.randomElement(using: &random) ?? product
                let isCancelled = chance(20, &random)
                transactions.append(
                    .monthly(
                        TransactionID("\(chain)\(period)"), of: TransactionID("\(chain)0"),
                        chance(15, &random) ? another : product, bought: end - 30,
                        cancelled: isCancelled
                            ? end - Double.random(in: -5...29, using: &random) : nil,
                        isUpgraded: isUpgraded, isFamilyShared: isShared))
                end -= 30
            }
            renewals.append(
                Renewal(
                    originalID: TransactionID("\(chain)0"), willRenew: .random(using: &random),
                    isInBillingRetry: chance(20, &random),
                    gracePeriodExpiresAt: chance(20, &random)
                        ? .day(.random(in: -5...9, using: &random)) : nil))
        }
        for number in 0..<Int.random(in: 0...3, using: &random) {
            let bought = Double.random(in: -50...1, using: &random)
            transactions.append(
                .once(
                    TransactionID("9\(number)"), onceOnly.randomElement(using: &random) ?? "full",
                    bought: bought,
                    cancelled: chance(25, &random)
                        ? bought + .random(in: 0...20, using: &random) : nil))
        }
        return (transactions, renewals)
    }

    private static func receipt(
        _ number: Int, _ transactions: [Transaction], _ renewals: [Renewal],
        _ random: inout SeededGenerator
    ) -> ReceiptEvidence {
        let failures: [Validation] = [
            .unverified(.timeout), .unusable(.jws), .unusable(.notAReceipt), .unusable(.xcode),
            .rejected(.notAuthentic),
        ]
        var receipt = Receipt.showing(
            bundle: chance(8, &random) ? "other" : "acme",
            environment: chance(8, &random) ? .sandbox : .production,
            style: chance(10, &random) ? .iOS6 : .modern,
            version: ["4.0", "4.10", "5.0", "5.0", "4.1b2", nil].randomElement(using: &random)
                ?? nil,
            created: [-3, -4].randomElement(using: &random),
            anomalies: chance(4, &random) ? [ParseAnomaly(key: "product_id")] : [])
        if receipt.style == .iOS6 { receipt.createdAt = nil }
        receipt.transactions = transactions.filter { _ in chance(75, &random) }
        receipt.renewals = renewals.filter { _ in chance(75, &random) }
        let validation =
            chance(15, &random)
            ? failures.randomElement(using: &random) ?? .unverified(.timeout) : .verified(receipt)
        return ReceiptEvidence(
            id: ReceiptID("r\(number)"), bundle: "acme",
            storedAt: .day(.random(in: -20 ... -1, using: &random)), validation: validation)
    }

    private static func row(_ number: Int, _ random: inout SeededGenerator) -> StoredEntitlement {
        let chains: [TransactionID?] = [nil, nil, "10", "20", "30", "90"]
        let sources: [EntitlementSource] = [
            .appStore, .appStore, .appStore, .appStore, .legacyPaid, .other("promo"),
        ]
        return .row(
            EntitlementID("e\(number)"),
            (subscriptions + onceOnly).randomElement(using: &random) ?? "full",
            chain: chains.randomElement(using: &random) ?? nil, isActive: chance(75, &random),
            expires: chance(75, &random) ? .random(in: -9...60, using: &random) : nil,
            autoRenew: [nil, true, false].randomElement(using: &random) ?? nil,
            ownership: [nil, .purchased, .familyShared].randomElement(using: &random) ?? nil,
            source: sources.randomElement(using: &random) ?? .appStore,
            updated: chance(5, &random) ? 0.5 : .random(in: -30 ... -0.1, using: &random))
    }

    private static func chance(_ percent: Int, _ random: inout SeededGenerator) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }
}

extension StoredEntitlement {
    /// The row that a service would write after `transaction`, without deciding whether it grants.
    fileprivate func agreeing(with transaction: Transaction?) -> StoredEntitlement {
        guard let transaction else { return self }
        return StoredEntitlement(
            id: id, user: user, product: transaction.product,
            originalTransaction: transaction.originalID, isActive: isActive,
            expiresAt: transaction.expiresAt, autoRenew: autoRenew, ownership: ownership,
            source: source, updatedAt: updatedAt)
    }
}

extension Judgement {
    /// A value that does not depend on the order of rows and receipts.
    var unordered: some Equatable {
        Unordered(
            findings: Set(findings), count: findings.count, entitlements: entitlements,
            purchases: Set(purchases), receipts: Set(receipts),
            notReported: Set(notReported), remembered: Set(remembered),
            unknownProducts: Set(unknownProducts))
    }

    private struct Unordered: Equatable {
        let findings: Set<Finding>
        let count: Int
        let entitlements: EntitlementTally
        let purchases: Set<PurchaseSighting>
        let receipts: Set<ReceiptSighting>
        let notReported: Set<NotReported>
        let remembered: Set<Finding>
        let unknownProducts: Set<UnknownProduct>
    }

    /// The accusing findings, by identity.
    var leaks: Set<String> {
        Set(findings.filter { $0.direction == .leak }.map(\.identity.id))
    }

    var facts: Set<Finding> {
        Set(
            findings.filter { $0.kind.file != .receipts }.map { finding in
                var finding = finding
                finding.explanation = ""
                return finding
            })
    }
}
