/// A signed renewal info: `JWSRenewalInfoDecodedPayload`. It names no app.
struct SignedRenewal: Equatable, Sendable {
    let originalID: TransactionID?
    let product: ProductID?
    /// The product of the next period.
    let renewsAs: ProductID?
    let willRenew: Bool?
    /// Apple's number, also an unknown one.
    let expirationIntent: String?
    let isInBillingRetry: Bool
    let gracePeriodExpiresAt: SignedDate
    let environment: String?
    let signedAt: SignedDate

    init(_ payload: SignedPayload) {
        originalID = payload.id("originalTransactionId")
        product = payload.id("productId")
        renewsAs = payload.id("autoRenewProductId")
        willRenew = payload.flag("autoRenewStatus")
        expirationIntent = payload.text("expirationIntent")
        isInBillingRetry = payload.flag("isInBillingRetryPeriod") ?? false
        gracePeriodExpiresAt = payload.date("gracePeriodExpiresDate")
        environment = payload.environment
        signedAt = payload.date("signedDate")
    }
}
