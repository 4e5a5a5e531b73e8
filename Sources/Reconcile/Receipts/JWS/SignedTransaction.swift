/// A signed transaction: `JWSTransactionDecodedPayload`. Values of Apple's enumerations are kept as
/// text, also unknown ones.
struct SignedTransaction: Equatable, Sendable {
    let id: TransactionID?
    let originalID: TransactionID?
    let bundle: BundleID?
    let product: ProductID?
    /// `Auto-Renewable Subscription`, for example.
    let type: String?
    let subscriptionGroup: SubscriptionGroupID?
    let lineItem: LineItemID?
    let quantity: Int?
    let purchasedAt: SignedDate
    let originallyPurchasedAt: SignedDate
    let expiresAt: SignedDate
    let revokedAt: SignedDate
    let revocationReason: String?
    let revocationType: String?
    /// Thousandths of a percent: 0 to 100,000.
    let revocationPercentage: Int?
    let isUpgraded: Bool
    let ownership: String?
    let offerType: String?
    let offerDiscountType: String?
    let offerIdentifier: String?
    /// Thousandths of `currency`, for the whole quantity and after the offer.
    let price: Int?
    let currency: String?
    let billingPlanType: String?
    /// The account that the app named when the customer bought.
    let appAccountToken: String?
    let environment: String?
    let signedAt: SignedDate

    init(_ payload: SignedPayload) {
        id = payload.id("transactionId")
        originalID = payload.id("originalTransactionId")
        bundle = payload.id("bundleId")
        product = payload.id("productId")
        type = payload.text("type")
        subscriptionGroup = payload.id("subscriptionGroupIdentifier")
        lineItem = payload.id("webOrderLineItemId")
        quantity = payload.integer("quantity")
        purchasedAt = payload.date("purchaseDate")
        originallyPurchasedAt = payload.date("originalPurchaseDate")
        expiresAt = payload.date("expiresDate")
        revokedAt = payload.date("revocationDate")
        revocationReason = payload.text("revocationReason")
        revocationType = payload.text("revocationType")
        revocationPercentage = payload.integer("revocationPercentage")
        isUpgraded = payload.flag("isUpgraded") ?? false
        ownership = payload.text("inAppOwnershipType")
        offerType = payload.text("offerType")
        offerDiscountType = payload.text("offerDiscountType")
        offerIdentifier = payload.text("offerIdentifier")
        price = payload.integer("price")
        currency = payload.text("currency")
        billingPlanType = payload.text("billingPlanType")
        appAccountToken = payload.text("appAccountToken")
        environment = payload.environment
        signedAt = payload.date("signedDate")
    }
}
