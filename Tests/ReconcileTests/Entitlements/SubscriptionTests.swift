import Testing

@testable import Reconcile

@Suite("A subscription")
struct SubscriptionTests {
    /// The transactions and the renewal of a chain, and its standing: the state, the day of its
    /// end, the covering transaction and, of an ended right, the day since when it is gone.
    static let chains: [(String, [Transaction], Renewal?, String)] = [
        (
            "is active until its expiry", [.monthly("1", bought: -40), .monthly("2", bought: -10)],
            nil, "active 20 by 2"
        ),
        (
            "is expired at the very instant of its expiry", [.monthly("1", bought: -30)], nil,
            "expired 0 by 1, gone 0"
        ),
        (
            "ends at the greatest expiry, whatever the order",
            [.monthly("2", bought: -5), .monthly("1", bought: -20)], nil, "active 25 by 2"
        ),
        (
            "is active by an older period when the newest was refunded",
            [.monthly("1", bought: -20, days: 31), .monthly("2", bought: -5, cancelled: -2)], nil,
            "active 11 by 1"
        ),
        (
            "is revoked when the period that would run was refunded",
            [.monthly("1", bought: -40), .monthly("2", bought: -10, cancelled: -4)], nil,
            "revoked -4 by 2"
        ),
        (
            "is revoked by a refund within a period that is over",
            [.monthly("1", bought: -60, cancelled: -50)], nil, "revoked -50 by 1"
        ),
        (
            "is only expired when refunded after its expiry, and gone from then",
            [.monthly("1", bought: -60, cancelled: -20)], nil, "expired -30 by 1, gone -20"
        ),
        (
            "is family-revoked when it was shared",
            [.monthly("1", bought: -10, cancelled: -4, isFamilyShared: true)], nil,
            "family_revoked -4 by 1"
        ),
        (
            "is in grace while the grace period lasts", [.monthly("1", bought: -32)],
            .grace(until: 4, retries: true), "grace 4 by 1"
        ),
        (
            "is in billing retry when the grace period is over, gone since then",
            [.monthly("1", bought: -40)], .grace(until: -4, retries: true),
            "billing_retry -10 by 1, gone -4"
        ),
        (
            "is in billing retry without a grace period", [.monthly("1", bought: -40)],
            billingRetry[0], "billing_retry -10 by 1, gone -10"
        ),
        (
            "has no grace for a period that was refunded",
            [.monthly("1", bought: -32, cancelled: -5)], .grace(until: 4), "revoked -5 by 1"
        ),
        (
            "is active although it will not renew", [.monthly("1", bought: -10)],
            Renewal(originalID: "1", willRenew: false), "active 20 by 1"
        ),
        (
            "leaves out an upgraded period, even with a later expiry",
            [.monthly("1", bought: -20, days: 365, isUpgraded: true), .monthly("2", bought: -10)],
            nil, "active 20 by 2"
        ),
        (
            "gives nothing when all of it was upgraded",
            [.monthly("1", bought: -10, isUpgraded: true)], nil, "nothing"
        ),
        (
            "prefers the uncancelled of two periods alike",
            [.monthly("2", bought: -40, cancelled: -39), .monthly("1", bought: -40)], nil,
            "expired -10 by 1, gone -10"
        ),
        (
            "gives nothing by a transaction without expiry",
            [.once("1", "pro.monthly", bought: -10)], nil, "nothing"
        ),
    ]

    @Test(
        "Its transactions and its renewal decide its state, end and covering transaction",
        arguments: chains)
    func stands(
        title: String, transactions: [Transaction], renewal: Renewal?, expected: String
    ) {
        let chain = Subscription(transactions: Purchase.shown(transactions), renewal: renewal)
        #expect(chain.standing(asOf: .asOf).inWords == expected)
    }
}

@Suite("A product bought once")
struct OneTimeProductTests {
    @Test(
        "It is owned by the newest purchase, while one stands; the one cancelled last revokes it",
        arguments: [
            (
                [
                    .once("1", "unlock", bought: -90),
                    .once("3", "unlock", bought: -9, cancelled: -8),
                    .once("2", "unlock", bought: -30),
                ], "active for ever by 2"
            ),
            (
                [
                    .once("1", "unlock", bought: -90, cancelled: -5),
                    .once("2", "unlock", bought: -30, cancelled: -20),
                ], "revoked -5 by 1"
            ),
            (
                [.once("1", "unlock", bought: -9, cancelled: -5, isFamilyShared: true)],
                "family_revoked -5 by 1"
            ),
        ] as [([Transaction], String)])
    func isOwned(transactions: [Transaction], expected: String) {
        let product = OneTimeProduct(purchases: Purchase.shown(transactions))
        #expect(product.ownership().inWords == expected)
    }

    /// The days on which passes of 30 days were bought and cancelled, and their standing.
    static let passes: [([(Double, Double?)], String)] = [
        ([(-10, nil)], "active 20 by 1"),
        ([(-10, nil), (-40, nil)], "active 20 by 1"),
        ([(-20, nil), (-30, nil)], "active 30 by 1"),
        ([(-40, nil), (-40, nil)], "active 20 by 2"),
        ([(-90, nil), (-10, nil)], "active 20 by 2"),
        ([(-60, nil), (-60, nil)], "expired 0 by 2, gone 0"),
        ([(-40, nil), (-35, -34)], "expired -10 by 1, gone -10"),
        ([(-40, -39)], "revoked -39 by 1"),
        // Gone only when the last refunded purchase would have ended too.
        ([(-50, nil), (-45, -0.5)], "expired -20 by 1, gone -0.5"),
        // Of passes bought at one instant the greatest id, as a number, covers.
        (Array(repeating: (-5, nil), count: 10), "active 295 by 10"),
    ]

    @Test("Passes add up in the order of purchase", arguments: passes)
    func stacks(purchases: [(Double, Double?)], expected: String) {
        let transactions = purchases.enumerated().map { place, purchase in
            Transaction.once(
                TransactionID("\(place + 1)"), "pass", bought: purchase.0, cancelled: purchase.1)
        }
        let standing = OneTimeProduct(purchases: Purchase.shown(transactions))
            .pass(lasting: CalendarInterval(days: 30), asOf: .asOf)
        #expect(standing.inWords == expected)
    }
}

extension Standing? {
    /// For example `expired -10 by 1, gone -4`, in days from the instant of judgement.
    fileprivate var inWords: String {
        guard let standing = self else { return "nothing" }
        func day(_ instant: Instant) -> String {
            let milliseconds = Double(instant.milliseconds - Instant.asOf.milliseconds)
            let days = milliseconds / 86_400_000
            return days == days.rounded() ? "\(Int(days))" : "\(days)"
        }
        let end = standing.endsAt.map(day) ?? "for ever"
        let gone = standing.goneAt.map { ", gone \(day($0))" } ?? ""
        return "\(standing.state.rawValue) \(end) by \(standing.covering.id)\(gone)"
    }
}
