/// One purchase: the entries of `in_app` and `latest_receipt_info` with the same id, merged.
struct Transaction: Hashable, Sendable {
    var id: TransactionID
    /// The first transaction of the chain; the transaction's own id when Apple sends none.
    var originalID: TransactionID
    var product: ProductID
    var purchasedAt: Instant
    /// The end of the paid period; nil unless the product is an auto-renewable subscription.
    var expiresAt: Instant?
    /// When Apple took the purchase back: a refund, or family sharing revoked.
    var cancelledAt: Instant?
    /// Apple's `cancellation_reason`: "1" an issue with the app, "0" another reason.
    var cancellationReason: String?
    /// Replaced by a purchase of a higher level. Not a refund, even when cancelled.
    var isUpgraded = false
    var isTrial = false
    var isIntroductoryOffer = false
    var promotionalOffer: String?
    var offerCode: String?
    /// Nil before about 2020, when Apple began to mark family sharing.
    var ownership: Ownership?
    /// Whether Apple sent a value that is neither: the purchase is not bought, and not shared.
    var isOwnershipUnknown = false
    /// Apple's `web_order_line_item_id`: one paid period, which can have two transaction ids.
    var lineItem: LineItemID?
    /// Above 1 for consumables only.
    var quantity = 1
    var isInLatest = false

    var isFamilyShared: Bool { ownership == .familyShared }

    /// A period at an unknown price: introductory, promotional, or by an offer code.
    var isDiscounted: Bool {
        isIntroductoryOffer || promotionalOffer != nil || offerCode != nil
    }
}

package enum Ownership: String, Hashable, Sendable {
    case purchased = "PURCHASED"
    case familyShared = "FAMILY_SHARED"
}
