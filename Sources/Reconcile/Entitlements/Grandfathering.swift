/// The paid → freemium rule: a user who got the app while it was paid has the right of the
/// premium product without an end (SPEC §4.5).
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
        /// What was paid for with the app.
        let premium: ProductID
        /// By the day on which the app was first got, since the version could not be compared.
        let isByDate: Bool
    }

    private let rulings: [Right: Ruling]

    /// - Parameter receipts: all verified ones of a user; only modern right-giving answers speak.
    init(receipts: [VerifiedReceipt], catalog: Catalog) {
        var rulings: [Right: Ruling] = [:]
        for source in receipts {
            guard let ruling = Self.ruling(by: source, catalog) else { continue }
            let right = catalog.right(of: ruling.premium)
            if rulings[right].map(ruling.outweighs) ?? true { rulings[right] = ruling }
        }
        self.rulings = rulings
    }

    /// Nil when no receipt of the user speaks of it: that is not a free user.
    func ruling(on right: Right) -> Ruling? { rulings[right] }

    /// The rights that the user has without an end, in the order of the premium products' ids.
    var paid: [(right: Right, ruling: Ruling)] {
        rulings.filter { $0.value.verdict == .paid }
            .sorted { $0.value.premium < $1.value.premium }
            .map { (right: $0.key, ruling: $0.value) }
    }

    /// What one answer says; nil for an answer that gives no rights, one of iOS 6, and an app that
    /// was always free.
    static func ruling(by source: VerifiedReceipt, _ catalog: Catalog) -> Ruling? {
        guard source.isRightGiving, source.receipt.style == .modern,
            let app = catalog.apps[source.storedBundle], app.wasPaidFor,
            let premium = app.premiumProduct
        else { return nil }
        func ruling(_ verdict: Verdict, isByDate: Bool = false) -> Ruling {
            Ruling(
                verdict: verdict, source: source, app: app, premium: premium, isByDate: isByDate)
        }
        let receipt = source.receipt
        if let original = receipt.originalApplicationVersion.flatMap(AppVersion.init),
            let lastPaid = app.lastPaidVersion.flatMap(AppVersion.init)
        {
            return ruling(original <= lastPaid ? .paid : .notPaid)
        }
        guard let paidUntil = app.paidUntil, let purchasedAt = receipt.originalPurchaseAt else {
            return ruling(.undecidable)
        }
        return ruling(purchasedAt < paidUntil ? .paid : .notPaid, isByDate: true)
    }
}

extension Grandfathering.Ruling {
    fileprivate func outweighs(_ other: Self) -> Bool {
        verdict == other.verdict
            ? source.id < other.source.id : verdict.rawValue > other.verdict.rawValue
    }
}
