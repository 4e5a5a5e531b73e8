/// One purchase: the entries of `in_app` and `latest_receipt_info` with the same id, merged.
package struct Transaction: Hashable, Sendable {
    package var id: TransactionID
    /// The first transaction of the chain; the transaction's own id when Apple sends none.
    package var originalID: TransactionID
    package var product: ProductID
    package var purchasedAt: Instant
    /// The end of the paid period; nil unless the product is an auto-renewable subscription.
    package var expiresAt: Instant?
    /// When Apple took the purchase back: a refund, or family sharing revoked.
    package var cancelledAt: Instant?
    /// Apple's `cancellation_reason`: "1" an issue with the app, "0" another reason.
    package var cancellationReason: String?
    /// Replaced by a purchase of a higher level. Not a refund, even when cancelled.
    package var isUpgraded = false
    package var isTrial = false
    package var isIntroductoryOffer = false
    package var promotionalOffer: String?
    package var offerCode: String?
    /// Nil before about 2020, when Apple began to mark family sharing.
    package var ownership: Ownership?
    /// Apple's `web_order_line_item_id`: one paid period, which can have two transaction ids.
    package var lineItem: LineItemID?
    /// Above 1 for consumables only.
    package var quantity = 1
    /// Whether `latest_receipt_info` has the transaction, and not only `in_app`.
    package var isInLatest = false

    package var isFamilyShared: Bool { ownership == .familyShared }

    /// A period at an unknown price: introductory, promotional, or by an offer code.
    package var isDiscounted: Bool {
        isIntroductoryOffer || promotionalOffer != nil || offerCode != nil
    }
}

package enum Ownership: String, Hashable, Sendable {
    case purchased = "PURCHASED"
    case familyShared = "FAMILY_SHARED"
}
