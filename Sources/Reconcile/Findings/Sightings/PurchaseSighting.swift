/// A chain, or a non-consumable or non-renewing product, in a user's right-giving answers. Compared
/// with other users' at the end of the run, when all have been judged.
struct PurchaseSighting: Hashable, Sendable {
    var user: UserID
    var originalID: TransactionID
    /// Nil unless the purchase is the best grantor of a granted row.
    var grant: Grant?
    /// Of its transactions in answers of the App Store Server API the newest; nil without one.
    var newest: Newest?

    struct Newest: Hashable, Sendable {
        var transaction: TransactionID
        var purchasedAt: Instant
        /// The account that the app named when it was bought.
        var accountToken: String?
    }

    struct Grant: Hashable, Sendable {
        /// Of several rows, the one with the smallest id.
        var entitlement: EntitlementID
        var receipt: ReceiptID
        /// Whose answer shows it, and its question, as in `Finding`.
        var source: AnswerSource?
        var question: Int?
        var product: ProductID
        var transaction: TransactionID
        var ownership: Ownership?
        var state: AppleState
        var endsAt: Instant?
        var reason: String?
        var bundle: BundleID?
        var evidenceDigest: [UInt8]?
    }
}

extension UserCase {
    /// - Parameter rows: the cases of the user's rows.
    func purchaseSightings(grantedBy rows: [RowCase]) -> [PurchaseSighting] {
        guard !evidence.isUnclaimed else { return [] }
        var shown: [TransactionID] = []
        for run in purchases.runs {
            guard let first = run.first else { continue }
            let isPurchased =
                kinds.kind(of: first.product) == .autoRenewable
                ? run.contains { $0.expiresAt != nil && $0.isBought }
                : kinds.causeNotJudged(first.product) == nil && run.contains(where: \.isBought)
            if isPurchased, shown.last != first.originalID { shown.append(first.originalID) }
        }
        guard !shown.isEmpty else { return [] }
        if shown.count > 1 { shown = Set(shown).sorted() }
        let grants = rows.grantsByPurchase
        return shown.map { originalID in
            PurchaseSighting(
                user: evidence.user, originalID: originalID, grant: grants[originalID],
                newest: newestSale(of: originalID))
        }
    }
}

extension UserCase {
    private func newestSale(of originalID: TransactionID) -> PurchaseSighting.Newest? {
        let answers = verified.filter { $0.proof == .serverAPI && $0.isRightGiving }
        let sales = answers.flatMap { $0.purchases(seenAsOf: settings.asOf) }
            .filter { $0.originalID == originalID }
        return sales.max { $0.isBoughtBefore($1) }.map { newest in
            PurchaseSighting.Newest(
                transaction: newest.id, purchasedAt: newest.purchasedAt,
                accountToken: newest.isFamilyShared ? nil : newest.sale?.accountToken)
        }
    }
}

extension [RowCase] {
    /// The granted row whose best grantor is the purchase, by original id.
    fileprivate var grantsByPurchase: [TransactionID: PurchaseSighting.Grant] {
        var grants: [TransactionID: PurchaseSighting.Grant] = [:]
        for rowCase in self {
            guard rowCase.isGrantedByStore, let row = rowCase.row, !rowCase.user.isInFlux(row),
                let best = rowCase.best,
                grants[best.originalID].map({ row.id < $0.entitlement }) ?? true
            else { continue }
            grants[best.originalID] = PurchaseSighting.Grant(
                entitlement: row.id, receipt: best.covering.source.id,
                source: best.covering.source.proof.source,
                question: best.covering.source.question, product: best.product,
                transaction: best.covering.id, ownership: best.covering.ownership,
                state: best.appleState, endsAt: best.endsAt, reason: best.reason,
                bundle: best.covering.source.receipt.bundle)
        }
        return grants
    }
}
