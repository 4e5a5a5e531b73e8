import Testing

@testable import Reconcile

/// The findings that an offline run may make (decision 70).
@Suite("A user judged offline")
struct OfflineJudgementTests {
    static let judge = Judge(
        catalog: .acme, settings: JudgingSettings(asOf: .asOf, isOffline: true))
    private static let running = answers(.monthly(bought: -10))

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

    private func judgement(
        of receipts: [ReceiptEvidence], _ row: StoredEntitlement
    ) -> Judgement { Self.judge.judgement(of: receipts, [row]) }

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
        #expect(judgement.notReported.first?.bucket == .unverified)
        // Missing evidence is checked before settling.
        let unsettled = self.judgement(line.world(-0.5))
        #expect(unsettled.notReported.first?.bucket == .unverified)
    }

    @Test("The second table's lines are those that a signed receipt shows")
    func secondTable() {
        let long = Transaction.monthly("5", of: "5", bought: -320, days: 300)
        let future = Transaction.once("6", "coins", bought: 2)
        let receipts: [ReceiptEvidence] = [
            .stored("ok", .verified(.showing(.monthly(bought: -10, cancelled: -5), long))),
            .stored("odd", .verified(.showing(future, requested: -3))),
            .stored("cut", .verified(.showing(anomalies: [anomaly]))),
            .stored("other", .verified(.showing(bundle: "other"))),
            .stored("forged", .rejected(.signature)), .stored("gone", .rejected(.accountGone)),
            .stored("jws", .unusable(.jws)), .stored("xcode", .unusable(.xcode)),
            .stored("bad", .unusable(.notAReceipt)),
        ]
        let online = Judge.acme.judgement(of: receipts, [])
        #expect(online.kinds.filter { $0 == .implausibleDates }.count == 2)
        #expect(online.kinds.contains(.receiptAccountGone) && online.kinds.contains(.expired))
        #expect(
            Self.judge.judgement(of: receipts, []).kinds == [
                .implausibleDates, .parseAnomaly, .receiptForOtherApp, .receiptFromXcode,
                .receiptIsJWS, .receiptMalformed, .receiptNotAuthentic, .refundRecorded,
            ])
    }

    @Test("A cancellation in the history neither makes a right owed nor lets it settle")
    func cancelledBefore() {
        let refund = LedgerEntry.refund("1", cancelled: -8)
        for row in [StoredEntitlement.row(isActive: false), .row(expires: 20)] {
            let judgement = judgement(RowWorld(Self.running, row, history: [refund]))
            #expect(judgement.outcome == ["unverified"])
            #expect(judgement.remembered.isEmpty)
        }
        let rowless = UserEvidence(user: "u", receipts: Self.running, entitlements: [])
        let refunded = Self.judge.judgement(of: rowless, history: UserHistory([refund]))
        #expect(refunded.findings.isEmpty)
        #expect(Self.judge.judgement(of: rowless).kinds == [.activeNotGranted])
    }

    @Test("A receipt over a day older than the row's change makes no right owed")
    func outdated() {
        for (updated, bucket) in [(-2.0, "with_finding"), (-1.999, "unverified")] {
            for row in [
                StoredEntitlement.row(isActive: false, updated: updated),
                .row(expires: 5, updated: updated),
            ] {
                #expect(judgement(of: Self.running, row).bucket == bucket)
            }
        }
        // The original version never changes.
        let premium = StoredEntitlement.row(
            "e1", "full", isActive: false, source: .legacyPaid, updated: -1)
        #expect(judgement(of: got("4.0"), premium).kinds == [.freemiumPaidNotGranted])
    }

    @Test("A refund has no reason offline, since only Apple's answers carry it")
    func refundReason() throws {
        let receipts = answers(.monthly(bought: -10, cancelled: -2))
        let refund = try #require(judgement(of: receipts, .row()).findings.first)
        #expect(refund.kind == .refundRecorded && refund.reason == nil)
    }

    @Test(
        "A row that the receipt confirms is consistent, and an ungranted one is counted as online")
    func consistent() {
        let ended = answers(.monthly(bought: -40))
        #expect(judgement(of: Self.running, .row(expires: 20)).bucket == "consistent")
        #expect(judgement(of: ended, .row(isActive: false)).bucket == "unverified")
        #expect(judgement(of: [], .row(isActive: false)).bucket == "consistent")
    }

    @Test("Every explanation says that the run was offline, and names the receipt")
    func sentences() throws {
        let owed = judgement(of: Self.running, .row(isActive: false))
        #expect(
            try #require(owed.findings.first).explanation.hasSuffix(
                "and no other entitlement of the user covers it (judged offline, by the receipt"
                    + " that Apple made \(Instant.day(-3)): what came after it, renewals, refunds"
                    + " and expiries among it, is not known)."))
        #expect(
            try #require(judgement(of: [], .row()).findings.first).explanation.hasSuffix(
                "(judged offline, by stored receipts alone: what came after they were made,"
                    + " renewals, refunds and expiries among it, is not known)."))
    }

    @Test("No explanation mentions an answer from Apple, since there was none")
    func noAnswers() {
        var odd = Transaction.once("6", "unlock", bought: -10)
        odd.expiresAt = .day(-11)
        let premium = StoredEntitlement.row("e1", "full", isActive: false, source: .legacyPaid)
        let worlds: [([ReceiptEvidence], StoredEntitlement)] = [
            (got("4.0"), premium), (verified(.showing(odd, anomalies: [anomaly])), .row()),
            ([.stored(.rejected(.signature))], .row()),
            (verified(.showing(bundle: "other")), .row()),
        ]
        for (receipts, row) in worlds {
            let sentences = judgement(of: receipts, row).findings.map(\.explanation)
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
