import Testing

@testable import Reconcile
@testable import TestSupport

/// Properties of every judgement, tested on random users; the argument is the seed.
@Suite("A judgement of random users")
struct JudgementPropertyTests {
    private static let seeds: Range<UInt64> = 0..<1200

    @Test("The order of receipts, rows, transactions and renewals does not matter")
    func order() {
        for seed in Self.seeds {
            let account = RandomAccount(seed: seed)
            var random = SeededGenerator(seed &+ 1)
            var shuffled = account
            shuffled.rows.shuffle(using: &random)
            shuffled.receipts.shuffle(using: &random)
            for place in shuffled.receipts.indices {
                guard var receipt = shuffled.receipts[place].verified?.receipt else { continue }
                receipt.transactions.shuffle(using: &random)
                receipt.renewals.shuffle(using: &random)
                shuffled.receipts[place].validation = .verified(receipt)
            }
            let isEqual = shuffled.judgement.unordered == account.judgement.unordered
            #expect(isEqual, "seed \(seed)")
        }
    }

    @Test("A receipt stored twice changes nothing, and one more unverified accuses no further row")
    func more() {
        func facts(_ judgement: Judgement) -> Set<Finding> {
            Set(
                judgement.findings.filter { $0.kind.file != .receipts }.map { finding in
                    var finding = finding
                    finding.explanation = ""
                    return finding
                })
        }
        for seed in Self.seeds {
            let account = RandomAccount(seed: seed)
            let judgement = account.judgement
            var doubled = account
            for var receipt in account.receipts {
                receipt.id = ReceiptID("z" + receipt.id.text)
                doubled.receipts.append(receipt)
            }
            let twice = doubled.judgement
            #expect(facts(twice) == facts(judgement), "seed \(seed)")
            #expect(twice.entitlements == judgement.entitlements, "seed \(seed)")
            var blind = account
            blind.receipts.append(unchecked)
            #expect(blind.judgement.leaks.isSubset(of: judgement.leaks), "seed \(seed)")
        }
    }

    /// One row with an expiry: another row, or a missing expiry, may become wrong by a further
    /// purchase.
    @Test("One more, longer purchase of the row's product accuses no further row")
    func longer() {
        var tried = 0
        for seed in Self.seeds {
            var account = RandomAccount(seed: seed)
            let row = account.rows.first { row in
                row.source == .appStore && row.expiresAt != nil
                    && Catalog.acme.products[row.product]?.kind == .autoRenewable
            }
            guard let row else { continue }
            tried += 1
            account.rows = [row]
            let longer = Transaction.monthly(
                "99", of: seed % 2 == 0 ? "99" : "10", row.product, bought: -2, days: 90)
            var more = account
            more.receipts.append(.stored("r8", .verified(.showing(longer, created: 0))))
            #expect(more.judgement.leaks.isSubset(of: account.judgement.leaks), "seed \(seed)")
        }
        #expect(tried > 150)
    }

    @Test("Judging again gives the same; every row is in one bucket and has one finding at most")
    func buckets() {
        var kinds: Set<FindingKind> = []
        for seed in Self.seeds {
            let account = RandomAccount(seed: seed)
            let judgement = account.judgement
            #expect(judgement.unordered == account.judgement.unordered, "seed \(seed)")
            let tally = judgement.entitlements
            #expect(tally.isBalanced && tally.inScope == account.rows.count, "seed \(seed)")
            // Each bucket counts as many rows as are listed.
            let listed = Dictionary(grouping: judgement.notReported, by: \.bucket)
            #expect(listed[.settling, default: []].count == tally.settling, "seed \(seed)")
            #expect(listed[.unverified, default: []].count == tally.unverified, "seed \(seed)")
            #expect(listed[.notJudged, default: []].count == tally.notJudged, "seed \(seed)")
            let onRows = judgement.findings.compactMap(\.entitlement)
            #expect(onRows.count == tally.withFinding, "seed \(seed)")
            #expect(Set(onRows).count == onRows.count, "seed \(seed)")
            let ids = judgement.findings.map(\.identity.id)
            #expect(Set(ids).count == ids.count, "seed \(seed)")
            kinds.formUnion(judgement.findings.map(\.kind))
        }
        // The random worlds must show every line of the first table except the one that needs an
        // earlier run.
        #expect(Set(FindingKind.ofStoredRows).subtracting(kinds) == [.refundReversedNotRestored])
    }

    @Test("The order of an answer's arrays, and lines repeated in both, do not matter")
    func arrays() throws {
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededGenerator(seed)
            let account = RandomAccount(seed: seed)
            guard let receipt = account.receipts.lazy.compactMap(\.verified?.receipt).first else {
                continue
            }
            let lines = receipt.transactions.map(\.line)
            func judgement(inApp: [String], latest: [String]) throws -> Set<[AnyHashable]> {
                let answer = AppleLine.answer(inApp: inApp, latest: latest)
                let evidence = ReceiptEvidence.answered(answer)
                _ = try #require(evidence.verified)
                return Judge.acme.judgement(of: [evidence], account.rows).unordered
            }
            let plain = try judgement(inApp: lines, latest: [])
            let doubled = (lines + lines).shuffled(using: &random)
            for (inApp, latest) in [
                (lines.shuffled(using: &random), []), ([], lines.shuffled(using: &random)),
                (doubled, lines.shuffled(using: &random)),
            ] {
                let isEqual = try judgement(inApp: inApp, latest: latest) == plain
                #expect(isEqual, "seed \(seed)")
            }
        }
    }
}

extension Transaction {
    /// The line in Apple's JSON.
    fileprivate var line: String {
        let dates = [
            ("purchase_date_ms", purchasedAt), ("expires_date_ms", expiresAt),
            ("cancellation_date_ms", cancelledAt),
        ].compactMap { name, instant in instant.map { #","\#(name)":"\#($0.milliseconds)""# } }
        return """
            {"transaction_id":"\(id)","original_transaction_id":"\(originalID)",\
            "product_id":"\(product)","is_upgraded":"\(isUpgraded)",\
            "in_app_ownership_type":"\(ownership?.rawValue ?? "")"\(dates.joined())}
            """
    }
}

/// One user of a random world, the same for the same seed: a handful of chains and purchases,
/// spread over overlapping receipts, and rows that may or may not agree with them.
struct RandomAccount {
    var receipts: [ReceiptEvidence]
    var rows: [StoredEntitlement]

    var evidence: UserEvidence { UserEvidence(user: "u", receipts: receipts, entitlements: rows) }
    var judgement: Judgement { Judge.acme.judgement(of: evidence) }

    init(seed: UInt64) {
        var dice = Dice(random: SeededGenerator(seed))
        let (transactions, renewals) = dice.purchases()
        receipts = (0..<dice.number(0...3)).map { dice.receipt($0, transactions, renewals) }
        rows = (0..<dice.number(0...4)).map { dice.row($0, transactions) }
    }
}

private struct Dice {
    var random: SeededGenerator

    private static let subscriptions: [ProductID] = [
        "pro.monthly", "pro.yearly", "max.monthly", "lite.monthly", "plus.monthly", "solo.monthly",
        "news.weekly", "nobody.knows",
    ]
    private static let onceOnly: [ProductID] = ["unlock", "full", "pass", "coins", "nobody.sells"]
    private static let failures = shown("unchecked; jws; malformed; xcode; refused")

    mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }

    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

    mutating func day(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }

    mutating func one<T>(of choices: [T]) -> T { choices[number(0...choices.count - 1)] }

    mutating func purchases() -> ([Transaction], [Renewal]) {
        var transactions: [Transaction] = []
        var renewals: [Renewal] = []
        for chain in 1...number(1...3) {
            let product = one(of: Self.subscriptions)
            let original = TransactionID("\(chain)0")
            let isShared = chance(10)
            var end = day(-70...40)
            for period in 0..<number(1...3) {
                transactions.append(
                    .monthly(
                        TransactionID("\(chain)\(period)"), of: original,
                        chance(15) ? one(of: Self.subscriptions) : product, bought: end - 30,
                        cancelled: chance(20) ? end - day(-5...29) : nil, isUpgraded: chance(10),
                        isFamilyShared: isShared))
                end -= 30
            }
            renewals.append(
                Renewal(
                    originalID: original, willRenew: chance(50), isInBillingRetry: chance(20),
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
            validation: chance(15) ? one(of: Self.failures).validation : .verified(receipt))
    }

    /// Half the rows are what a service would write after a transaction, which may not grant.
    mutating func row(_ number: Int, _ transactions: [Transaction]) -> StoredEntitlement {
        let model = chance(50) ? one(of: transactions) : nil
        return StoredEntitlement(
            id: EntitlementID("e\(number)"), user: "u",
            product: model?.product ?? one(of: Self.subscriptions + Self.onceOnly),
            originalTransaction: model?.originalID
                ?? one(of: [nil, nil, "10", "20", "30", "90"]), isActive: chance(75),
            expiresAt: model.map(\.expiresAt) ?? (chance(75) ? .day(day(-9...60)) : nil),
            autoRenew: one(of: [nil, true, false]),
            ownership: one(of: [nil, .purchased, .familyShared]),
            source: chance(67) ? .appStore : chance(50) ? .legacyPaid : .other("promo"),
            updatedAt: .day(chance(5) ? 0.5 : day(-30 ... -0.1)))
    }
}

extension Judgement {
    /// A value that does not depend on the order of rows and receipts.
    var unordered: Set<[AnyHashable]> {
        let lists: [[AnyHashable]] = [
            findings, purchases, receipts, notReported, remembered, unknownProducts,
            [findings.count, entitlements],
        ]
        return Set(lists.enumerated().flatMap { place, list in list.map { [place, $0] } })
    }

    /// The accusing findings, by identity.
    var leaks: Set<String> { Set(findings.filter { $0.direction == .leak }.map(\.identity.id)) }
}
