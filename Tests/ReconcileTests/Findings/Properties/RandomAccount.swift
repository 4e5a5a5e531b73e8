@testable import Reconcile
@testable import TestSupport

/// A user, the same in every run: a handful of purchases, spread over overlapping receipts, and
/// rows that may or may not agree with them.
struct RandomAccount: CustomStringConvertible {
    static let all = (UInt64(0)..<1500).map { RandomAccount(seed: $0) }

    let seed: UInt64
    let receipts: [ShownReceipt]
    let rows: [Row]
    let evidence: UserEvidence
    let judgement: Judgement

    var description: String { "account \(seed): \(receipts) \(rows)" }

    private init(seed: UInt64) {
        self.seed = seed
        var dice = SeededGenerator(seed)
        let (purchases, renewals) = dice.purchases()
        receipts = (0..<dice.number(0...3)).map { _ in dice.receipt(purchases, renewals) }
        rows = (0..<dice.number(0...4)).map { _ in dice.row(purchases) }
        evidence = UserEvidence(receipts, rows: rows)
        judgement = Judge.acme.judgement(of: evidence)
    }
}

private struct RandomPurchase {
    let product: ProductID
    let chain: TransactionID
    let end: Double?
    let line: ShownLine
}

extension SeededGenerator {
    private static let subscriptions: [ProductID] = [
        "pro.monthly", "pro.yearly", "max.monthly", "lite.monthly", "plus.monthly", "solo.monthly",
        "news.weekly", "nobody.knows",
    ]
    private static let boughtOnce: [ProductID] = [
        "unlock", "full", "full", "pass", "coins", "nobody.sells",
    ]

    private mutating func chance(_ percent: Int) -> Bool { number(below: 100) < percent }

    fileprivate mutating func number(_ range: ClosedRange<Int>) -> Int {
        .random(in: range, using: &self)
    }

    private mutating func day(_ range: ClosedRange<Double>) -> Double {
        .random(in: range, using: &self)
    }

    /// A day in that part of the cases.
    private mutating func day(_ range: ClosedRange<Double>, in percent: Int) -> Double? {
        let day = day(range)
        return chance(percent) ? day : nil
    }

    fileprivate mutating func purchases() -> ([RandomPurchase], renewals: [ShownLine]) {
        var purchases: [RandomPurchase] = []
        var renewals: [ShownLine] = []
        for chain in 1...number(1...3) {
            purchases += periods(of: "\(chain)")
            var facts = [one(of: [RenewalFact.on, .off])]
            if chance(20) { facts.append(.retry) }
            if let end = day(-5...9, in: 20) { facts.append(.grace(until: end)) }
            renewals.append(.renewal(facts, original: TransactionID("\(chain)0")))
        }
        for index in 0..<number(0...3) {
            let product = one(of: Self.boughtOnce)
            let bought = day(-50...1)
            let cancelled = day(0...20, in: 25).map { bought + $0 }
            let id = TransactionID("9\(index)")
            let line = ShownLine.builder(of: product, days: nil)(
                bought: bought, id: id, cancelled: cancelled, ownership: .purchased)
            purchases.append(RandomPurchase(product: product, chain: id, end: nil, line: line))
        }
        return (purchases, renewals)
    }

    private mutating func periods(of chain: String) -> [RandomPurchase] {
        let usual = one(of: Self.subscriptions)
        let owner = chance(10) ? Ownership.familyShared : .purchased
        let original = TransactionID(chain + "0")
        var end = day(-70...40)
        return (0..<number(1...3)).map { period in
            defer { end -= 30 }
            let product = chance(15) ? one(of: Self.subscriptions) : usual
            let cancelled = day(-5...29, in: 20).map { end - $0 }
            let line = ShownLine.builder(of: product, days: nil)(
                bought: end - 30, until: end, id: TransactionID("\(chain)\(period)"),
                original: original, cancelled: cancelled, ownership: owner, isUpgraded: chance(10))
            return RandomPurchase(product: product, chain: original, end: end, line: line)
        }
    }

    fileprivate mutating func receipt(
        _ purchases: [RandomPurchase], _ renewals: [ShownLine]
    ) -> ShownReceipt {
        guard !chance(15) else {
            return one(of: [.unchecked, .jws, .malformed, .xcode, .refused])
        }
        var answer = ShownAnswer(lines: [])
        answer.version = one(of: ["4.0", "4.10", "5.0", "5.0", "5.0", "4.1b2", nil])
        answer.made = one(of: [-3, -4])
        let stored = day(-20 ... -1)
        if chance(8) { answer.app = "other" }
        if chance(8) { answer.environment = .sandbox }
        answer.isIOS6 = chance(10)
        if chance(4) { answer.setAside = [.withoutProduct] }
        answer.lines = (purchases.map(\.line) + renewals).filter { _ in chance(75) }
        return ShownReceipt(stored: stored, reply: .answer(answer))
    }

    /// Half the rows are what a service would write after a transaction, which may not grant.
    fileprivate mutating func row(_ purchases: [RandomPurchase]) -> Row {
        let model = chance(50) ? one(of: purchases) : nil
        let original = model?.chain ?? one(of: [nil, nil, "10", "20", "30", "90"])
        let end = model == nil && chance(75) ? day(-9...60) : model?.end
        var row = Row(
            id: nil, product: model?.product ?? one(of: Self.subscriptions + Self.boughtOnce),
            until: end)
        row.original = original
        row.isActive = !chance(25)
        row.renews = one(of: [nil, true, false])
        row.ownership = one(of: [nil, .purchased, .familyShared])
        if !chance(60) { row.source = one(of: [.legacyPaid, .gift]) }
        row.changed = chance(5) ? 0.5 : day(-30 ... -0.1)
        return row
    }
}
