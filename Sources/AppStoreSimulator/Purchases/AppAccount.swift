/// A customer's purchases in one app, as Apple knows them.
struct AppAccount: Sendable {
    enum Style: Sendable { case modern, iOS6 }

    /// What verifyReceipt answers for receipts of this account.
    enum Verdict: Sendable {
        case genuine
        /// Status 21003.
        case notAuthentic
        /// Status 21010.
        case accountGone
    }

    let app: SimulatedApp
    var isSandbox = false
    var style = Style.modern
    var verdict = Verdict.genuine
    /// Bought by an organisation in volume.
    var isVolume = false
    /// When the customer first got the app.
    var installedAt: Moment
    /// Nil: the answer lacks the key.
    var originalVersion: String?
    var subscriptions: [Subscription] = []
    /// One-time purchases.
    var purchases: [Purchase] = []
    /// Whether one transaction has a malformed date.
    var isGarbled = false

    init(_ app: SimulatedApp, installedAt: Moment) {
        self.app = app
        self.installedAt = installedAt
    }

    /// All purchases up to `now`, chain by chain.
    func seen(at now: Moment) -> [Purchase] {
        subscriptions.flatMap { $0.seen(at: now) } + purchases.filter { $0.purchasedAt <= now }
    }
}
