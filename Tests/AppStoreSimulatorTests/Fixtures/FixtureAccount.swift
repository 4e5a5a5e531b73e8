@testable import AppStoreSimulator

/// Invented purchases for the files in `Tests/Fixtures`. Days are counted from the instant at which
/// the answers were made.
enum FixtureAccount {
    static let now = Moment(milliseconds: 1_795_140_000_000)
    static let createdAt = day(-3)

    static func day(_ days: Int) -> Moment { now.days(days) }

    /// - Parameter version: when the customer first got the app; its paid time ended with 240.
    static func atlas(
        _ subscriptions: Subscription..., purchases: [Purchase] = [], version: String? = "300",
        change: (inout AppAccount) -> Void = { _ in }
    ) -> AppAccount {
        var account = AppAccount(.atlas, installedAt: day(-900))
        account.originalVersion = version
        account.subscriptions = subscriptions
        account.purchases = purchases
        change(&account)
        return account
    }

    /// - Parameter ids: the last digits.
    static func period(
        _ id: Int64, _ product: String = "pro.monthly", from start: Int, days: Int = 30,
        change: (inout Purchase) -> Void = { _ in }
    ) -> Purchase {
        var period = Purchase(
            SimulatedApp.atlas.product(product), id: 480_000_000_000_000 + id, at: day(start))
        period.expiresAt = day(start + days)
        change(&period)
        return period
    }

    /// A chain of these periods, of which the first gives its id.
    static func chain(
        _ periods: Purchase..., renewal: (inout Renewal) -> Void = { _ in }
    ) -> Subscription {
        var chain = Subscription(
            periods: periods.map { period in
                var period = period
                period.originalID = periods[0].id
                period.originallyPurchasedAt = periods[0].purchasedAt
                return period
            })
        renewal(&chain.renewal)
        return chain
    }

    static func once(
        _ id: Int64, _ product: String, bought: Int, refunded: Int? = nil, isShared: Bool = false
    ) -> Purchase {
        var purchase = Purchase(
            SimulatedApp.atlas.product(product), id: 480_000_000_000_000 + id, at: day(bought))
        purchase.cancelledAt = refunded.map(day)
        purchase.isShared = isShared
        return purchase
    }

    static let subscriber = atlas(chain(period(101, from: -40), period(102, from: -10)))

    static let collector = atlas(
        chain(period(301, from: -70), period(302, from: -40), period(303, from: -10)),
        chain(period(311, "weekly", from: -2, days: 7)),
        purchases: [
            once(321, "unlock", bought: -200), once(322, "coins", bought: -100),
            once(323, "pass", bought: -20), once(324, "coins", bought: -50, refunded: -48),
        ])

    static let refunded = atlas(
        chain(
            period(401, from: -40), period(402, from: -10) { $0.cancelledAt = day(-5) },
            renewal: {
                $0.turnedOffAt = day(-5)
                $0.intent = 1
            }))

    static let tester = atlas(chain(period(501, from: -1, days: 30)), version: "1.0") {
        $0.isSandbox = true
    }

    static let pioneer = atlas(version: "98")

    static let volume = atlas(purchases: [once(601, "unlock", bought: -100)]) {
        $0.isVolume = true
    }

    static func iOS6(_ subscription: Subscription) -> AppAccount {
        atlas(subscription) { $0.style = .iOS6 }
    }
}
