/// A signed app transaction: how the customer came by the app itself.
struct SignedAppTransaction: Equatable, Sendable {
    let id: String?
    let bundle: BundleID?
    /// The version that the customer got first: the build number on iOS, and the marketing version
    /// on macOS.
    let originalApplicationVersion: String?
    let originallyPurchasedAt: SignedDate
    /// `receiptType`, by which an app transaction names its environment.
    let environment: String?
    let createdAt: SignedDate

    init(_ payload: SignedPayload) {
        id = payload.text("appTransactionId")
        bundle = payload.id("bundleId")
        originalApplicationVersion = payload.text("originalApplicationVersion")
        originallyPurchasedAt = payload.date("originalPurchaseDate")
        environment = payload.environment
        createdAt = payload.date("receiptCreationDate")
    }
}
