@testable import Reconcile

/// A stored entitlement, for example `.pro(until: 20)`. Without `until` it has no end.
struct Row: Sendable {
    let id: EntitlementID?
    let product: ProductID
    var until: Double?
    var isActive = true
    var original: TransactionID?
    var changed: Double = -10
    var renews: Bool?
    var ownership: Ownership?
    var source = EntitlementSource.appStore

    /// - Parameter number: of the user's rows; the id is `e1`, `e2`…, if it has none.
    func entitlement(number: Int) -> StoredEntitlement {
        StoredEntitlement(
            id: id ?? EntitlementID("e\(number)"), user: "u", product: product,
            originalTransaction: original, isActive: isActive,
            expiresAt: until.map { .day($0) }, autoRenew: renews, ownership: ownership,
            source: source, updatedAt: .day(changed))
    }
}

extension Row: NamedProducts {
    struct Builder {
        let product: ProductID

        func callAsFunction(
            until: Double? = nil, isActive: Bool = true, id: EntitlementID? = nil,
            original: TransactionID? = nil, changed: Double = -10, renews: Bool? = nil,
            ownership: Ownership? = nil, source: EntitlementSource = .appStore
        ) -> Row {
            Row(
                id: id, product: product, until: until, isActive: isActive, original: original,
                changed: changed, renews: renews, ownership: ownership, source: source)
        }
    }

    static func builder(of product: ProductID, days: Double?) -> Builder {
        Builder(product: product)
    }
}

extension EntitlementSource {
    static let gift = EntitlementSource.other("promo")
}

extension UserEvidence {
    init(_ receipts: [ShownReceipt], rows: [Row] = []) {
        self.init(
            user: "u",
            receipts: receipts.enumerated().map { $1.evidence(number: $0 + 1) },
            entitlements: rows.enumerated().map { $1.entitlement(number: $0 + 1) })
    }
}

extension Judge {
    func judgement(
        _ receipts: [ShownReceipt], rows: [Row] = [], after history: [LedgerEntry] = [],
        unreadableRows: Int = 0
    ) -> Judgement {
        var user = UserEvidence(receipts, rows: rows)
        user.invalidEntitlements = unreadableRows
        return judgement(of: user.proven(for: self), history: UserHistory(history))
    }
}
