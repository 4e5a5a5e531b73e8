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
    /// Of the price, in thousandths of a percent; nil: all of it. verifyReceipt does not tell it.
    var refundedShare: Int?
    /// A refund of a part that verifyReceipt does not show.
    var partRefundedAt: Moment?
    var upgradedAt: Moment?
    var isTrial = false
    var isIntroductory = false
    var isShared = false
    var promotionalOffer: String?
    var offerCode: String?
    var quantity = 1
    /// The user of the service who bought it, as the app told Apple: a UUID. Nil: another number of
    /// the app's.
    var buyer: String?

    init(_ product: SimulatedProduct, id: Int64, at purchasedAt: Moment) {
        self.product = product
        self.id = id
        self.purchasedAt = purchasedAt
        originalID = id
        originallyPurchasedAt = purchasedAt
    }

    /// `web_order_line_item_id`, unique for each period, in another number space than transactions.
    var lineItem: Int64 { id - 170_000_000_000_000 }

    /// A UUID that the app derived from its own account number.
    var accountToken: String {
        let digits = String(originalID % 1_000_000_000_000 + 1_000_000_000_000)
        return buyer ?? "7d9f0a3c-5b1e-4c2d-8e6f-" + digits.dropFirst()
    }

    func cancellation(at now: Moment) -> Moment? {
        guard let cancelledAt, cancelledAt <= now else { return nil }
        if let refundReversedAt, refundReversedAt <= now { return nil }
        return cancelledAt
    }

    /// What the App Store Server API shows.
    func revocation(at now: Moment) -> Moment? {
        cancellation(at: now) ?? partRefundedAt.flatMap { $0 <= now ? $0 : nil }
    }

    /// Now or later. Neither the end of family sharing nor an upgrade is a refund.
    var isRefunded: Bool {
        cancelledAt ?? partRefundedAt != nil && !isShared && upgradedAt == nil
    }

    func isUpgraded(at now: Moment) -> Bool { upgradedAt.map { $0 <= now } ?? false }
}
