import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a row with lines of the App Store Server API and Apple's status, and the state
/// that the rules give the subscription.
@Suite("Apple's status of a subscription beside the judged state")
struct StatusAgreementTests {
    struct Subscription: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let purchase: ShownLine
        var facts: [RenewalFact] = []
        let state: Grantor.State
        let status: Int

        func judgement(telling status: Int) -> Judgement {
            let renewal = ShownLine.renewal(facts + [.status(status)], original: "1")
            return Judge.acme.judgement([.customer(purchase, renewal)])
        }
    }

    @Test(
        "Each state has one status of Apple's, with which it agrees",
        arguments: [
            Subscription(
                testDescription: "active", purchase: .pro(bought: -10), state: .active, status: 1),
            Subscription(
                testDescription: "expired", purchase: .pro(bought: -40), state: .expired,
                status: 2),
            Subscription(
                testDescription: "in billing retry", purchase: .pro(bought: -40),
                facts: [.retry], state: .billingRetry, status: 3),
            Subscription(
                testDescription: "in the grace period", purchase: .pro(bought: -40),
                facts: [.retry, .grace(until: 5)], state: .grace, status: 4),
            Subscription(
                testDescription: "refunded", purchase: .pro(bought: -10, cancelled: -5),
                state: .revoked, status: 5),
            Subscription(
                testDescription: "no longer shared",
                purchase: .pro(bought: -10, cancelled: -5, ownership: .familyShared),
                state: .familyRevoked, status: 5),
        ])
    func agree(row: Subscription) {
        for status in 0...6 {
            let agreement = row.judgement(telling: status).statusAgreement
            let isSame = status == row.status
            #expect(agreement.agree == (isSame ? 1 : 0), "\(status)")
            let difference = StatusAgreement.Difference(
                chain: "1", state: row.state, status: status)
            #expect(agreement.differing == (isSame ? [] : [difference]), "\(status)")
        }
    }

    @Test("Subscriptions that Apple gives no status, and answers that give no right, do not count")
    func uncounted() {
        let status = ShownLine.renewal(.status(2))
        for receipt in [
            ShownReceipt.customer(.pro(bought: -10), .renewal(.on)),
            .customer(.pro(bought: -10), status, environment: .sandbox),
            .customer(.unlock(bought: -10), .renewal(.status(2), original: "7")),
        ] {
            #expect(Judge.acme.judgement([receipt]).statusAgreement == StatusAgreement())
        }
    }

    @Test("Each subscription counts for itself")
    func several() {
        let receipt = ShownReceipt.customer(
            .pro(bought: -10), .news(bought: -10, id: "8", original: "8"),
            .renewal(.status(1)), .renewal(.status(2), original: "8"))
        let agreement = Judge.acme.judgement([receipt]).statusAgreement
        #expect(agreement.agree == 1)
        #expect(agreement.differing.map(\.chain) == ["8"])
    }
}
