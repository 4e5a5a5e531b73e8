@testable import Reconcile

/// Worlds in which a simpler explanation would be false.
extension ExplanationTests {
    static let furtherCases = unproven + ended + unplaced + endless

    private static func answer(_ receipt: Receipt) -> [ReceiptEvidence] {
        [.stored(.verified(receipt))]
    }

    /// Evidence that gives nothing.
    private static let unproven: [Told] = [
        Told(
            kind: .grantWithoutTransaction,
            receipts: answers(
                .monthly("1", of: "1", bought: -10, isUpgraded: true),
                .monthly("2", of: "2", "max.monthly", bought: -9, isUpgraded: true)),
            rows: [.row(expires: 20)],
            sentence: """
                Entitlement e1 grants pro.monthly until 2026-12-10T02:00:00Z (last changed \
                2026-11-10T02:00:00Z), but nothing on file gives it: Apple verified 1 of the 1 \
                receipt that the user has on file, and of the purchases that they show up to \
                2026-11-20T02:00:00Z those of it, or of its subscription group, give no right: \
                pro.monthly (transaction 1, bought 2026-11-10T02:00:00Z), which was upgraded, and \
                1 more.
                """),
        Told(
            kind: .grantWithoutTransaction,
            receipts: answers(.once("1", "pro.monthly", bought: -10)),
            rows: [.row(expires: 20)],
            sentence: """
                Entitlement e1 grants pro.monthly until 2026-12-10T02:00:00Z (last changed \
                2026-11-10T02:00:00Z), but nothing on file gives it: Apple verified 1 of the 1 \
                receipt that the user has on file, and of the purchases that they show up to \
                2026-11-20T02:00:00Z those of it, or of its subscription group, give no right: \
                pro.monthly (transaction 1, bought 2026-11-10T02:00:00Z), which has no expiry.
                """),
        Told(
            kind: .grantWithoutTransaction, receipts: [.stored(.rejected(.notAuthentic))],
            rows: [.row(expires: 20)],
            sentence: """
                Entitlement e1 grants pro.monthly until 2026-12-10T02:00:00Z (last changed \
                2026-11-10T02:00:00Z), but nothing on file gives it: Apple verified no receipt of \
                the 1 that the user has on file.
                """),
        Told(
            kind: .receiptNotAuthentic, receipts: [.stored(.rejected(.notAuthentic))],
            sentence: """
                Apple said twice (status 21003) that receipt r1, stored 2026-11-15T02:00:00Z for \
                acme, could not be authenticated: it proves no purchase.
                """),
        Told(
            kind: .wrongAppReceipt,
            receipts: [
                .stored("r1", .verified(.showing(.monthly(bought: -10), bundle: "other"))),
                .stored("r2", .verified(.showing(.monthly(bought: -10, isUpgraded: true)))),
            ], rows: [.row(expires: 20)],
            sentence: """
                Entitlement e1 grants pro.monthly until 2026-12-10T02:00:00Z (last changed \
                2026-11-10T02:00:00Z), but no receipt gives it, and pro.monthly (transaction 1, \
                bought 2026-11-10T02:00:00Z), a purchase of it or of its subscription group, \
                stands in receipt r1, which Apple says is for other and not for acme, for which \
                it is stored.
                """),
    ]

    /// The cause is later than the end.
    private static let ended: [Told] = [
        Told(
            kind: .expiredStillGranted,
            receipts: answers(
                .monthly(bought: -40),
                renewals: [
                    Renewal(
                        originalID: "1", expirationIntent: .billing, gracePeriodExpiresAt: .day(-4))
                ]), rows: [.row(expires: 20)],
            sentence: """
                Apple shows pro.monthly (transaction 1, bought 2026-10-11T02:00:00Z) as expired \
                since 2026-11-10T02:00:00Z, because the payment failed, with a grace period until \
                2026-11-16T02:00:00Z, but entitlement e1 grants pro.monthly until \
                2026-12-10T02:00:00Z: access should have ended with it.
                """),
        Told(
            kind: .expiredStillGranted,
            receipts: answers(
                .monthly(bought: -40), .monthly("2", bought: -50, cancelled: -3)),
            rows: [.row(expires: 20)],
            sentence: """
                Apple shows pro.monthly (transaction 1, bought 2026-10-11T02:00:00Z) as expired \
                since 2026-11-10T02:00:00Z, with a purchase of its chain cancelled at \
                2026-11-17T02:00:00Z, but entitlement e1 grants pro.monthly until \
                2026-12-10T02:00:00Z: access should have ended with it.
                """),
        Told(
            kind: .expiredStillGranted,
            receipts: answers(
                .once("1", "pass", bought: -40), .once("2", "pass", bought: -39, cancelled: -3)),
            rows: [.row("e1", "pass", expires: 20)],
            sentence: """
                Apple shows pass (transaction 1, bought 2026-10-11T02:00:00Z), which by the \
                catalogue's access duration ended at 2026-11-10T02:00:00Z, with another purchase \
                of it cancelled at 2026-11-17T02:00:00Z, but entitlement e1 grants pass until \
                2026-12-10T02:00:00Z: access should have ended with it.
                """),
        Told(
            kind: .billingRetryStillGranted,
            receipts: answers(
                .monthly(bought: -40),
                renewals: [
                    Renewal(
                        originalID: "1", isInBillingRetry: true, gracePeriodExpiresAt: .day(-4))
                ]), rows: [.row(expires: 20)],
            sentence: """
                Apple cannot collect the renewal of pro.monthly (transaction 1, bought \
                2026-10-11T02:00:00Z), which expired 2026-11-10T02:00:00Z, with a grace period \
                until 2026-11-16T02:00:00Z, but entitlement e1 grants pro.monthly until \
                2026-12-10T02:00:00Z: until Apple collects, nothing is paid for.
                """),
    ]

    /// Rights that only rows of another source are about.
    private static let unplaced: [Told] = [
        Told(
            kind: .activeNotGranted, receipts: answers(.monthly(bought: -10)),
            rows: [.row("e2", isActive: false, source: .other("promo"))],
            sentence: """
                Apple shows pro.monthly (transaction 1, bought 2026-11-10T02:00:00Z) as paid \
                until 2026-12-10T02:00:00Z, but entitlement e2 of pro.monthly is not active \
                (source \"promo\"): the user has a right to it, and no other entitlement of the \
                user covers it.
                """),
        Told(
            kind: .freemiumPaidNotGranted, receipts: answer(.showing(version: "4.9")),
            rows: [.row("e2", "full", expires: -1, source: .other("promo"))],
            sentence: """
                By Apple's answer to receipt r1 the user first got acme at version \"4.9\", not \
                later than the last version that had to be paid for, \"4.10\", which gives full \
                for ever, but entitlement e2 granted full only until 2026-11-19T02:00:00Z (source \
                \"promo\") and no other entitlement of the user covers it.
                """),
    ]

    /// Rights without an end, and with an infinite one.
    private static let endless: [Told] = [
        Told(
            kind: .expiryTooEarly, receipts: answers(.once("1", "unlock", bought: -10)),
            rows: [.row("e1", "unlock", expires: 20)],
            sentence: """
                Apple shows unlock (transaction 1, bought 2026-11-10T02:00:00Z) as owned and not \
                refunded, but entitlement e1 grants unlock until 2026-12-10T02:00:00Z: the right \
                has no end, and the stored expiry would end it.
                """),
        Told(
            kind: .expiryTooLate, receipts: answers(.monthly(bought: -10)),
            rows: [.row(expires: .infinity)],
            sentence: """
                Apple shows pro.monthly (transaction 1, bought 2026-11-10T02:00:00Z) as paid \
                until 2026-12-10T02:00:00Z, but entitlement e1 grants pro.monthly for ever (its \
                expiry is stored as infinity): the stored expiry is more than 60 s later than the \
                latest end of the right, 2026-12-10T02:00:00Z.
                """),
        Told(
            kind: .activeNotGranted, receipts: answers(.monthly(bought: -10)),
            rows: [.row(expires: -.infinity)],
            sentence: """
                Apple shows pro.monthly (transaction 1, bought 2026-11-10T02:00:00Z) as paid \
                until 2026-12-10T02:00:00Z, but entitlement e1 never grants pro.monthly (its \
                expiry is stored as -infinity): the user has a right to it, and no other \
                entitlement of the user covers it.
                """),
        Told(
            kind: .labelStale,
            receipts: answers(
                .monthly(bought: -32),
                renewals: [
                    Renewal(originalID: "1", willRenew: true, gracePeriodExpiresAt: .day(5))
                ]), rows: [.row(expires: 5, autoRenew: false)],
            sentence: """
                Apple could not yet collect the renewal of pro.monthly (transaction 1, bought \
                2026-10-19T02:00:00Z), which expired 2026-11-18T02:00:00Z, and grants a grace \
                period until 2026-11-25T02:00:00Z, and says that it will renew (auto_renew_status \
                1), but entitlement e1 grants pro.monthly until 2026-11-25T02:00:00Z and is \
                stored as one that will not renew.
                """),
    ]
}
