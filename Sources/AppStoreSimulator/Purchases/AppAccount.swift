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
    /// Whether one transaction has a malformed date.
    var isGarbled = false

    init(_ app: SimulatedApp, installedAt: Moment) {
        self.app = app
        self.installedAt = installedAt
    }

    func seen(at now: Moment) -> [Purchase] {
        subscriptions.flatMap { $0.seen(at: now) } + purchases.filter { $0.purchasedAt <= now }
    }
}
