/// One purchase that Apple's answer shows: a line of `in_app` and `latest_receipt_info`, merged.
package struct Transaction: Hashable, Sendable {
    package var id: TransactionID
    /// The first transaction of the chain; the transaction's own id where Apple sends none.
    package var originalID: TransactionID
    package var product: ProductID
    package var purchasedAt: Instant
    /// The end of the period paid for; auto-renewable subscriptions only.
    package var expiresAt: Instant?
    /// When Apple took the purchase back: a refund, or family sharing withdrawn.
    package var cancelledAt: Instant?
    /// Apple's `cancellation_reason`: "1" an issue with the app, "0" another reason.
    package var cancellationReason: String?
    /// Replaced by a purchase of a higher level. Not a refund, even when it is cancelled.
    package var isUpgraded: Bool
    package var isTrial: Bool
    package var isIntroductoryOffer: Bool
    package var promotionalOffer: String?
    package var offerCode: String?
    /// Nil before family sharing was told apart, about 2020.
    package var ownership: Ownership?
    /// Apple's `web_order_line_item_id`: one paid period, which may have two transaction ids.
    package var lineItem: LineItemID?
    /// How many of the product were bought at once; of consumables more than one.
    package var quantity: Int
    /// It stands in `latest_receipt_info`, and not only in `in_app`.
    package var isInLatest: Bool

    package init(
        id: TransactionID, originalID: TransactionID, product: ProductID, purchasedAt: Instant,
        expiresAt: Instant? = nil, cancelledAt: Instant? = nil, cancellationReason: String? = nil,
        isUpgraded: Bool = false, isTrial: Bool = false, isIntroductoryOffer: Bool = false,
        promotionalOffer: String? = nil, offerCode: String? = nil, ownership: Ownership? = nil,
        lineItem: LineItemID? = nil, quantity: Int = 1, isInLatest: Bool = false
    ) {
        self.id = id
        self.originalID = originalID
        self.product = product
        self.purchasedAt = purchasedAt
        self.expiresAt = expiresAt
        self.cancelledAt = cancelledAt
        self.cancellationReason = cancellationReason
        self.isUpgraded = isUpgraded
        self.isTrial = isTrial
        self.isIntroductoryOffer = isIntroductoryOffer
        self.promotionalOffer = promotionalOffer
        self.offerCode = offerCode
        self.ownership = ownership
        self.lineItem = lineItem
        self.quantity = quantity
        self.isInLatest = isInLatest
    }

    package var isFamilyShared: Bool { ownership == .familyShared }

    /// A period at a price that is not known: introductory, promotional, or by an offer code.
    package var isDiscounted: Bool {
        isIntroductoryOffer || promotionalOffer != nil || offerCode != nil
    }
}

/// Apple's `in_app_ownership_type`.
package enum Ownership: String, Hashable, Sendable {
    case purchased = "PURCHASED"
    case familyShared = "FAMILY_SHARED"
}
