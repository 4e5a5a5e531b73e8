/// The paid → freemium rule: who got the app while it was paid keeps the premium product for ever
/// (SPEC §4.5).
struct Grandfathering: Sendable {
    enum Verdict: Equatable, Sendable {
        case paid, notPaid
        /// No receipt says, and one of them cannot be read for it.
        case undecidable
    }

    private let verdicts: [ProductID: Verdict]

    /// - Parameter receipts: all verified ones of a user; only modern right-giving answers speak.
    init(receipts: [VerifiedReceipt], catalog: Catalog) {
        var verdicts: [ProductID: Verdict] = [:]
        for source in receipts where source.isRightGiving && source.receipt.style == .modern {
            guard let app = catalog.apps[source.storedBundle], app.lastPaidVersion != nil,
                let premium = app.premiumProduct
            else { continue }
            let verdict = Self.verdict(of: source.receipt, for: app)
            switch (verdicts[premium], verdict) {
            case (.paid, _), (.undecidable, .notPaid): break
            default: verdicts[premium] = verdict
            }
        }
        self.verdicts = verdicts
    }

    /// Nil when no receipt of the user speaks of it: that is not a free user.
    func verdict(on premium: ProductID) -> Verdict? { verdicts[premium] }

    private static func verdict(of receipt: Receipt, for app: CatalogApp) -> Verdict {
        if let original = receipt.originalApplicationVersion.flatMap(AppVersion.init),
            let lastPaid = app.lastPaidVersion.flatMap(AppVersion.init)
        {
            return original <= lastPaid ? .paid : .notPaid
        }
        guard let paidUntil = app.paidUntil, let purchasedAt = receipt.originalPurchaseAt else {
            return .undecidable
        }
        return purchasedAt < paidUntil ? .paid : .notPaid
    }
}
