/// What Apple knows of one customer in one app.
struct AppAccount: Sendable {
    enum Style: Sendable { case modern, iOS6 }

    /// What verifyReceipt makes of a receipt of this account.
    enum Verdict: Sendable {
        case genuine
        /// 21003
        case notAuthentic
        /// 21010
        case accountGone
    }

    let app: SimulatedApp
    var isSandbox = false
    var style = Style.modern
    var verdict = Verdict.genuine
    /// Bought by an organisation in volume.
    var isVolume = false
    /// When the app was first got.
    var installedAt: Moment
    /// Nil: Apple leaves the key out.
    var originalVersion: String?
    var subscriptions: [Subscription] = []
    /// Bought one by one.
    var purchases: [Purchase] = []
    /// One transaction comes without a readable date.
    var isGarbled = false

    init(_ app: SimulatedApp, installedAt: Moment) {
        (self.app, self.installedAt) = (app, installedAt)
    }

    /// Everything bought by `now`, chain by chain.
    func seen(at now: Moment) -> [Purchase] {
        subscriptions.flatMap { $0.seen(at: now) } + purchases.filter { $0.purchasedAt <= now }
    }
}
