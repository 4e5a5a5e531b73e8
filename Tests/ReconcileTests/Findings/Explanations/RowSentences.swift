@testable import Reconcile

extension Explained {
    /// Those of the first table, in its order, two days after their cause.
    static let ofKinds = ofLeaks + ofDebts + ofDifferences

    private static let ofLeaks = [
        Explained(
            .refundedStillGranted,
            """
            Apple refunded pro.monthly (transaction 1, bought \(day(-10))) at \(day(-2)), \
            but entitlement e1 grants pro.monthly until \(day(20)): what Apple has refunded \
            is no longer paid for.
            """),
        Explained(
            .familyRevokedStillGranted,
            """
            Apple withdrew the family sharing of pro.monthly (transaction 1, bought \
            \(day(-10))) at \(day(-2)), but entitlement e1 grants pro.monthly until \
            \(day(20)): without the share this user has no right to it.
            """),
        Explained(
            .expiredStillGranted,
            """
            Apple shows pro.monthly (transaction 1, bought \(day(-32))) as expired since \
            \(day(-2)), but entitlement e1 grants pro.monthly until \(day(20)): access \
            should have ended with it.
            """),
        Explained(
            .billingRetryStillGranted,
            """
            Apple cannot collect the renewal of pro.monthly (transaction 1, bought \
            \(day(-32))), which expired \(day(-2)) and has no grace period left, but \
            entitlement e1 grants pro.monthly until \(day(20)): until Apple collects, \
            nothing is paid for.
            """),
        Explained(
            .grantWithoutReceipt,
            """
            Entitlement e1 grants pro.monthly without an end (last changed \(day(-2))), but \
            no receipt of this user is on file: nothing proves the purchase, and nothing \
            disproves it.
            """),
        Explained(
            .wrongAppReceipt,
            """
            Entitlement e1 grants pro.monthly without an end (last changed \(day(-2))), but \
            no receipt gives it, and max.monthly (transaction 1, bought \(day(-10))), a \
            purchase of it or of its subscription group, is in receipt r1, which Apple says \
            is for other and not for acme, for which it is stored.
            """),
        Explained(
            .sandboxGrantsProduction,
            """
            Entitlement e1 grants pro.monthly without an end (last changed \(day(-2))), but \
            no receipt gives it, and max.monthly (transaction 1, bought \(day(-10))), a \
            purchase of it or of its subscription group in receipt r1, is a test purchase in \
            Apple's sandbox, which takes no payment.
            """),
        Explained(
            .grantWithoutTransaction,
            """
            Entitlement e1 grants pro.monthly without an end (last changed \(day(-2))), but \
            nothing on file gives it: Apple verified 1 of the 1 receipt that the user has on \
            file, and no purchase that they show up to \(day(0)) is of it or of its \
            subscription group.
            """),
        Explained(
            .freemiumUndecidable,
            """
            Entitlement e1 grants full without an end, as paid for before the app became \
            free, but Apple's answer to receipt r1 has the original version "4.1b2", which \
            cannot be compared with the last version that had to be paid for, "4.10", and \
            the catalogue names no day on which acme became free: it cannot be decided \
            whether the user paid.
            """),
        Explained(
            .freemiumGrantedNotPaid,
            """
            Entitlement e1 grants full without an end, as paid for before the app became \
            free (last changed \(day(-2))), but by Apple's answer to receipt r1 the user \
            first got acme at version "4.11", later than the last version that had to be \
            paid for, "4.10", and no purchase of full replaces it: who came later did not \
            pay for it.
            """),
    ]

    private static let ofDebts = [
        Explained(
            .refundReversedNotRestored,
            """
            Apple shows pro.monthly (transaction 1, bought \(day(-2))) as paid until \
            \(day(28)), but entitlement e1 of pro.monthly is not active: Apple has reversed \
            a refund of it that an earlier run saw, and no other entitlement of the user \
            covers it.
            """),
        Explained(
            .activeNotGranted,
            """
            Apple shows pro.monthly (transaction 1, bought \(day(-2))) as paid until \
            \(day(28)), but entitlement e1 of pro.monthly is not active: the user has a \
            right to it, and no other entitlement of the user covers it.
            """),
        Explained(
            .graceNotGranted,
            """
            Apple could not yet collect the renewal of pro.monthly (transaction 1, bought \
            \(day(-32))), which expired \(day(-2)), and grants a grace period until \
            \(day(5)), but entitlement e1 of pro.monthly is not active: access continues \
            during a grace period, and no other entitlement of the user covers it.
            """),
        Explained(
            .ownedNotGranted,
            """
            Apple shows unlock (transaction 1, bought \(day(-2))) as owned and not refunded, \
            but entitlement e1 of unlock is not active: the user has a right to it, and no \
            other entitlement of the user covers it.
            """),
        Explained(
            .freemiumPaidNotGranted,
            """
            By Apple's answer to receipt r1 the user first got acme at version "4.9", not \
            later than the last version that had to be paid for, "4.10", which gives full \
            without an end, but entitlement e1 of full is not active and no other \
            entitlement of the user covers it.
            """),
    ]

    private static let ofDifferences = [
        Explained(
            .duplicateGrant,
            """
            Apple shows max.monthly (transaction 1, bought \(day(-2))) as paid until \
            \(day(28)), but entitlement e1 grants pro.monthly until \(day(20)): entitlement \
            e2 grants max.monthly already, and one purchase gives one of the two.
            """),
        Explained(
            .upgradeNotApplied,
            """
            Apple shows max.monthly (transaction 1, bought \(day(-2))) as paid until \
            \(day(28)), but entitlement e1 grants pro.monthly until \(day(20)): service \
            level 1 was bought and level 2 is granted, 1 being the highest.
            """),
        Explained(
            .downgradeNotApplied,
            """
            Apple shows lite.monthly (transaction 1, bought \(day(-2))) as paid until \
            \(day(28)), but entitlement e1 grants pro.monthly until \(day(20)): service \
            level 3 was bought and level 2 is granted, 1 being the highest.
            """),
        Explained(
            .productMismatch,
            """
            Apple shows pro.yearly (transaction 1, bought \(day(-2))) as paid until \
            \(day(28)), but entitlement e1 grants pro.monthly until \(day(20)): the two are \
            different products, of one service level (2).
            """),
        Explained(
            .expiryMissing,
            """
            Apple shows pro.monthly (transaction 1, bought \(day(-2))) as paid until \
            \(day(28)), but entitlement e1 grants pro.monthly without an end: the right has \
            an end, and a grant without one never ends.
            """),
        Explained(
            .expiryTooLate,
            """
            Apple shows pro.monthly (transaction 1, bought \(day(-2))) as paid until \
            \(day(28)), but entitlement e1 grants pro.monthly until 2026-12-18T02:01:01Z: \
            the stored expiry is more than 60 s later than the latest end of the right, \
            \(day(28)).
            """),
        Explained(
            .expiryTooEarly,
            """
            Apple shows pro.monthly (transaction 1, bought \(day(-2))) as paid until \
            \(day(28)), but entitlement e1 grants pro.monthly until 2026-12-18T01:58:59Z: \
            the stored expiry is more than 60 s earlier than the end of the right.
            """),
        Explained(
            .ownershipMismatch,
            """
            Apple shows pro.monthly (transaction 1, bought \(day(-2))) as paid until \
            \(day(28)), with the ownership PURCHASED, but entitlement e1 grants pro.monthly \
            until \(day(28)) with the ownership FAMILY_SHARED: both are known, and they \
            differ.
            """),
        Explained(
            .labelStale,
            """
            Apple shows pro.monthly (transaction 1, bought \(day(-2))) as paid until \
            \(day(28)), and says that it will not renew (auto_renew_status 0), but \
            entitlement e1 grants pro.monthly until \(day(28)) and is stored as one that \
            will renew.
            """),
        Explained(
            .refundReversed,
            """
            Apple no longer shows a refund of pro.monthly (transaction 1, bought \
            \(day(-20))), of \(day(-2)), which an earlier run reported: the purchase is \
            valid again.
            """),
    ]
}
