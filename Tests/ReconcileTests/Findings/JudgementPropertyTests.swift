import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A judgement of random users")
struct JudgementPropertyTests {
    @Test("The order of receipts, rows and lines, and lines repeated in both lists, do not matter")
    func order() {
        for (seed, account) in RandomAccount.all.enumerated() {
            var random = SeededGenerator(UInt64(seed) + 1)
            let receipts = account.receipts.map { parts in
                let lines = parts.filter { $0.contains(" id ") }
                // Every line in `in_app` only, or one more time in either list.
                let others = parts.filter { !lines.contains($0) } + lines.map { $0 + " old" }
                let either = lines.map { $0 + (Bool.random(using: &random) ? "" : " old") }
                return (seed % 2 == 0 ? others : parts + either).shuffled(using: &random)
            }
            var evidence = RandomAccount(receipts: receipts, rows: account.rows).evidence
            evidence.receipts.shuffle(using: &random)
            evidence.entitlements.shuffle(using: &random)
            let other = Judge.acme.judgement(of: evidence)
            #expect(other.unordered == account.judgement.unordered, "\(account)")
        }
    }

    @Test("A receipt that is stored twice changes nothing; one more unverified accuses no row")
    func more() {
        func facts(_ judgement: Judgement) -> Set<String> {
            let found = judgement.findings.filter { $0.kind.file != .receipts }
            return Set(found.map { "\($0.kind) \($0.facts) \(String(describing: $0.estimate))" })
        }
        for account in RandomAccount.all {
            var doubled = account.evidence
            doubled.receipts += account.evidence.receipts.map { receipt in
                ReceiptEvidence(
                    id: ReceiptID("z" + receipt.id.text), bundle: receipt.bundle,
                    storedAt: receipt.storedAt, validation: receipt.validation,
                    contradictions: receipt.contradictions, unanswered: receipt.unanswered,
                    signedKinds: receipt.signedKinds)
            }
            let twice = Judge.acme.judgement(of: doubled)
            #expect(facts(twice) == facts(account.judgement), "\(account)")
            #expect(twice.entitlements == account.judgement.entitlements, "\(account)")
            var blind = account.evidence
            blind.receipts.append(.stored("r9", .unverified(.timeout)))
            let leaks = Judge.acme.judgement(of: blind).leaks
            #expect(leaks.isSubset(of: account.judgement.leaks), "\(account)")
        }
    }

    /// Another row, or a missing expiry, may become wrong by a further purchase.
    @Test("One more, longer purchase of the row's product accuses no further row")
    func longer() {
        var tried = 0
        for (seed, account) in RandomAccount.all.enumerated() {
            var evidence = account.evidence
            let row = evidence.entitlements.first { row in
                row.source == .appStore && row.expiresAt != nil
                    && Catalog.acme.products[row.product]?.kind == .autoRenewable
            }
            guard let row else { continue }
            tried += 1
            evidence.entitlements = [row]
            let leaks = Judge.acme.judgement(of: evidence).leaks
            let ids = "id 99 of \(seed % 2 == 0 ? "99" : "10")"
            evidence.receipts += shown(
                "answer id r8 made 0, \(row.product) -2..88 \(ids) purchased")
            #expect(Judge.acme.judgement(of: evidence).leaks.isSubset(of: leaks), "\(account)")
        }
        #expect(tried > 150)
    }

    @Test("Judging again gives the same; a row has one bucket and one finding at most, a sentence")
    func buckets() {
        var kinds: Set<FindingKind> = []
        for account in RandomAccount.all {
            let judgement = account.judgement
            let again = Judge.acme.judgement(of: account.evidence)
            #expect(judgement.unordered == again.unordered, "\(account)")
            let tally = judgement.entitlements
            #expect(tally.isBalanced && tally.inScope == account.rows.count, "\(account)")
            // Each bucket counts as many rows as are listed.
            let buckets = judgement.notReported.map(\.bucket)
            let listed = [.settling, .unverified, .notJudged].map { bucket in
                buckets.count { $0 == bucket }
            }
            #expect(
                listed == [tally[.settling], tally[.unverified], tally[.notJudged]], "\(account)")
            let onRows = judgement.findings.compactMap(\.entitlement)
            #expect(onRows.count == tally[.withFinding], "\(account)")
            let ids = judgement.findings.map(\.identity.id) + onRows.map(\.text)
            #expect(Set(ids).count == ids.count, "\(account)")
            kinds.formUnion(judgement.kinds)
            for finding in judgement.findings {
                let text = finding.explanation
                #expect(text.last == "." && !text.dropLast().contains(". ") && text.count > 40)
                #expect(text.first?.isUppercase == true, "\(text)")
                // The event of `label_stale` is the row's last change, which only settles it.
                guard let instant = finding.eventAt, finding.kind != .labelStale else { continue }
                #expect(text.contains(instant.description), "\(instant): \(text)")
            }
        }
        // The random worlds must show every line that needs no earlier run.
        #expect(Set(FindingKind.ofStoredRows).subtracting(kinds) == [.refundReversedNotRestored])
    }

    @Test("An offline judgement says nothing that an online one of the same content would not")
    func offline() {
        var told = 0
        for account in RandomAccount.all {
            let offline = Judge.offline.judgement(
                of: account.evidence.proven(for: .offline))
            let online = Set(account.judgement.findings.map(\.identity.id))
            #expect(offline.entitlements.isBalanced, "\(account)")
            told += offline.findings.count
            for finding in offline.findings {
                #expect(online.contains(finding.identity.id), "\(account)")
                #expect(finding.explanation.contains("judged offline"), "\(account)")
                #expect(finding.entitlement == nil || finding.direction != .leak, "\(account)")
            }
        }
        #expect(told > 200)
    }
}

/// A user, the same in every run: a handful of purchases, spread over overlapping receipts, and
/// rows that may or may not agree with them.
private struct RandomAccount: CustomStringConvertible {
    static let all = (UInt64(0)..<1500).map { seed in
        var dice = SeededGenerator(seed)
        let (purchases, renewals) = dice.purchases()
        let receipts = (0..<dice.number(0...3)).map { _ in
            dice.receipt(purchases.map(\.words), renewals)
        }
        let rows = (0..<dice.number(0...4)).map { _ in dice.row(purchases) }
        return RandomAccount(receipts: receipts, rows: rows)
    }

    /// The parts of each receipt and the rows, as `shown` and `stored` read them.
    let receipts: [[String]]
    let rows: [String]
    let evidence: UserEvidence
    let judgement: Judgement

    var description: String { "\(receipts) \(rows)" }

    init(receipts: [[String]], rows: [String]) {
        self.receipts = receipts
        self.rows = rows
        let texts = receipts.map { $0.joined(separator: ",") }
        evidence = UserEvidence(
            user: "u", receipts: shown(texts.joined(separator: ";")),
            entitlements: stored(rows.joined(separator: ",")))
        judgement = Judge.acme.judgement(of: evidence)
    }
}

extension SeededGenerator {
    fileprivate typealias Purchase = (product: String, chain: String, end: Double?, words: String)

    private static let subscriptions = [
        "pro", "yearly", "max", "lite", "plus", "solo", "news.weekly", "nobody.knows",
    ]
    private static let onceOnly = ["unlock", "full", "full", "pass", "coins", "nobody.sells"]

    private mutating func chance(_ percent: Int) -> Bool { number(below: 100) < percent }

    fileprivate mutating func number(_ range: ClosedRange<Int>) -> Int {
        .random(in: range, using: &self)
    }

    private mutating func day(_ range: ClosedRange<Double>) -> Double {
        .random(in: range, using: &self)
    }

    private mutating func words(_ words: String, in percent: Int) -> String {
        chance(percent) ? " " + words : ""
    }

    fileprivate mutating func purchases() -> ([Purchase], renewals: [String]) {
        var purchases: [Purchase] = []
        var renewals: [String] = []
        for chain in 1...number(1...3) {
            let usual = one(of: Self.subscriptions)
            let owner = chance(10) ? "family" : "purchased"
            var end = day(-70...40)
            for period in 0..<number(1...3) {
                let product = chance(15) ? one(of: Self.subscriptions) : usual
                let words =
                    "\(product) \(end - 30)..\(end) id \(chain)\(period) of \(chain)0 \(owner)"
                    + words("cancelled \(end - day(-5...29))", in: 20) + words("upgraded", in: 10)
                purchases.append((product, "\(chain)0", end, words))
                end -= 30
            }
            renewals.append(
                "renewal of \(chain)0 " + one(of: ["on", "off"]) + words("retry", in: 20)
                    + words("grace \(day(-5...9))", in: 20))
        }
        for index in 0..<number(0...3) {
            let product = one(of: Self.onceOnly)
            let bought = day(-50...1)
            let words =
                "\(product) \(bought).. id 9\(index) purchased"
                + words("cancelled \(bought + day(0...20))", in: 25)
            purchases.append((product, "9\(index)", nil, words))
        }
        return (purchases, renewals)
    }

    fileprivate mutating func receipt(_ purchases: [String], _ renewals: [String]) -> [String] {
        guard !chance(15) else {
            return [one(of: ["unchecked", "jws", "malformed", "xcode", "refused"])]
        }
        let versions = ["4.0", "4.10", "5.0", "5.0", "5.0", "4.1b2"].map { "version \($0)" }
        let facts =
            "answer \(one(of: versions + ["unversioned"])) made \(one(of: [-3, -4]))"
            + " stored \(day(-20 ... -1))"
            + words("for other", in: 8) + words("sandbox", in: 8) + words("iOS6", in: 10)
            + words("anomaly", in: 4)
        return [facts] + (purchases + renewals).filter { _ in chance(75) }
    }

    /// Half the rows are what a service would write after a transaction, which may not grant.
    fileprivate mutating func row(_ purchases: [Purchase]) -> String {
        let model = chance(50) ? one(of: purchases) : nil
        let chain = model?.chain ?? one(of: ["", "", "10", "20", "30", "90"])
        let end = model == nil && chance(75) ? day(-9...60) : model?.end
        return (model?.product ?? one(of: Self.subscriptions + Self.onceOnly))
            + (chain.isEmpty ? "" : " chain \(chain)") + (end.map { " to \($0)" } ?? "")
            + words("off", in: 25) + one(of: ["", " renews", " ends"])
            + one(of: ["", " purchased", " family"])
            + (chance(60) ? "" : one(of: [" legacy", " gift"]))
            + " changed \(chance(5) ? 0.5 : day(-30 ... -0.1))"
    }
}

extension Judgement {
    /// A value that does not depend on the order of rows and receipts.
    var unordered: Set<[AnyHashable]> {
        let lists: [[AnyHashable]] = [
            findings, purchases, receipts, notReported, remembered, unknownProducts,
            [findings.count, entitlements],
        ]
        return Set(lists.enumerated().flatMap { index, list in list.map { [index, $0] } })
    }

    fileprivate var leaks: Set<String> {
        Set(findings.filter { $0.direction == .leak }.map(\.identity.id))
    }
}
