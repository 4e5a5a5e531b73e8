import Testing

@testable import Reconcile

@Suite("A stored row that grants what Apple no longer does")
struct LeakTests {
    static let rows: [RowExample] = [
        RowExample(
            testDescription: "refunded: fires",
            receipts: answers(.monthly(bought: -10, cancelled: -4)), row: .row(expires: 20),
            verdict: "refunded_still_granted"),
        RowExample(
            testDescription: "refunded: does not fire, the row no longer grants",
            receipts: answers(.monthly(bought: -10, cancelled: -4)), row: .row(isActive: false),
            verdict: "consistent"),
        RowExample(
            testDescription: "refunded: does not fire, the stored expiry has passed",
            receipts: answers(.monthly(bought: -10, cancelled: -4)), row: .row(expires: 0),
            verdict: "consistent"),
        RowExample(
            testDescription: "refunded: settles",
            receipts: answers(.monthly(bought: -10, cancelled: -0.99)), row: .row(expires: 20),
            verdict: "settling"),
        RowExample(
            testDescription: "refunded: is hidden by missing evidence",
            receipts: answers(.monthly(bought: -10, cancelled: -4)) + [unchecked],
            row: .row(expires: 20), verdict: "unverified"),
        RowExample(
            testDescription: "refunded: evidence is asked before settling",
            receipts: answers(.monthly(bought: -10, cancelled: -0.5)) + [unchecked],
            row: .row(expires: 20), verdict: "unverified"),
        RowExample(
            testDescription: "refunded: a row in flux settles",
            receipts: answers(.monthly(bought: -10, cancelled: -4)),
            row: .row(expires: 20, updated: 0.001), verdict: "settling"),
        RowExample(
            testDescription: "family-revoked: fires",
            receipts: answers(.monthly(bought: -10, cancelled: -4, isFamilyShared: true)),
            row: .row(expires: 20), verdict: "family_revoked_still_granted"),
        RowExample(
            testDescription: "family-revoked: settles",
            receipts: answers(.monthly(bought: -10, cancelled: -0.5, isFamilyShared: true)),
            row: .row(expires: 20), verdict: "settling"),
        RowExample(
            testDescription: "family-revoked: is hidden by missing evidence",
            receipts: answers(.monthly(bought: -10, cancelled: -4, isFamilyShared: true))
                + [unchecked], row: .row(expires: 20), verdict: "unverified"),
        RowExample(
            testDescription: "expired: fires", receipts: answers(.monthly(bought: -40)),
            row: .row(expires: 20), verdict: "expired_still_granted"),
        RowExample(
            testDescription: "expired: does not fire, a later period is active",
            receipts: answers(.monthly(bought: -40), .monthly("2", bought: -10)),
            row: .row(expires: 20), verdict: "consistent"),
        RowExample(
            testDescription: "expired: settles", receipts: answers(.monthly(bought: -30.5)),
            row: .row(expires: 20), verdict: "settling"),
        RowExample(
            testDescription: "expired: has settled after exactly the settling time",
            receipts: answers(.monthly(bought: -31)), row: .row(expires: 20),
            verdict: "expired_still_granted"),
        RowExample(
            testDescription: "expired: settles by a grace period that is just over",
            receipts: answers(
                .monthly(bought: -40),
                renewals: [Renewal(originalID: "1", gracePeriodExpiresAt: .day(-0.5))]),
            row: .row(expires: 20), verdict: "settling"),
        RowExample(
            testDescription: "expired: is hidden by missing evidence",
            receipts: answers(.monthly(bought: -40)) + [unchecked], row: .row(expires: 20),
            verdict: "unverified"),
        RowExample(
            testDescription: "expired: fires for a pass",
            receipts: answers(.once("1", "pass", bought: -40)), row: .row("e1", "pass"),
            verdict: "expired_still_granted"),
        RowExample(
            testDescription: "billing retry: fires",
            receipts: answers(.monthly(bought: -40), renewals: billingRetry),
            row: .row(expires: 20),
            verdict: "billing_retry_still_granted"),
        RowExample(
            testDescription: "billing retry: does not fire in grace",
            receipts: answers(.monthly(bought: -31), renewals: inGrace), row: .row(expires: 5),
            verdict: "consistent"),
        RowExample(
            testDescription: "billing retry: settles",
            receipts: answers(.monthly(bought: -30.2), renewals: billingRetry),
            row: .row(expires: 20), verdict: "settling"),
        RowExample(
            testDescription: "billing retry: is hidden by missing evidence",
            receipts: answers(.monthly(bought: -40), renewals: billingRetry) + [unchecked],
            row: .row(expires: 20), verdict: "unverified"),
    ]

    @Test(
        "A row is a leak only if Apple's right has ended, it has settled and evidence is whole",
        arguments: rows)
    func found(row: RowExample) { row.check() }
}
