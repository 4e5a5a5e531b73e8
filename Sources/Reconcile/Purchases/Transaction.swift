/// One purchase: the entries of `in_app` and `latest_receipt_info` with the same id, merged.
struct Transaction: Hashable, Sendable {
    var id: TransactionID
    /// The first transaction of the chain; the transaction's own id when Apple sends none.
    var originalID: TransactionID
    var product: ProductID
    var purchasedAt: Instant
    /// When it was bought at first, for a restored purchase; nil where the answer does not tell,
    /// and for a subscription.
    var originallyPurchasedAt: Instant?
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
    /// What only the App Store Server API tells.
    var sale: Sale?

    var isFamilyShared: Bool { ownership == .familyShared }

    /// A period at an unknown price: introductory, promotional, or by an offer code.
    var isDiscounted: Bool {
        isIntroductoryOffer || promotionalOffer != nil || offerCode != nil
            || sale?.isWinBack == true
    }

    /// Whether a cancellation is the end of family sharing, and no refund.
    var isOfFamily: Bool { isFamilyShared || sale?.isFamilyRevocation == true }
}

/// What the App Store Server API tells of a purchase, and verifyReceipt does not. A class, because
/// transactions of verifyReceipt, which have none, should be small.
final class Sale: Hashable, Sendable {
    /// Of the whole quantity, after offers.
    let price: SalePrice?
    /// Thousandths of a percent: 0 to 100,000.
    let revocationPercentage: Int?
    let isFamilyRevocation: Bool
    let isWinBack: Bool
    /// Whether it is billed monthly under a commitment for a longer time.
    let isMonthlyCommitment: Bool
    /// The account that the app named when the customer bought.
    let accountToken: String?

    init(
        price: SalePrice? = nil, revocationPercentage: Int? = nil, isFamilyRevocation: Bool = false,
        isWinBack: Bool = false, isMonthlyCommitment: Bool = false, accountToken: String? = nil
    ) {
        self.price = price
        self.revocationPercentage = revocationPercentage
        self.isFamilyRevocation = isFamilyRevocation
        self.isWinBack = isWinBack
        self.isMonthlyCommitment = isMonthlyCommitment
        self.accountToken = accountToken
    }

    private var values: SaleValues {
        SaleValues(
            price: price, revocationPercentage: revocationPercentage,
            flags: [isFamilyRevocation, isWinBack, isMonthlyCommitment],
            accountToken: accountToken)
    }

    static func == (one: Sale, other: Sale) -> Bool { one.values == other.values }

    func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

/// The properties of a `Sale`, for comparison.
private struct SaleValues: Hashable {
    let price: SalePrice?
    let revocationPercentage: Int?
    let flags: [Bool]
    let accountToken: String?
}

struct SalePrice: Hashable, Sendable {
    /// Thousandths of a unit of the currency.
    let thousandths: Int
    /// ISO 4217.
    let currency: String
}

package enum Ownership: String, Hashable, Sendable {
    case purchased = "PURCHASED"
    case familyShared = "FAMILY_SHARED"
}
