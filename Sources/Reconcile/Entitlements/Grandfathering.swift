/// The paid → freemium rule: who got the app while it was paid keeps the premium product for ever
/// (SPEC §4.5).
struct Grandfathering: Sendable {
    enum Verdict: Int, Equatable, Sendable {
        case notPaid
        /// No receipt says that the app was paid for, and one of them cannot be read for it.
        case undecidable
        case paid
    }

    /// A verdict and the answer that brought it: of several the one with the smallest receipt id.
    struct Ruling: Equatable, Sendable {
        let verdict: Verdict
        let source: VerifiedReceipt
        let app: CatalogApp
        /// By the day on which the app was first got, since the version could not be compared.
        let isByDate: Bool
    }

    private let rulings: [ProductID: Ruling]

    /// - Parameter receipts: all verified ones of a user; only modern right-giving answers speak.
    init(receipts: [VerifiedReceipt], catalog: Catalog) {
        var rulings: [ProductID: Ruling] = [:]
        for source in receipts where source.isRightGiving && source.receipt.style == .modern {
            guard let app = catalog.apps[source.storedBundle], app.lastPaidVersion != nil,
                let premium = app.premiumProduct
            else { continue }
            let ruling = Self.ruling(by: source, on: app)
            if rulings[premium].map(ruling.outweighs) ?? true { rulings[premium] = ruling }
        }
        self.rulings = rulings
    }

    /// Nil when no receipt of the user speaks of it: that is not a free user.
    func ruling(on premium: ProductID) -> Ruling? { rulings[premium] }

    func verdict(on premium: ProductID) -> Verdict? { rulings[premium]?.verdict }

    /// The premium products that the user has for ever, in the order of their ids.
    var paidProducts: [ProductID] {
        rulings.filter { $0.value.verdict == .paid }.keys.sorted()
    }

    private static func ruling(by source: VerifiedReceipt, on app: CatalogApp) -> Ruling {
        let receipt = source.receipt
        if let original = receipt.originalApplicationVersion.flatMap(AppVersion.init),
            let lastPaid = app.lastPaidVersion.flatMap(AppVersion.init)
        {
            return Ruling(
                verdict: original <= lastPaid ? .paid : .notPaid, source: source, app: app,
                isByDate: false)
        }
        guard let paidUntil = app.paidUntil, let purchasedAt = receipt.originalPurchaseAt else {
            return Ruling(verdict: .undecidable, source: source, app: app, isByDate: false)
        }
        return Ruling(
            verdict: purchasedAt < paidUntil ? .paid : .notPaid, source: source, app: app,
            isByDate: true)
    }
}

extension Grandfathering.Ruling {
    fileprivate func outweighs(_ other: Self) -> Bool {
        verdict == other.verdict
            ? source.id < other.source.id : verdict.rawValue > other.verdict.rawValue
    }
}
