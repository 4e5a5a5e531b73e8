/// Users who got an app while it was paid have the premium product's right without an end.
struct Grandfathering: Sendable {
    /// Whether the user paid for the app.
    enum Payment: Int, Equatable, Sendable {
        case notPaid
        /// No receipt proves that the app was paid for, and one of them is undecidable.
        case undecidable
        case paid
    }

    /// Whether the app was paid for, and the answer that says so: of several, the one with the
    /// smallest receipt id.
    struct Ruling: Equatable, Sendable {
        let payment: Payment
        let source: VerifiedReceipt
        let app: CatalogApp
        let premium: ProductID
        /// Whether the date of the first download decided: the versions could not be compared.
        let isByDate: Bool
    }

    private let rulings: [Right: Ruling]

    /// - Parameter receipts: all verified receipts of a user; only modern right-giving ones count.
    init(receipts: [VerifiedReceipt], catalog: Catalog) {
        var rulings: [Right: Ruling] = [:]
        for source in receipts {
            guard let ruling = Self.ruling(by: source, catalog) else { continue }
            let right = catalog.right(of: ruling.premium)
            if rulings[right].map(ruling.outweighs) ?? true { rulings[right] = ruling }
        }
        self.rulings = rulings
    }

    /// Nil when the user has no receipt of the app; that does not mean that the user did not pay.
    func ruling(on right: Right) -> Ruling? { rulings[right] }

    var paid: [(right: Right, ruling: Ruling)] {
        rulings.filter { $0.value.payment == .paid }
            .sorted { $0.value.premium < $1.value.premium }
            .map { (right: $0.key, ruling: $0.value) }
    }

    /// Nil for an answer that gives no rights, an iOS 6 answer, and an app that was always free.
    static func ruling(by source: VerifiedReceipt, _ catalog: Catalog) -> Ruling? {
        guard source.isRightGiving, source.receipt.tellsPurchaseOfApp,
            let app = catalog.apps[source.storedBundle], app.wasPaidFor,
            let premium = app.premiumProduct
        else { return nil }
        func ruling(_ payment: Payment, isByDate: Bool = false) -> Ruling {
            Ruling(
                payment: payment, source: source, app: app, premium: premium, isByDate: isByDate)
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
        payment == other.payment
            ? source.id < other.source.id : payment.rawValue > other.payment.rawValue
    }
}
