import Testing

@testable import Reconcile
@testable import TestSupport

/// Properties of every judgement, tested on random users; the argument is the seed.
@Suite("A judgement of random users")
struct JudgementPropertyTests {
    private static let seeds: Range<UInt64> = 0..<800

    @Test("The order of receipts, rows, transactions and renewals does not matter")
    func order() {
        for seed in Self.seeds {
            let account = RandomAccount(seed: seed)
            var random = SeededGenerator(seed &+ 1)
            var shuffled = account
            shuffled.rows.shuffle(using: &random)
            shuffled.receipts.shuffle(using: &random)
            for place in shuffled.receipts.indices {
                guard case .verified(var receipt) = shuffled.receipts[place].validation else {
                    continue
                }
                receipt.transactions.shuffle(using: &random)
                receipt.renewals.shuffle(using: &random)
                shuffled.receipts[place].validation = .verified(receipt)
            }
            let isEqual = shuffled.judgement.unordered == account.judgement.unordered
            #expect(isEqual, "seed \(seed)")
        }
    }

    @Test("A receipt that is stored twice does not change the verdict on rows and rights")
    func duplicates() {
        for seed in Self.seeds {
            let account = RandomAccount(seed: seed)
            var doubled = account
            doubled.receipts += account.receipts.map { receipt in
                var copy = receipt
                copy.id = ReceiptID("z" + receipt.id.text)
                return copy
            }
            let (once, twice) = (account.judgement, doubled.judgement)
            #expect(twice.facts == once.facts, "seed \(seed)")
            #expect(twice.entitlements == once.entitlements, "seed \(seed)")
        }
    }

    @Test("One more unverified receipt accuses no further row")
    func unverified() {
        for seed in Self.seeds {
            let account = RandomAccount(seed: seed)
            var blind = account
            blind.receipts.append(unchecked)
            #expect(blind.judgement.leaks.isSubset(of: account.judgement.leaks), "seed \(seed)")
        }
    }

    /// One row with an expiry: another row, or a missing expiry, may become wrong by a further
    /// purchase.
    @Test("One more, longer purchase of the row's product accuses no further row")
    func longer() {
        var tried = 0
        for seed in Self.seeds {
            var account = RandomAccount(seed: seed)
            account.rows = account.rows.filter { row in
                row.source == .appStore && row.expiresAt != nil
                    && Catalog.acme.products[row.product]?.kind == .autoRenewable
            }.prefix(1).map { $0 }
            guard let row = account.rows.first else { continue }
            tried += 1
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
}

@Suite("A judgement of random answers")
struct AnswerPropertyTests {
    @Test("The order of an answer's arrays, and lines repeated in both, do not matter")
    func arrays() throws {
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededGenerator(seed)
            let account = RandomAccount(seed: seed)
            guard let receipt = account.receipts.lazy.compactMap(\.verified?.receipt).first else {
                continue
            }
            let lines = receipt.transactions.map(\.line)
            func judgement(inApp: [String], latest: [String]) throws -> Judgement {
                let evidence = ReceiptEvidence.answered(
                    AppleLine.answer(inApp: inApp, latest: latest))
                _ = try #require(evidence.verified)
                return Judge.acme.judgement(of: [evidence], account.rows)
            }
            let plain = try judgement(inApp: lines, latest: []).unordered
            let doubled = (lines + lines).shuffled(using: &random)
            for (inApp, latest) in [
                (lines.shuffled(using: &random), []), ([], lines.shuffled(using: &random)),
                (doubled, lines.shuffled(using: &random)),
            ] {
                let isEqual = try judgement(inApp: inApp, latest: latest).unordered == plain
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
