import Testing

@testable import Reconcile
@testable import TestSupport

/// Each test judges all of `RandomAccount.all`; a failure prints the account and its seed.
/// To add a case: a test that changes each account in a way that must not matter, or a rule for
/// all.
@Suite("A judgement of random users")
struct JudgementPropertyTests {
    @Test("The order of receipts, rows and lines, and lines repeated in both lists, do not matter")
    func order() {
        for (seed, account) in RandomAccount.all.enumerated() {
            var random = SeededGenerator(UInt64(seed) + 1)
            let receipts = account.receipts.map { receipt in
                receipt.changingLines { lines in
                    // Every purchase in `in_app` only, or one more time in either list.
                    let others = lines.map { $0.listedInAppOnly }
                    let repeated = lines.filter(\.isPurchase).map { line in
                        Bool.random(using: &random) ? line : line.listedInAppOnly
                    }
                    return (seed % 2 == 0 ? others : lines + repeated).shuffled(using: &random)
                }
            }
            var evidence = UserEvidence(receipts, rows: account.rows)
            evidence.receipts.shuffle(using: &random)
            evidence.entitlements.shuffle(using: &random)
            let other = Judge.acme.judgement(of: evidence)
            #expect(other.unordered == account.judgement.unordered, "\(account)")
        }
    }

    @Test("A receipt that is stored twice changes nothing; one more unverified accuses no row")
    func more() {
        func facts(_ judgement: Judgement) -> Set<Finding> {
            let found = judgement.findings.filter { $0.kind.file != .receipts }
            return Set(found.map(\.withoutSentence))
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
            let longer = ShownLine.builder(of: row.product, days: nil)(
                bought: -2, until: 88, id: "99", original: seed % 2 == 0 ? "99" : "10",
                ownership: .purchased)
            evidence.receipts.append(ShownReceipt.answer(longer, made: 0).evidence(number: 8))
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
            #expect(tally.isBalanced, "\(account)")
            #expect(tally.inScope == account.rows.count, "\(account)")
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
                #expect(text.last == ".", "\(text)")
                #expect(!text.dropLast().contains(". "), "\(text)")
                #expect(text.count > 40, "\(text)")
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
        var found = 0
        for account in RandomAccount.all {
            let offline = Judge.offline.judgement(
                of: account.evidence.proven(for: .offline))
            let online = Set(account.judgement.findings.map(\.identity.id))
            #expect(offline.entitlements.isBalanced, "\(account)")
            found += offline.findings.count
            for finding in offline.findings {
                #expect(online.contains(finding.identity.id), "\(account)")
                #expect(finding.explanation.contains("judged offline"), "\(account)")
                #expect(finding.entitlement == nil || finding.direction != .leak, "\(account)")
            }
        }
        #expect(found > 200)
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

extension Finding {
    fileprivate var withoutSentence: Finding {
        var finding = self
        finding.explanation = ""
        finding.isUnclaimed = false
        return finding
    }
}

extension ShownReceipt {
    fileprivate func changingLines(_ change: ([ShownLine]) -> [ShownLine]) -> ShownReceipt {
        guard case .answer(var answer) = reply else { return self }
        answer.lines = change(answer.lines)
        var receipt = self
        receipt.reply = .answer(answer)
        return receipt
    }
}

extension ShownLine {
    fileprivate var isPurchase: Bool {
        if case .purchase = self { true } else { false }
    }

    fileprivate var listedInAppOnly: ShownLine {
        guard case .purchase(var purchase) = self else { return self }
        purchase.isInApp = true
        return .purchase(purchase)
    }
}
