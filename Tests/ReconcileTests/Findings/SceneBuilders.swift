@testable import Reconcile

// Typed values for one user's case. Numbers are days from the instant of judgement; a user's
// products are those of `Catalog.acme`.

extension Transaction {
    /// A paid period; a month unless it ends at `end`.
    static func period(
        _ id: TransactionID = "1", of chain: TransactionID? = nil,
        _ product: ProductID = "pro.monthly", from bought: Double, to end: Double? = nil,
        cancelled: Double? = nil, change: (inout Transaction) -> Void = { _ in }
    ) -> Transaction {
        var period = Transaction(
            id: id, originalID: chain ?? id, product: product, purchasedAt: .day(bought),
            expiresAt: .day(end ?? bought + 30), cancelledAt: cancelled.map { .day($0) })
        change(&period)
        return period
    }

    static func once(
        _ product: ProductID, _ id: TransactionID = "1", of original: TransactionID? = nil,
        bought: Double, cancelled: Double? = nil
    ) -> Transaction {
        Transaction(
            id: id, originalID: original ?? id, product: product, purchasedAt: .day(bought),
            cancelledAt: cancelled.map { .day($0) })
    }
}

extension StoredEntitlement {
    static func row(
        _ product: ProductID = "pro.monthly", id: EntitlementID = "e1", to end: Double? = nil,
        names original: TransactionID? = nil, isActive: Bool = true, changed: Double = -10,
        source: EntitlementSource = .appStore
    ) -> StoredEntitlement {
        StoredEntitlement(
            id: id, user: "u", product: product, originalTransaction: original,
            isActive: isActive, expiresAt: end.map { .day($0) }, source: source,
            updatedAt: .day(changed))
    }
}

extension ReceiptEvidence {
    /// An answer of today's about a receipt stored for the same app.
    static func answered(
        _ transactions: [Transaction], id: ReceiptID = "r1", version: String = "5.0",
        environment: StoreEnvironment = .production, bundle: BundleID = "acme"
    ) -> ReceiptEvidence {
        .stored(
            id,
            .verified(
                Receipt(
                    bundle: bundle, environment: environment, createdAt: .day(-3),
                    requestedAt: .day(0), originalApplicationVersion: version,
                    transactions: transactions)))
    }
}

extension UserEvidence {
    static func user(
        _ receipts: [ReceiptEvidence], rows: [StoredEntitlement] = [], unreadableRows: Int = 0
    ) -> UserEvidence {
        UserEvidence(
            user: "u", receipts: receipts, entitlements: rows,
            invalidEntitlements: unreadableRows)
    }
}

extension LedgerEntry {
    static func open(
        _ kind: FindingKind, row: EntitlementID? = nil, reference: String = ""
    ) -> LedgerEntry {
        let identity = FindingIdentity(
            kind: kind, user: "u", entitlement: row, reference: reference)
        return LedgerEntry(
            id: identity.id, state: .open, identity: identity, firstSeen: .day(-5))
    }
}
