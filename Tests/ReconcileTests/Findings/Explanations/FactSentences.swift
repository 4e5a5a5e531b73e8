@testable import Reconcile

extension Explained {
    /// Of findings without a row, of other users than those of `KindCase`.
    static let ofFacts = [
        Explained(
            .refundRecorded, "a refund with its reason",
            receipts: [.answer(.pro(bought: -10, cancelled: -4, reason: "1"))],
            """
            Apple refunded pro.monthly (transaction 1, bought \(day(-10))) at \(day(-4)) \
            because of an issue with the app.
            """),
        Explained(
            .familyRevocationRecorded, "a withdrawn share",
            receipts: [.answer(.pro(bought: -10, cancelled: -4, ownership: .familyShared))],
            """
            Apple withdrew the family sharing of pro.monthly (transaction 1, bought \
            \(day(-10))) at \(day(-4)).
            """),
        Explained(
            .expired, "a subscription that the customer cancelled",
            receipts: [
                .answer(
                    .pro(bought: -40, id: "9", original: "1"), .renewal(.ended(.customerCancelled)))
            ],
            """
            The subscription pro.monthly (transaction 9, bought \(day(-40))), of the \
            original transaction 1, ended at \(day(-10)), because the customer cancelled.
            """),
        Explained(
            .implausibleDates, "bought later than the answer", receipts: [.answer(.pro(bought: 3))],
            """
            Apple's answer to receipt r1, stored \(day(-5)) for acme, shows transaction 1 of \
            pro.monthly as bought \(day(3)), more than 48 hours after the answer itself \
            (\(day(0))): such dates should be looked into before anybody acts on them.
            """),
        Explained(
            .implausibleDates,
            "two periods that end before they begin, beside an unchecked receipt",
            receipts: [
                .answer(
                    .pro(bought: -10, until: -12, id: "8"), .pro(bought: -10, until: -11, id: "7")),
                .unchecked,
            ],
            """
            Apple's answer to receipt r1, stored \(day(-5)) for acme, shows transaction 7 of \
            pro.monthly as expiring \(day(-11)), before it was bought \(day(-10)): such \
            dates should be looked into before anybody acts on them.
            """),
        Explained(
            .implausibleDates, "a period that is too long, and one that ends before it begins",
            receipts: [
                .answer(
                    .pro(bought: -10, until: 290, id: "7"), .pro(bought: -10, until: -11, id: "8"))
            ],
            """
            Apple's answer to receipt r1, stored \(day(-5)) for acme, shows transaction 7 of \
            pro.monthly as paid from \(day(-10)) to \(day(290)) without a trial or an offer, \
            more than twice the catalogue's billing period of 30 days, and 180 days: such \
            dates should be looked into before anybody acts on them.
            """),
        Explained(
            .parseAnomaly, "two lines that are no transaction",
            receipts: [.answer(setAside: [.undated("7"), .withoutProduct])],
            """
            Apple's answer to receipt r1, stored \(day(-5)) for acme, holds 2 lines that are \
            no transaction, for what is missing, unreadable or contradictory in \
            "product_id", "purchase_date" of transaction 7: that was ignored, the rest was \
            judged, and no user is accused of what it may have shown.
            """),
        Explained(
            .receiptForOtherApp, "another app's receipt", receipts: [.answer(saysApp: "other")],
            """
            Apple says that receipt r1, stored \(day(-5)) for acme, belongs to another app, \
            other: it proves nothing for this one.
            """),
        Explained(
            .receiptNotAuthentic, "a wrong signature", receipts: [.forged],
            """
            The signature of receipt r1, stored \(day(-5)) for acme, does not fit its own \
            bytes, and Apple cannot read it (status 21002): it was changed after it was \
            signed and proves no purchase.
            """),
        Explained(
            .receiptAccountGone, "a deleted account", receipts: [.accountGone],
            """
            Apple said twice that the account of receipt r1, stored \(day(-5)) for acme, is \
            not found or was deleted (status 21010): what it proved can no longer be \
            checked.
            """),
        Explained(
            .receiptNotAuthentic, "a refused receipt", receipts: [.refused],
            """
            Apple said twice (status 21003) that receipt r1, stored \(day(-5)) for acme, \
            could not be authenticated: it proves no purchase.
            """),
    ]
}
