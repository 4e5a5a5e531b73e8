@testable import AppStoreSimulator

/// An invented customer of the app Atlas, and how Apple's answer about this customer is irregular.
///
/// To add an answer, add a customer to a dictionary under the answer's name, and rewrite the files.
struct FixtureAccount {
    struct Edit {
        let text: String
        let replacement: String

        init(_ text: String, _ replacement: String) {
            self.text = text
            self.replacement = replacement
        }
    }

    var account = AppAccount(.atlas, installedAt: .day(-900))
    var quirks: Set<AnswerQuirk> = []
    /// Of the answer's text.
    var edits: [Edit] = []
    var excludesOld = false

    /// The app's paid time ended with version 240.
    init(
        _ subscriptions: [Subscription] = [], purchases: [Purchase] = [],
        quirks: Set<AnswerQuirk> = [], edits: [Edit] = [],
        _ change: (inout FixtureAccount) -> Void = { _ in }
    ) {
        account.subscriptions = subscriptions
        account.purchases = purchases
        account.originalVersion = "300"
        self.quirks = quirks
        self.edits = edits
        change(&self)
    }

    static let all = [subscribers, renewals, buyers, irregular, old, malformed].reduce(into: [:]) {
        $0.merge($1) { _, _ in preconditionFailure("an answer is there twice") }
    }
}

extension Moment {
    /// The instant at which the answers in `Tests/Fixtures` were made. Days are counted from it.
    static let fixture = Moment(milliseconds: 1_795_140_000_000)
    static func day(_ days: Int) -> Moment { fixture.days(days) }
}

extension Purchase {
    /// - Parameters:
    ///   - number: the last digits of its id.
    ///   - day: when it was bought.
    static func once(
        _ product: String, _ number: Int64, _ day: Int,
        _ change: (inout Purchase) -> Void = { _ in }
    ) -> Purchase {
        var purchase = Purchase(
            SimulatedApp.atlas.product(product), id: 480_000_000_000_000 + number, at: .day(day))
        change(&purchase)
        return purchase
    }

    static func period(
        _ product: String, _ number: Int64, _ day: Int, days: Int = 30,
        _ change: (inout Purchase) -> Void = { _ in }
    ) -> Purchase {
        .once(product, number, day) { purchase in
            purchase.expiresAt = .day(day + days)
            change(&purchase)
        }
    }

    static func month(
        _ number: Int64, _ day: Int, _ change: (inout Purchase) -> Void = { _ in }
    ) -> Purchase { .period("pro.monthly", number, day, change) }
}

extension Subscription {
    /// Periods of one chain, the first of which gives it its id.
    static func chain(_ periods: Purchase..., renewal: Renewal = Renewal()) -> Subscription {
        var chain = Subscription(periods: periods, renewal: renewal)
        for index in periods.indices {
            chain.periods[index].originalID = periods[0].id
            chain.periods[index].originallyPurchasedAt = periods[0].purchasedAt
        }
        return chain
    }
}

extension Renewal {
    /// - Parameter intent: Apple's `expiration_intent`.
    static func off(_ day: Int, intent: Int? = nil) -> Renewal {
        Renewal(turnedOffAt: .day(day), intent: intent)
    }

    static func failing(since day: Int, grace: Int? = nil, until end: Int) -> Renewal {
        Renewal(
            intent: 2,
            failure: BillingFailure(
                since: .day(day), graceUntil: grace.map(Moment.day), givesUpAt: .day(end)))
    }
}
