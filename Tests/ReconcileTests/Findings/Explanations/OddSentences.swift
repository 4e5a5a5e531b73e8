@testable import Reconcile

extension Explained {
    /// Of other users than those of `KindCase`.
    static let ofOddUsers = ofFacts + ofMoreLeaks + ofMoreRows

    private static let ofMoreLeaks = [
        Explained(
            .sandboxGrantsProduction, "a receipt made by Xcode", receipts: [.xcode],
            rows: [.pro(until: 20)],
            """
            Entitlement e1 grants pro.monthly until \(day(20)) (last changed \(day(-10))), \
            but no receipt gives it, and receipt r1 was made by Xcode's StoreKit testing, \
            which takes no payment.
            """),
        Explained(
            .freemiumUndecidable, "no version in the second receipt",
            receipts: [.answer(version: "5"), .answer(version: nil)],
            rows: [.full(source: .legacyPaid)],
            """
            Entitlement e1 grants full without an end, as paid for before the app became \
            free, but Apple's answer to receipt r2 has no original version to compare with \
            the last version that had to be paid for, "4.10", and the answer has no original \
            purchase date either: it cannot be decided whether the user paid.
            """),
        Explained(
            .grantWithoutTransaction, "two upgraded purchases",
            receipts: [
                .answer(
                    .pro(bought: -10, isUpgraded: true),
                    .max(bought: -9, original: "2", isUpgraded: true))
            ], rows: [.pro(until: 20)],
            """
            Entitlement e1 grants pro.monthly until \(day(20)) (last changed \(day(-10))), \
            but nothing on file gives it: Apple verified 1 of the 1 receipt that the user \
            has on file, and of the purchases that they show up to \(day(0)) those of it, or \
            of its subscription group, give no right: pro.monthly (transaction 1, bought \
            \(day(-10))), which was upgraded, and 1 more.
            """),
        Explained(
            .grantWithoutTransaction, "a subscription without an expiry",
            receipts: [.answer(.pro(bought: -10, lacksEnd: true))], rows: [.pro(until: 20)],
            """
            Entitlement e1 grants pro.monthly until \(day(20)) (last changed \(day(-10))), \
            but nothing on file gives it: Apple verified 1 of the 1 receipt that the user \
            has on file, and of the purchases that they show up to \(day(0)) those of it, or \
            of its subscription group, give no right: pro.monthly (transaction 1, bought \
            \(day(-10))), which has no expiry.
            """),
        Explained(
            .grantWithoutTransaction, "a refused receipt, which shows nothing",
            receipts: [.refused], rows: [.pro(until: 20)],
            """
            Entitlement e1 grants pro.monthly until \(day(20)) (last changed \(day(-10))), \
            but nothing on file gives it: Apple verified no receipt of the 1 that the user \
            has on file.
            """),
        Explained(
            .wrongAppReceipt, "another app's purchase, and an upgraded one",
            receipts: [
                .answer(.pro(bought: -10), saysApp: "other"),
                .answer(.pro(bought: -10, isUpgraded: true)),
            ], rows: [.pro(until: 20)],
            """
            Entitlement e1 grants pro.monthly until \(day(20)) (last changed \(day(-10))), \
            but no receipt gives it, and pro.monthly (transaction 1, bought \(day(-10))), a \
            purchase of it or of its subscription group, is in receipt r1, which Apple says \
            is for other and not for acme, for which it is stored.
            """),
        Explained(
            .wrongAppReceipt, "two of another app's purchases",
            receipts: [
                .answer(.pro(bought: -10, id: "2"), .pro(bought: -9, id: "1"), saysApp: "other")
            ], rows: [.pro(until: 20)],
            """
            Entitlement e1 grants pro.monthly until \(day(20)) (last changed \(day(-10))), \
            but no receipt gives it, and pro.monthly (transaction 1, bought \(day(-9))), a \
            purchase of it or of its subscription group, is in receipt r1, which Apple says \
            is for other and not for acme, for which it is stored.
            """),
        Explained(
            .expiredStillGranted, "an expiry after a failed payment and a grace period",
            receipts: [
                .answer(.pro(bought: -40), .renewal(.grace(until: -4), .ended(.paymentFailed)))
            ], rows: [.pro(until: 20)],
            """
            Apple shows pro.monthly (transaction 1, bought \(day(-40))) as expired since \
            \(day(-10)), because the payment failed, with a grace period until \(day(-4)), \
            but entitlement e1 grants pro.monthly until \(day(20)): access should have ended \
            with it.
            """),
        Explained(
            .expiredStillGranted, "an expiry with a refund in its chain",
            receipts: [.answer(.pro(bought: -40), .pro(bought: -50, cancelled: -3))],
            rows: [.pro(until: 20)],
            """
            Apple shows pro.monthly (transaction 1, bought \(day(-40))) as expired since \
            \(day(-10)), with a purchase of its chain cancelled at \(day(-3)), but \
            entitlement e1 grants pro.monthly until \(day(20)): access should have ended \
            with it.
            """),
        Explained(
            .expiredStillGranted, "an expired pass with a refund",
            receipts: [.answer(.pass(bought: -40), .pass(bought: -39, cancelled: -3))],
            rows: [.pass(until: 20)],
            """
            Apple shows pass (transaction 1, bought \(day(-40))), which by the catalogue's \
            access duration ended at \(day(-10)), with another purchase of it cancelled at \
            \(day(-3)), but entitlement e1 grants pass until \(day(20)): access should have \
            ended with it.
            """),
        Explained(
            .billingRetryStillGranted, "billing retry after a grace period",
            receipts: [.answer(.pro(bought: -40), .renewal(.grace(until: -4), .retry))],
            rows: [.pro(until: 20)],
            """
            Apple cannot collect the renewal of pro.monthly (transaction 1, bought \
            \(day(-40))), which expired \(day(-10)), with a grace period until \(day(-4)), \
            but entitlement e1 grants pro.monthly until \(day(20)): until Apple collects, \
            nothing is paid for.
            """),
        Explained(
            .grantWithoutReceipt, "judged offline, without a receipt", isOffline: true,
            rows: [.pro()],
            """
            Entitlement e1 grants pro.monthly without an end (last changed \(day(-10))), but \
            no receipt of this user is on file: nothing proves the purchase, and nothing \
            disproves it (judged offline, by stored receipts alone: what came after they \
            were made, renewals, refunds and expiries among it, is not known).
            """),
    ]

    private static let ofMoreRows = [
        Explained(
            .ownedNotGranted, "a product that the family shares, without a row",
            receipts: [.answer(.unlock(bought: -9, ownership: .familyShared))],
            """
            Apple shows unlock (transaction 1, bought \(day(-9))) as shared by the family \
            and not withdrawn, but the service has no entitlement for it on file: the user \
            has a right to it, and no other entitlement of the user covers it.
            """),
        Explained(
            .productMismatch, "a product of the group without a service level",
            receipts: [.answer(.plus(bought: -10))], rows: [.pro(until: 20)],
            """
            Apple shows plus.monthly (transaction 1, bought \(day(-10))) as paid until \
            \(day(20)), but entitlement e1 grants pro.monthly until \(day(20)): the two are \
            different products, and the catalogue does not say which of them gives more.
            """),
        Explained(
            .freemiumPaidNotGranted, "an app got before it became free, by date",
            receipts: [.answer(version: nil, firstGot: -101), .answer(version: "4.9")],
            """
            By Apple's answer to receipt r1 the user first got acme at \(day(-101)), before \
            it became free at \(day(-100)), which gives full without an end, but the service \
            has no entitlement for it on file and no other entitlement of the user covers \
            it.
            """),
        Explained(
            .activeNotGranted, "a gift that is not active", receipts: [.answer(.pro(bought: -10))],
            rows: [.pro(isActive: false, id: "e2", source: .gift)],
            """
            Apple shows pro.monthly (transaction 1, bought \(day(-10))) as paid until \
            \(day(20)), but entitlement e2 of pro.monthly is not active (source "promo"): \
            the user has a right to it, and no other entitlement of the user covers it.
            """),
        Explained(
            .freemiumPaidNotGranted, "a gift that has ended, and two receipts of a paid app",
            receipts: [.answer(id: "b", version: "4.0"), .answer(id: "a", version: "4.9")],
            rows: [.full(until: -1, id: "e2", source: .gift)],
            """
            By Apple's answer to receipt a the user first got acme at version "4.9", not \
            later than the last version that had to be paid for, "4.10", which gives full \
            without an end, but entitlement e2 granted full only until \(day(-1)) (source \
            "promo") and no other entitlement of the user covers it.
            """),
        Explained(
            .expiryTooEarly, "a product without an end, and a row with one",
            receipts: [.answer(.unlock(bought: -10))], rows: [.unlock(until: 20)],
            """
            Apple shows unlock (transaction 1, bought \(day(-10))) as owned and not \
            refunded, but entitlement e1 grants unlock until \(day(20)): the right has no \
            end, and the stored expiry would end it.
            """),
        Explained(
            .expiryTooLate, "an infinite expiry", receipts: [.answer(.pro(bought: -10))],
            rows: [.pro(until: .infinity)],
            """
            Apple shows pro.monthly (transaction 1, bought \(day(-10))) as paid until \
            \(day(20)), but entitlement e1 grants pro.monthly without an end (its expiry is \
            stored as infinity): the stored expiry is more than 60 s later than the latest \
            end of the right, \(day(20)).
            """),
        Explained(
            .activeNotGranted, "an expiry before all time", receipts: [.answer(.pro(bought: -10))],
            rows: [.pro(until: -.infinity)],
            """
            Apple shows pro.monthly (transaction 1, bought \(day(-10))) as paid until \
            \(day(20)), but entitlement e1 never grants pro.monthly (its expiry is stored as \
            -infinity): the user has a right to it, and no other entitlement of the user \
            covers it.
            """),
        Explained(
            .labelStale, "a row that says it ends, in grace",
            receipts: [.answer(.pro(bought: -32), .renewal(.on, .grace(until: 5)))],
            rows: [.pro(until: 5, renews: false)],
            """
            Apple could not yet collect the renewal of pro.monthly (transaction 1, bought \
            \(day(-32))), which expired \(day(-2)), and grants a grace period until \
            \(day(5)), and says that it will renew (auto_renew_status 1), but entitlement e1 \
            grants pro.monthly until \(day(5)) and is stored as one that will not renew.
            """),
        Explained(
            .activeNotGranted, "judged offline, by a receipt", isOffline: true,
            receipts: [.answer(.pro(bought: -10))], rows: [.pro(isActive: false)],
            """
            Apple shows pro.monthly (transaction 1, bought \(day(-10))) as paid until \
            \(day(20)), but entitlement e1 of pro.monthly is not active: the user has a \
            right to it, and no other entitlement of the user covers it (judged offline, by \
            the receipt that Apple made \(day(-3)): what came after it, renewals, refunds \
            and expiries among it, is not known).
            """),
    ]
}
