import Testing

@testable import Reconcile

/// Worlds that have a finding of a kind, and its explanation there.
extension ExplanationTests {
    static let worlds: [(FindingKind, [ReceiptEvidence], [StoredEntitlement])] = [
        (.refundRecorded, answers(.monthly(bought: -10, cancelled: -4, reason: "1")), []),
        (
            .familyRevocationRecorded,
            answers(.monthly(bought: -10, cancelled: -4, isFamilyShared: true)), []
        ),
        (
            .expired,
            answers(
                .monthly("9", of: "1", bought: -40),
                renewals: [Renewal(originalID: "1", expirationIntent: .voluntary)]), []
        ),
        (.ownedNotGranted, answers(.once("1", "unlock", bought: -9, isFamilyShared: true)), []),
        (.sandboxGrantsProduction, [.stored(.unusable(.xcode))], granted),
        (.productMismatch, answers(.monthly("1", of: "1", "plus.monthly", bought: -10)), granted),
        (.implausibleDates, verified(.showing(.monthly(bought: 3), requested: 0)), []),
        (.implausibleDates, answers(.monthly(bought: -10, days: -1)), []),
        (.implausibleDates, answers(.monthly(bought: -10, days: 300)), []),
        (.parseAnomaly, verified(.showing(anomalies: [setAside, anomaly])), []),
        (.receiptForOtherApp, verified(.showing(bundle: "other")), []),
        (.receiptNotAuthentic, [.stored(.rejected(.signature))], []),
        (.receiptAccountGone, [.stored(.rejected(.accountGone))], []),
        (.freemiumPaidNotGranted, firstGot(-101), []),
        (.freemiumUndecidable, firstGot(nil), [.row("e1", "full", source: .legacyPaid)]),
        (
            .grantWithoutTransaction,
            answers(
                .monthly("1", of: "1", bought: -10, isUpgraded: true),
                .monthly("2", of: "2", "max.monthly", bought: -9, isUpgraded: true)), granted
        ),
        (.grantWithoutTransaction, answers(.once("1", "pro.monthly", bought: -10)), granted),
        (.grantWithoutTransaction, [.stored(.rejected(.notAuthentic))], granted),
        (.receiptNotAuthentic, [.stored(.rejected(.notAuthentic))], []),
        (
            .wrongAppReceipt,
            [
                .stored("r1", .verified(.showing(.monthly(bought: -10), bundle: "other"))),
                .stored("r2", .verified(.showing(.monthly(bought: -10, isUpgraded: true)))),
            ], granted
        ),
        (
            .expiredStillGranted,
            answers(
                .monthly(bought: -40),
                renewals: [
                    Renewal(
                        originalID: "1", expirationIntent: .billing, gracePeriodExpiresAt: .day(-4))
                ]), granted
        ),
        (
            .expiredStillGranted,
            answers(.monthly(bought: -40), .monthly("2", bought: -50, cancelled: -3)), granted
        ),
        (
            .expiredStillGranted,
            answers(
                .once("1", "pass", bought: -40), .once("2", "pass", bought: -39, cancelled: -3)),
            [.row("e1", "pass", expires: 20)]
        ),
        (
            .billingRetryStillGranted,
            answers(.monthly(bought: -40), renewals: [.grace(until: -4, retries: true)]), granted
        ),
        (
            .activeNotGranted, answers(.monthly(bought: -10)),
            [.row("e2", isActive: false, source: .other("promo"))]
        ),
        (
            .freemiumPaidNotGranted, got("4.9"),
            [.row("e2", "full", expires: -1, source: .other("promo"))]
        ),
        (
            .expiryTooEarly, answers(.once("1", "unlock", bought: -10)),
            [.row("e1", "unlock", expires: 20)]
        ),
        (.expiryTooLate, answers(.monthly(bought: -10)), [.row(expires: .infinity)]),
        (.activeNotGranted, answers(.monthly(bought: -10)), [.row(expires: -.infinity)]),
        (
            .labelStale,
            answers(
                .monthly(bought: -32),
                renewals: [Renewal(originalID: "1", willRenew: true, gracePeriodExpiresAt: .day(5))]
            ),
            [.row(expires: 5, autoRenew: false)]
        ),
    ]

    /// Of `worlds`, in their order.
    static let further = """
        refund_recorded: Apple refunded pro.monthly (transaction 1, bought 2026-11-10T02:00:00Z) \
        at 2026-11-16T02:00:00Z because of an issue with the app.
        family_revocation_recorded: Apple withdrew the family sharing of pro.monthly (transaction \
        1, bought 2026-11-10T02:00:00Z) at 2026-11-16T02:00:00Z.
        expired: The subscription pro.monthly (transaction 9, bought 2026-10-11T02:00:00Z), of the \
        original transaction 1, ended at 2026-11-10T02:00:00Z, because the customer cancelled.
        owned_not_granted: Apple shows unlock (transaction 1, bought 2026-11-11T02:00:00Z) as \
        shared by the family and not withdrawn, but the service has no entitlement for it on file: \
        the user has a right to it, and no other entitlement of the user covers it.
        sandbox_grants_production: Entitlement e1 grants pro.monthly until 2026-12-10T02:00:00Z \
        (last changed 2026-11-10T02:00:00Z), but no receipt gives it, and receipt r1 was made by \
        Xcode's StoreKit testing, where nobody pays.
        product_mismatch: Apple shows plus.monthly (transaction 1, bought 2026-11-10T02:00:00Z) as \
        paid until 2026-12-10T02:00:00Z, but entitlement e1 grants pro.monthly until \
        2026-12-10T02:00:00Z: the two are different products, and the catalogue does not say which \
        of them gives more.
        implausible_dates: Apple's answer to receipt r1, stored 2026-11-15T02:00:00Z for acme, \
        shows transaction 1 of pro.monthly as bought 2026-11-23T02:00:00Z, more than 48 hours \
        after the answer itself (2026-11-20T02:00:00Z): such dates should be looked into before \
        anybody acts on them.
        implausible_dates: Apple's answer to receipt r1, stored 2026-11-15T02:00:00Z for acme, \
        shows transaction 1 of pro.monthly as expiring 2026-11-09T02:00:00Z, before it was bought \
        2026-11-10T02:00:00Z: such dates should be looked into before anybody acts on them.
        implausible_dates: Apple's answer to receipt r1, stored 2026-11-15T02:00:00Z for acme, \
        shows transaction 1 of pro.monthly as paid from 2026-11-10T02:00:00Z to \
        2027-09-06T02:00:00Z without a trial or an offer, more than twice the catalogue's billing \
        period of 30 days, and 180 days: such dates should be looked into before anybody acts on \
        them.
        parse_anomaly: Apple's answer to receipt r1, stored 2026-11-15T02:00:00Z for acme, holds 2 \
        lines that are no transaction, for what is missing, unreadable or contradictory in \
        "product_id", "purchase_date" of transaction 7: that was ignored, the rest was judged, \
        and no user is accused of what it may have shown.
        receipt_for_other_app: Apple says that receipt r1, stored 2026-11-15T02:00:00Z for acme, \
        belongs to another app, other: it proves nothing for this one.
        receipt_not_authentic: The signature of receipt r1, stored 2026-11-15T02:00:00Z for acme, \
        does not fit its own bytes, and Apple cannot read it (status 21002): it was changed after \
        it was signed and proves no purchase.
        receipt_account_gone: Apple said twice that the account of receipt r1, stored \
        2026-11-15T02:00:00Z for acme, is not found or was deleted (status 21010): what it proved \
        can no longer be checked.
        freemium_paid_not_granted: By Apple's answer to receipt r1 the user first got acme at \
        2026-08-11T02:00:00Z, before it became free at 2026-08-12T02:00:00Z, which gives full \
        without an end, but the service has no entitlement for it on file and no other \
        entitlement of the user covers it.
        freemium_undecidable: Entitlement e1 grants full without an end, as paid for before the \
        app became free, but Apple's answer to receipt r1 has no original version to compare with \
        the last version that had to be paid for, "4.10", and the answer has no original purchase \
        date either: it cannot be decided whether the user paid.
        grant_without_transaction: Entitlement e1 grants pro.monthly until 2026-12-10T02:00:00Z \
        (last changed 2026-11-10T02:00:00Z), but nothing on file gives it: Apple verified 1 of the \
        1 receipt that the user has on file, and of the purchases that they show up to \
        2026-11-20T02:00:00Z those of it, or of its subscription group, give no right: pro.monthly \
        (transaction 1, bought 2026-11-10T02:00:00Z), which was upgraded, and 1 more.
        grant_without_transaction: Entitlement e1 grants pro.monthly until 2026-12-10T02:00:00Z \
        (last changed 2026-11-10T02:00:00Z), but nothing on file gives it: Apple verified 1 of the \
        1 receipt that the user has on file, and of the purchases that they show up to \
        2026-11-20T02:00:00Z those of it, or of its subscription group, give no right: pro.monthly \
        (transaction 1, bought 2026-11-10T02:00:00Z), which has no expiry.
        grant_without_transaction: Entitlement e1 grants pro.monthly until 2026-12-10T02:00:00Z \
        (last changed 2026-11-10T02:00:00Z), but nothing on file gives it: Apple verified no \
        receipt of the 1 that the user has on file.
        receipt_not_authentic: Apple said twice (status 21003) that receipt r1, stored \
        2026-11-15T02:00:00Z for acme, could not be authenticated: it proves no purchase.
        wrong_app_receipt: Entitlement e1 grants pro.monthly until 2026-12-10T02:00:00Z (last \
        changed 2026-11-10T02:00:00Z), but no receipt gives it, and pro.monthly (transaction 1, \
        bought 2026-11-10T02:00:00Z), a purchase of it or of its subscription group, is in \
        receipt r1, which Apple says is for other and not for acme, for which it is stored.
        expired_still_granted: Apple shows pro.monthly (transaction 1, bought \
        2026-10-11T02:00:00Z) as expired since 2026-11-10T02:00:00Z, because the payment failed, \
        with a grace period until 2026-11-16T02:00:00Z, but entitlement e1 grants pro.monthly \
        until 2026-12-10T02:00:00Z: access should have ended with it.
        expired_still_granted: Apple shows pro.monthly (transaction 1, bought \
        2026-10-11T02:00:00Z) as expired since 2026-11-10T02:00:00Z, with a purchase of its chain \
        cancelled at 2026-11-17T02:00:00Z, but entitlement e1 grants pro.monthly until \
        2026-12-10T02:00:00Z: access should have ended with it.
        expired_still_granted: Apple shows pass (transaction 1, bought 2026-10-11T02:00:00Z), \
        which by the catalogue's access duration ended at 2026-11-10T02:00:00Z, with another \
        purchase of it cancelled at 2026-11-17T02:00:00Z, but entitlement e1 grants pass until \
        2026-12-10T02:00:00Z: access should have ended with it.
        billing_retry_still_granted: Apple cannot collect the renewal of pro.monthly (transaction \
        1, bought 2026-10-11T02:00:00Z), which expired 2026-11-10T02:00:00Z, with a grace period \
        until 2026-11-16T02:00:00Z, but entitlement e1 grants pro.monthly until \
        2026-12-10T02:00:00Z: until Apple collects, nothing is paid for.
        active_not_granted: Apple shows pro.monthly (transaction 1, bought 2026-11-10T02:00:00Z) \
        as paid until 2026-12-10T02:00:00Z, but entitlement e2 of pro.monthly is not active \
        (source "promo"): the user has a right to it, and no other entitlement of the user covers \
        it.
        freemium_paid_not_granted: By Apple's answer to receipt r1 the user first got acme at \
        version "4.9", not later than the last version that had to be paid for, "4.10", which \
        gives full without an end, but entitlement e2 granted full only until 2026-11-19T02:00:00Z \
        (source "promo") and no other entitlement of the user covers it.
        expiry_too_early: Apple shows unlock (transaction 1, bought 2026-11-10T02:00:00Z) as owned \
        and not refunded, but entitlement e1 grants unlock until 2026-12-10T02:00:00Z: the right \
        has no end, and the stored expiry would end it.
        expiry_too_late: Apple shows pro.monthly (transaction 1, bought 2026-11-10T02:00:00Z) as \
        paid until 2026-12-10T02:00:00Z, but entitlement e1 grants pro.monthly without an end (its \
        expiry is stored as infinity): the stored expiry is more than 60 s later than the latest \
        end of the right, 2026-12-10T02:00:00Z.
        active_not_granted: Apple shows pro.monthly (transaction 1, bought 2026-11-10T02:00:00Z) \
        as paid until 2026-12-10T02:00:00Z, but entitlement e1 never grants pro.monthly (its \
        expiry is stored as -infinity): the user has a right to it, and no other entitlement of \
        the user covers it.
        label_stale: Apple could not yet collect the renewal of pro.monthly (transaction 1, bought \
        2026-10-19T02:00:00Z), which expired 2026-11-18T02:00:00Z, and grants a grace period until \
        2026-11-25T02:00:00Z, and says that it will renew (auto_renew_status 1), but entitlement \
        e1 grants pro.monthly until 2026-11-25T02:00:00Z and is stored as one that will not renew.
        """.split(separator: "\n").map(String.init)

    private static let granted = [StoredEntitlement.row(expires: 20)]
    private static let setAside = ParseAnomaly(key: "purchase_date", transaction: "7")

    private static func firstGot(_ day: Double?) -> [ReceiptEvidence] {
        var receipt = Receipt.showing(version: nil)
        receipt.originalPurchaseAt = day.map(Instant.day)
        return verified(receipt)
    }

    /// Here `acme` became free on a day.
    static let judge = Judge(
        catalog: .acme.with(
            CatalogApp(
                bundle: "acme", lastPaidVersion: "4.10", paidUntil: .day(-100),
                premiumProduct: "full")), settings: JudgingSettings(asOf: .asOf))
}
