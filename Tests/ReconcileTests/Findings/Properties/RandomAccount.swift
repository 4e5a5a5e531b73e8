@testable import Reconcile
@testable import TestSupport

/// One user of a random world, the same for the same seed: a handful of chains and purchases,
/// spread over overlapping receipts, and rows that may or may not agree with them.
struct RandomAccount {
    var receipts: [ReceiptEvidence]
    var rows: [StoredEntitlement]

    var evidence: UserEvidence {
        UserEvidence(user: "u", receipts: receipts, entitlements: rows)
    }

    var judgement: Judgement { Judge.acme.judgement(of: evidence) }

    init(seed: UInt64) {
        var dice = Dice(random: SeededGenerator(seed))
        let (transactions, renewals) = dice.purchases()
        receipts = (0..<dice.number(0...3)).map { dice.receipt($0, transactions, renewals) }
        rows = (0..<dice.number(0...4)).map { number in
            let row = dice.row(number)
            return dice.chance(50) ? row.agreeing(with: dice.one(of: transactions)) : row
        }
    }
}

private struct Dice {
    var random: SeededGenerator

    private static let subscriptions: [ProductID] = [
        "pro.monthly", "pro.yearly", "max.monthly", "lite.monthly", "plus.monthly", "solo.monthly",
        "news.weekly", "nobody.knows",
    ]
    private static let onceOnly: [ProductID] = ["unlock", "full", "pass", "coins", "nobody.sells"]

    mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }

    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

    mutating func day(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }

    mutating func one<T>(of choices: [T]) -> T { choices[number(0...choices.count - 1)] }

    mutating func purchases() -> ([Transaction], [Renewal]) {
        var transactions: [Transaction] = []
        var renewals: [Renewal] = []
        for chain in 1...number(1...3) {
            let product = one(of: Self.subscriptions)
            let isShared = chance(10)
            var end = day(-70...40)
            for period in 0..<number(1...3) {
                transactions.append(
                    .monthly(
                        TransactionID("\(chain)\(period)"), of: TransactionID("\(chain)0"),
                        chance(15) ? one(of: Self.subscriptions) : product, bought: end - 30,
                        cancelled: chance(20) ? end - day(-5...29) : nil, isUpgraded: chance(10),
                        isFamilyShared: isShared))
                end -= 30
            }
            renewals.append(
                Renewal(
                    originalID: TransactionID("\(chain)0"), willRenew: chance(50),
                    isInBillingRetry: chance(20),
                    gracePeriodExpiresAt: chance(20) ? .day(day(-5...9)) : nil))
        }
        for place in 0..<number(0...3) {
            let bought = day(-50...1)
            transactions.append(
                .once(
                    TransactionID("9\(place)"), one(of: Self.onceOnly), bought: bought,
                    cancelled: chance(25) ? bought + day(0...20) : nil))
        }
        return (transactions, renewals)
    }

    mutating func receipt(
        _ number: Int, _ transactions: [Transaction], _ renewals: [Renewal]
    ) -> ReceiptEvidence {
        let failures: [Validation] = [
            .unverified(.timeout), .unusable(.jws), .unusable(.notAReceipt), .unusable(.xcode),
            .rejected(.notAuthentic),
        ]
        var receipt = Receipt.showing(
            bundle: chance(8) ? "other" : "acme", environment: chance(8) ? .sandbox : .production,
            style: chance(10) ? .iOS6 : .modern,
            version: one(of: ["4.0", "4.10", "5.0", "5.0", "4.1b2", nil]),
            created: one(of: [-3, -4]), anomalies: chance(4) ? [anomaly] : [])
        if receipt.style == .iOS6 { receipt.createdAt = nil }
        receipt.transactions = transactions.filter { _ in chance(75) }
        receipt.renewals = renewals.filter { _ in chance(75) }
        return ReceiptEvidence(
            id: ReceiptID("r\(number)"), bundle: "acme", storedAt: .day(day(-20 ... -1)),
            validation: chance(15) ? one(of: failures) : .verified(receipt))
    }

    mutating func row(_ number: Int) -> StoredEntitlement {
        .row(
            EntitlementID("e\(number)"), one(of: Self.subscriptions + Self.onceOnly),
            chain: one(of: [nil, nil, "10", "20", "30", "90"]), isActive: chance(75),
            expires: chance(75) ? day(-9...60) : nil, autoRenew: one(of: [nil, true, false]),
            ownership: one(of: [nil, .purchased, .familyShared]),
            source: one(of: [
                .appStore, .appStore, .appStore, .appStore, .legacyPaid, .other("promo"),
            ]), updated: chance(5) ? 0.5 : day(-30 ... -0.1))
    }
}

extension StoredEntitlement {
    /// The row that a service would write after `transaction`, without deciding whether it grants.
    fileprivate func agreeing(with transaction: Transaction) -> StoredEntitlement {
        StoredEntitlement(
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
