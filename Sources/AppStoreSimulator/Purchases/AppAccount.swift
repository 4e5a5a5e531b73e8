struct AppAccount: Sendable {
    enum Style: Sendable { case modern, iOS6 }

    enum Recognition: Sendable {
        case genuine
        /// Status 21003.
        case notAuthentic
        /// Status 21010.
        case accountGone
    }

    let app: SimulatedApp
    var isSandbox = false
    var style = Style.modern
    var recognition = Recognition.genuine
    /// Bought by an organisation in volume.
    var isVolume = false
    var installedAt: Moment
    /// Nil: the answer lacks the key.
    var originalVersion: String?
    var subscriptions: [Subscription] = []
    var purchases: [Purchase] = []
    /// Consumables that the app has delivered and finished: verifyReceipt shows them no more.
    var finished: [Purchase] = []
    /// Whether one transaction has a malformed date.
    var isGarbled = false

    init(_ app: SimulatedApp, installedAt: Moment) {
        self.app = app
        self.installedAt = installedAt
    }

    /// Says that the app told Apple who bought all this.
    mutating func nameBuyer(_ user: String) {
        for index in purchases.indices { purchases[index].buyer = user }
        for chain in subscriptions.indices {
            for index in subscriptions[chain].periods.indices {
                subscriptions[chain].periods[index].buyer = user
            }
        }
    }

    func seen(at now: Moment) -> [Purchase] {
        subscriptions.flatMap { $0.seen(at: now) } + purchases.filter { $0.purchasedAt <= now }
    }

    /// All that Apple knows, also what verifyReceipt does not show.
    func known(at now: Moment) -> [Purchase] {
        seen(at: now) + finished.filter { $0.purchasedAt <= now }
    }
}
