import Testing

@testable import Reconcile
@testable import TestSupport

/// The findings that an offline run may make (decision 70).
@Suite("A user judged offline")
struct OfflineJudgementTests {
    static let judge = Judge(
        catalog: .acme, settings: JudgingSettings(asOf: .asOf, isOffline: true))

    /// The kinds of the first table that are found offline. All others leave the row `unverified`.
    private static let found: Set<FindingKind> = [
        .grantWithoutReceipt, .activeNotGranted, .ownedNotGranted, .freemiumPaidNotGranted,
        .upgradeNotApplied, .expiryTooEarly,
    ]

    private func judgement(_ world: RowWorld) -> Judgement {
        Self.judge.judgement(
            of: UserEvidence(
                user: "u", receipts: world.receipts, entitlements: [world.row] + world.others),
            history: world.history)
    }

    /// Missing evidence is checked before settling.
    @Test(
        "A row has a finding of the first table only where a receipt alone proves it",
        arguments: Line.all)
    func firstTable(line: Line) {
        let judgement = judgement(line.world(-1))
        let onRow = judgement.findings.filter { $0.entitlement == "e1" }
        #expect(judgement.entitlements.isBalanced)
        guard !Self.found.contains(line.kind) else {
            #expect(onRow.map(\.kind) == [line.kind])
            return
        }
        #expect(onRow.isEmpty)
        for judgement in [judgement, self.judgement(line.world(-0.5))] {
            #expect(judgement.notReported.first?.bucket == .unverified)
        }
    }

    @Test("The second table's lines are those that a signed receipt shows")
    func secondTable() throws {
        let evidence = shown(
            """
            pro -10 cancelled -5 reason 1, pro -320..-20 id 5 of 5; coins 4; answer anomaly; \
            answer for other; forged; gone; jws; xcode; malformed
            """)
        let online = Judge.acme.judgement(of: evidence, [])
        let offline = Self.judge.judgement(of: evidence, [])
        #expect(online.kinds.filter { $0 == .implausibleDates }.count == 2)
        #expect(online.kinds.contains(.receiptAccountGone) && online.kinds.contains(.expired))
        // Only Apple's answers have a reason.
        #expect(try offline.only(.refundRecorded).reason == nil)
        #expect(
            offline.kinds == [
                .implausibleDates, .parseAnomaly, .receiptForOtherApp, .receiptFromXcode,
                .receiptIsJWS, .receiptMalformed, .receiptNotAuthentic, .refundRecorded,
            ])
    }

    @Test("A cancellation in the history neither makes a right owed nor lets it settle")
    func cancelledBefore() {
        let history = UserHistory([.refund("1", cancelled: -8)])
        for row in ["pro off", "pro to 20"] {
            let judgement = Self.judge.judgement("pro -10", row, after: history)
            #expect(judgement.outcome == ["unverified"])
            #expect(judgement.remembered.isEmpty)
        }
        #expect(Self.judge.judgement("pro -10", after: history).findings.isEmpty)
        #expect(Self.judge.judgement("pro -10").kinds == [.activeNotGranted])
    }

    /// Its receipt is over a day older than the row's change; the original version never changes.
    @Test(
        "What the receipt confirms is consistent, and it makes a right owed unless it is outdated",
        arguments: textTriples(
            """
            pro -10            | pro off changed -2         | active_not_granted e1
            pro -10            | pro to 5 changed -2        | expiry_too_early e1
            pro -10            | pro off changed -1.999     | unverified
            pro -10            | pro to 5 changed -1.999    | unverified
            answer version 4.0 | full off legacy changed -1 | freemium_paid_not_granted e1
            pro -10            | pro to 20                  | consistent
            pro -40            | pro off                    | unverified
                               | pro off                    | consistent
            """))
    func rows(receipts: String, row: String, outcome: String) {
        let judgement = Self.judge.judgement(receipts, row)
        #expect(judgement.outcome == [outcome])
    }

    @Test("Every explanation says that the run was offline, names the receipt, and no answer")
    func sentences() throws {
        let owed = try #require(Self.judge.judgement("pro -10", "pro off").findings.first)
        #expect(
            owed.explanation.hasSuffix(
                "and no other entitlement of the user covers it (judged offline, by the receipt"
                    + " that Apple made \(Instant.day(-3)): what came after it, renewals, refunds"
                    + " and expiries among it, is not known)."))
        let unproven = try #require(Self.judge.judgement("", "pro").findings.first)
        #expect(
            unproven.explanation.hasSuffix(
                "(judged offline, by stored receipts alone: what came after they were made,"
                    + " renewals, refunds and expiries among it, is not known)."))
        let worlds = textPairs(
            """
            answer version 4.0              | full off legacy
            answer anomaly, unlock -10..-11 | pro
            forged                          | pro
            answer for other                | pro
            """)
        for (receipts, row) in worlds {
            let sentences = Self.judge.judgement(receipts, row).findings.map(\.explanation)
            #expect(!sentences.isEmpty)
            for sentence in sentences {
                #expect(!sentence.contains("answer") && !sentence.contains("21002"), "\(sentence)")
                #expect(sentence.contains("judged offline"))
            }
        }
    }

    @Test("An offline judgement says nothing that an online one of the same content would not")
    func nothingMore() {
        var told = 0
        for seed in UInt64(0)..<800 {
            let account = RandomAccount(seed: seed)
            let offline = Self.judge.judgement(of: account.evidence)
            let online = Set(account.judgement.findings.map(\.identity.id))
            #expect(offline.entitlements.isBalanced, "seed \(seed)")
            for finding in offline.findings {
                told += 1
                #expect(online.contains(finding.identity.id), "seed \(seed)")
                #expect(finding.explanation.contains("judged offline"), "seed \(seed)")
                let isAccusation = finding.entitlement != nil && finding.direction == .leak
                #expect(!isAccusation, "seed \(seed)")
            }
        }
        #expect(told > 200)
    }
}
