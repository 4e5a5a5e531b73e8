@testable import Reconcile

extension ExplanationTests {
    static let sentences: [FindingKind: String] = [
        .refundedStillGranted: """
        Apple refunded pro.monthly (transaction 1, bought 2026-11-10T02:00:00Z) at \
        2026-11-18T02:00:00Z, but entitlement e1 grants pro.monthly until \
        2026-12-10T02:00:00Z: what Apple has refunded is no longer paid for.
        """,
        .familyRevokedStillGranted: """
        Apple withdrew the family sharing of pro.monthly (transaction 1, bought \
        2026-11-10T02:00:00Z) at 2026-11-18T02:00:00Z, but entitlement e1 grants \
        pro.monthly until 2026-12-10T02:00:00Z: without the share this user has no right \
        to it.
        """,
        .expiredStillGranted: """
        Apple shows pro.monthly (transaction 1, bought 2026-10-19T02:00:00Z) as expired \
        since 2026-11-18T02:00:00Z, but entitlement e1 grants pro.monthly until \
        2026-12-10T02:00:00Z: access should have ended with it.
        """,
        .billingRetryStillGranted: """
        Apple cannot collect the renewal of pro.monthly (transaction 1, bought \
        2026-10-19T02:00:00Z), which expired 2026-11-18T02:00:00Z and has no grace \
        period left, but entitlement e1 grants pro.monthly until 2026-12-10T02:00:00Z: \
        until Apple collects, nothing is paid for.
        """,
        .grantWithoutReceipt: """
        Entitlement e1 grants pro.monthly without an end (last changed \
        2026-11-18T02:00:00Z), but no receipt of this user is on file: nothing proves \
        the purchase, and nothing disproves it.
        """,
        .wrongAppReceipt: """
        Entitlement e1 grants pro.monthly without an end (last changed \
        2026-11-18T02:00:00Z), but no receipt gives it, and max.monthly (transaction 1, \
        bought 2026-11-10T02:00:00Z), a purchase of it or of its subscription group, \
        stands in receipt r1, which Apple says is for other and not for acme, for which \
        it is stored.
        """,
        .sandboxGrantsProduction: """
        Entitlement e1 grants pro.monthly without an end (last changed \
        2026-11-18T02:00:00Z), but no receipt gives it, and max.monthly (transaction 1, \
        bought 2026-11-10T02:00:00Z), a purchase of it or of its subscription group in \
        receipt r1, is a test purchase in Apple's sandbox, for which nobody paid.
        """,
        .grantWithoutTransaction: """
        Entitlement e1 grants pro.monthly without an end (last changed \
        2026-11-18T02:00:00Z), but nothing on file gives it: Apple verified 1 of the 1 \
        receipt that the user has on file, and no purchase that they show up to \
        2026-11-20T02:00:00Z is of it or of its subscription group.
        """,
        .freemiumUndecidable: """
        Entitlement e1 grants full without an end, as paid for before the app became \
        free, but Apple's answer to receipt r1 has the original version \"4.1b2\", which \
        cannot be compared with the last version that had to be paid for, \"4.10\", and \
        the catalogue names no day on which acme became free: nobody can tell whether \
        the user paid.
        """,
        .freemiumGrantedNotPaid: """
        Entitlement e1 grants full without an end, as paid for before the app became \
        free (last changed 2026-11-18T02:00:00Z), but by Apple's answer to receipt r1 \
        the user first got acme at version \"4.11\", later than the last version that had \
        to be paid for, \"4.10\", and no purchase of full stands in its place: who came \
        later did not pay for it.
        """,
        .refundReversedNotRestored: """
        Apple shows pro.monthly (transaction 1, bought 2026-11-18T02:00:00Z) as paid until \
        2026-12-18T02:00:00Z, but entitlement e1 of pro.monthly is not active: Apple has \
        taken back a refund of it that an earlier run saw, and no other entitlement of the \
        user covers it.
        """,
        .activeNotGranted: """
        Apple shows pro.monthly (transaction 1, bought 2026-11-18T02:00:00Z) as paid \
        until 2026-12-18T02:00:00Z, but entitlement e1 of pro.monthly is not active: the \
        user has a right to it, and no other entitlement of the user covers it.
        """,
        .graceNotGranted: """
        Apple could not yet collect the renewal of pro.monthly (transaction 1, bought \
        2026-10-19T02:00:00Z), which expired 2026-11-18T02:00:00Z, and grants a grace \
        period until 2026-11-25T02:00:00Z, but entitlement e1 of pro.monthly is not \
        active: access goes on during a grace period, and no other entitlement of the \
        user covers it.
        """,
        .ownedNotGranted: """
        Apple shows unlock (transaction 1, bought 2026-11-18T02:00:00Z) as owned and not \
        refunded, but entitlement e1 of unlock is not active: the user has a right to \
        it, and no other entitlement of the user covers it.
        """,
        .freemiumPaidNotGranted: """
        By Apple's answer to receipt r1 the user first got acme at version \"4.9\", not \
        later than the last version that had to be paid for, \"4.10\", which gives full \
        for ever, but entitlement e1 of full is not active and no other entitlement of \
        the user covers it.
        """,
        .duplicateGrant: """
        Apple shows max.monthly (transaction 1, bought 2026-11-18T02:00:00Z) as paid \
        until 2026-12-18T02:00:00Z, but entitlement e1 grants pro.monthly until \
        2026-12-10T02:00:00Z: entitlement e2 grants max.monthly already, and one \
        purchase gives one of the two.
        """,
        .upgradeNotApplied: """
        Apple shows max.monthly (transaction 1, bought 2026-11-18T02:00:00Z) as paid \
        until 2026-12-18T02:00:00Z, but entitlement e1 grants pro.monthly until \
        2026-12-10T02:00:00Z: service level 1 was bought and level 2 is granted, 1 being \
        the highest.
        """,
        .downgradeNotApplied: """
        Apple shows lite.monthly (transaction 1, bought 2026-11-18T02:00:00Z) as paid \
        until 2026-12-18T02:00:00Z, but entitlement e1 grants pro.monthly until \
        2026-12-10T02:00:00Z: service level 3 was bought and level 2 is granted, 1 being \
        the highest.
        """,
        .productMismatch: """
        Apple shows pro.yearly (transaction 1, bought 2026-11-18T02:00:00Z) as paid \
        until 2026-12-18T02:00:00Z, but entitlement e1 grants pro.monthly until \
        2026-12-10T02:00:00Z: the two are different products, of one service level (2).
        """,
        .expiryMissing: """
        Apple shows pro.monthly (transaction 1, bought 2026-11-18T02:00:00Z) as paid \
        until 2026-12-18T02:00:00Z, but entitlement e1 grants pro.monthly without an \
        end: the right has an end, and a grant without one goes on for ever.
        """,
        .expiryTooLate: """
        Apple shows pro.monthly (transaction 1, bought 2026-11-18T02:00:00Z) as paid \
        until 2026-12-18T02:00:00Z, but entitlement e1 grants pro.monthly until \
        2026-12-18T02:01:01Z: the stored expiry is more than 60 s later than the latest \
        end of the right, 2026-12-18T02:00:00Z.
        """,
        .expiryTooEarly: """
        Apple shows pro.monthly (transaction 1, bought 2026-11-18T02:00:00Z) as paid \
        until 2026-12-18T02:00:00Z, but entitlement e1 grants pro.monthly until \
        2026-12-18T01:58:59Z: the stored expiry is more than 60 s earlier than the end \
        of the right.
        """,
        .ownershipMismatch: """
        Apple shows pro.monthly (transaction 1, bought 2026-11-18T02:00:00Z) as paid \
        until 2026-12-18T02:00:00Z, with the ownership PURCHASED, but entitlement e1 \
        grants pro.monthly until 2026-12-18T02:00:00Z with the ownership FAMILY_SHARED: \
        both are known, and they differ.
        """,
        .labelStale: """
        Apple shows pro.monthly (transaction 1, bought 2026-11-18T02:00:00Z) as paid \
        until 2026-12-18T02:00:00Z, and says that it will not renew (auto_renew_status \
        0), but entitlement e1 grants pro.monthly until 2026-12-18T02:00:00Z and is \
        stored as one that will renew.
        """,
    ]
}
