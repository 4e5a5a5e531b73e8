import Testing

@testable import Reconcile

@Suite("An explanation")
struct ExplanationTests {
    @Test(
        "Each line of the first table has an explanation with its facts and its rule",
        arguments: Line.all)
    func lines(line: Line) {
        #expect(line.world(-2).finding?.explanation == Self.sentences[line.kind])
    }

    struct Told: Sendable, CustomTestStringConvertible {
        let kind: FindingKind
        let receipts: [ReceiptEvidence]
        var rows: [StoredEntitlement] = []
        let sentence: String
        var catalog = Catalog.acme

        var testDescription: String { sentence }
    }

    @Test(
        "An event, a receipt and a right without a row have explanations with their facts",
        arguments: told)
    func others(told: Told) {
        let judge = Judge(catalog: told.catalog, settings: JudgingSettings(asOf: .asOf))
        let findings = judge.judgement(of: told.receipts, told.rows).findings
        #expect(findings.first { $0.kind == told.kind }?.explanation == told.sentence)
    }

    private static func answer(_ receipt: Receipt) -> [ReceiptEvidence] {
        [.stored(.verified(receipt))]
    }

    private static func firstGot(_ day: Double?) -> [ReceiptEvidence] {
        var receipt = Receipt.showing(version: nil)
        receipt.originalPurchaseAt = day.map(Instant.day)
        return answer(receipt)
    }

    private static let paidUntilADay = Catalog.acme.with(
        CatalogApp(
            bundle: "acme", lastPaidVersion: "4.10", paidUntil: .day(-100), premiumProduct: "full"))

    static let told = events + receipts + firstGot + furtherCases

    private static let events: [Told] = [
        Told(
            kind: .refundRecorded,
            receipts: answers(.monthly(bought: -10, cancelled: -4, reason: "1")),
            sentence: """
                Apple refunded pro.monthly (transaction 1, bought 2026-11-10T02:00:00Z) at \
                2026-11-16T02:00:00Z because of an issue with the app.
                """),
        Told(
            kind: .familyRevocationRecorded,
            receipts: answers(.monthly(bought: -10, cancelled: -4, isFamilyShared: true)),
            sentence: """
                Apple withdrew the family sharing of pro.monthly (transaction 1, bought \
                2026-11-10T02:00:00Z) at 2026-11-16T02:00:00Z.
                """),
        Told(
            kind: .expired,
            receipts: answers(
                .monthly("9", of: "1", bought: -40),
                renewals: [Renewal(originalID: "1", expirationIntent: .voluntary)]),
            sentence: """
                The subscription pro.monthly (transaction 9, bought 2026-10-11T02:00:00Z), of the \
                original transaction 1, ended at 2026-11-10T02:00:00Z, because the customer \
                cancelled.
                """),
        Told(
            kind: .ownedNotGranted,
            receipts: answers(.once("1", "unlock", bought: -9, isFamilyShared: true)),
            sentence: """
                Apple shows unlock (transaction 1, bought 2026-11-11T02:00:00Z) as shared by the \
                family and not withdrawn, but the service has no entitlement for it on file: the \
                user has a right to it, and no other entitlement of the user covers it.
                """),
        Told(
            kind: .sandboxGrantsProduction, receipts: [.stored(.unusable(.xcode))],
            rows: [.row(expires: 20)],
            sentence: """
                Entitlement e1 grants pro.monthly until 2026-12-10T02:00:00Z (last changed \
                2026-11-10T02:00:00Z), but no receipt gives it, and receipt r1 was made by Xcode's \
                StoreKit testing, where nobody pays.
                """),
        Told(
            kind: .productMismatch,
            receipts: answers(.monthly("1", of: "1", "plus.monthly", bought: -10)),
            rows: [.row(expires: 20)],
            sentence: """
                Apple shows plus.monthly (transaction 1, bought 2026-11-10T02:00:00Z) as paid \
                until 2026-12-10T02:00:00Z, but entitlement e1 grants pro.monthly until \
                2026-12-10T02:00:00Z: the two are different products, and the catalogue does not \
                say which of them gives more.
                """),
    ]

    private static let receipts: [Told] = [
        Told(
            kind: .implausibleDates,
            receipts: answer(.showing(.monthly(bought: 3), requested: 0)),
            sentence: """
                Apple's answer to receipt r1, stored 2026-11-15T02:00:00Z for acme, shows \
                transaction 1 of pro.monthly as bought 2026-11-23T02:00:00Z, more than 48 hours \
                after the answer itself (2026-11-20T02:00:00Z): such dates should be looked into \
                before anybody acts on them.
                """),
        Told(
            kind: .implausibleDates, receipts: answers(.monthly(bought: -10, days: -1)),
            sentence: """
                Apple's answer to receipt r1, stored 2026-11-15T02:00:00Z for acme, shows \
                transaction 1 of pro.monthly as expiring 2026-11-09T02:00:00Z, before it was \
                bought 2026-11-10T02:00:00Z: such dates should be looked into before anybody acts \
                on them.
                """),
        Told(
            kind: .implausibleDates, receipts: answers(.monthly(bought: -10, days: 300)),
            sentence: """
                Apple's answer to receipt r1, stored 2026-11-15T02:00:00Z for acme, shows \
                transaction 1 of pro.monthly as paid from 2026-11-10T02:00:00Z to \
                2027-09-06T02:00:00Z without a trial or an offer, more than twice the catalogue's \
                billing period of 30 days, and 180 days: such dates should be looked into before \
                anybody acts on them.
                """),
        Told(
            kind: .parseAnomaly,
            receipts: answer(
                .showing(anomalies: [
                    ParseAnomaly(key: "purchase_date", transaction: "7"),
                    ParseAnomaly(key: "product_id"),
                ])),
            sentence: """
                Apple's answer to receipt r1, stored 2026-11-15T02:00:00Z for acme, holds 2 lines \
                that are no transaction, for what is missing, unreadable or contradictory in \
                \"product_id\", \
                \"purchase_date\" of transaction 7: that was set aside, the rest was judged, and \
                nobody is accused of what it may have said.
                """),
        Told(
            kind: .receiptForOtherApp, receipts: answer(.showing(bundle: "other")),
            sentence: """
                Apple says that receipt r1, stored 2026-11-15T02:00:00Z for acme, belongs to \
                another app, other: it proves nothing for this one.
                """),
        Told(
            kind: .receiptNotAuthentic, receipts: [.stored(.rejected(.signature))],
            sentence: """
                The signature of receipt r1, stored 2026-11-15T02:00:00Z for acme, does not fit \
                its own bytes, and Apple cannot read it (status 21002): it was changed after it \
                was signed and proves no purchase.
                """),
        Told(
            kind: .receiptAccountGone, receipts: [.stored(.rejected(.accountGone))],
            sentence: """
                Apple said twice that the account of receipt r1, stored 2026-11-15T02:00:00Z for \
                acme, is not found or was deleted (status 21010): what it proved can no longer be \
                checked.
                """),
    ]

    private static let firstGot: [Told] = [
        Told(
            kind: .freemiumPaidNotGranted, receipts: firstGot(-101),
            sentence: """
                By Apple's answer to receipt r1 the user first got acme at 2026-08-11T02:00:00Z, \
                before it became free at 2026-08-12T02:00:00Z, which gives full for ever, but the \
                service has no entitlement for it on file and no other entitlement of the user \
                covers it.
                """, catalog: paidUntilADay),
        Told(
            kind: .freemiumUndecidable, receipts: firstGot(nil),
            rows: [.row("e1", "full", source: .legacyPaid)],
            sentence: """
                Entitlement e1 grants full without an end, as paid for before the app became \
                free, but Apple's answer to receipt r1 has no original version to compare with \
                the last version that had to be paid for, \"4.10\", and the answer has no original \
                purchase date either: nobody can tell whether the user paid.
                """, catalog: paidUntilADay),
    ]

    @Test("The explanation names the instant that event_at holds, for any user")
    func instant() {
        var seen: Set<FindingKind> = []
        for seed in 0..<800 as Range<UInt64> {
            for finding in RandomAccount(seed: seed).judgement.findings {
                // The event of `label_stale` is the row's last change, which only settles it.
                guard let instant = finding.eventAt, finding.kind != .labelStale else { continue }
                let text = finding.explanation
                #expect(text.contains(instant.description), "seed \(seed): \(instant): \(text)")
                seen.insert(finding.kind)
            }
        }
        #expect(seen.isSuperset(of: [.expiredStillGranted, .billingRetryStillGranted]))
    }

    @Test("The explanation is one sentence, for any user")
    func oneSentence() {
        for seed in 0..<300 as Range<UInt64> {
            for finding in RandomAccount(seed: seed).judgement.findings {
                let text = finding.explanation
                let isSentence =
                    text.last == "." && !text.dropLast().contains(". ") && text.count > 40
                    && text.first?.isUppercase == true
                #expect(isSentence, "seed \(seed): \(text)")
            }
        }
    }
}
