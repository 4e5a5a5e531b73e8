/// One purchase or renewal, with everything that ever becomes of it. What of it has happened yet
/// depends on the instant at which one looks.
struct Purchase: Sendable {
    let product: SimulatedProduct
    let id: Int64
    /// The first purchase of the chain; its own id for anything but a subscription.
    var originalID: Int64
    let purchasedAt: Moment
    /// When the chain began.
    var originallyPurchasedAt: Moment
    /// Subscriptions only.
    var expiresAt: Moment?
    /// A refund, or the end of family sharing.
    var cancelledAt: Moment?
    /// A refund that Apple took back: from then on nothing of it is seen.
    var refundReversedAt: Moment?
    /// Apple's `cancellation_reason` 1, an issue with the app; otherwise 0.
    var isRefundedForTheApp = false
    var upgradedAt: Moment?
    var isTrial = false
    var isIntroductory = false
    var isShared = false
    var promotionalOffer: String?
    var offerCode: String?

    init(_ product: SimulatedProduct, id: Int64, at purchasedAt: Moment) {
        (self.product, self.id, self.purchasedAt) = (product, id, purchasedAt)
        (originalID, originallyPurchasedAt) = (id, purchasedAt)
    }

    /// `web_order_line_item_id`, of which each period has its own. Its number space is not that of
    /// the transactions.
    var lineItem: Int64 { id - 170_000_000_000_000 }

    func cancellation(at now: Moment) -> Moment? {
        guard let cancelledAt, cancelledAt <= now else { return nil }
        if let refundReversedAt, refundReversedAt <= now { return nil }
        return cancelledAt
    }

    func isUpgraded(at now: Moment) -> Bool { upgradedAt.map { $0 <= now } ?? false }
}
