/// One purchase or renewal with all its later events, of which only those before the current
/// instant are visible.
struct Purchase: Sendable {
    let product: SimulatedProduct
    let id: Int64
    /// Id of the chain's first purchase; its own id for anything but a subscription.
    var originalID: Int64
    let purchasedAt: Moment
    var originallyPurchasedAt: Moment
    /// Subscriptions only.
    var expiresAt: Moment?
    /// A refund, or the end of family sharing.
    var cancelledAt: Moment?
    /// From then on, neither the refund nor its reversal is visible.
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
        self.product = product
        self.id = id
        self.purchasedAt = purchasedAt
        originalID = id
        originallyPurchasedAt = purchasedAt
    }

    /// `web_order_line_item_id`, unique for each period, in another number space than transactions.
    var lineItem: Int64 { id - 170_000_000_000_000 }

    func cancellation(at now: Moment) -> Moment? {
        guard let cancelledAt, cancelledAt <= now else { return nil }
        if let refundReversedAt, refundReversedAt <= now { return nil }
        return cancelledAt
    }

    func isUpgraded(at now: Moment) -> Bool { upgradedAt.map { $0 <= now } ?? false }
}
