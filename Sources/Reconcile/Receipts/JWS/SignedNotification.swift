/// A signed App Store server notification. Its data is signed a second time, inside it.
struct SignedNotification: Sendable {
    let type: String?
    let subtype: String?
    let id: String?
    /// The object that says what it is about; one of four.
    let subject: SignedPayload?
    let signedAt: SignedDate

    init(_ payload: SignedPayload) {
        type = payload.text("notificationType")
        subtype = payload.text("subtype")
        id = payload.text("notificationUUID")
        subject = Self.subjects.lazy.compactMap { payload.object($0) }.first
        signedAt = payload.date("signedDate")
    }

    private static let subjects: [StaticString] = [
        "data", "summary", "externalPurchaseToken", "appData",
    ]

    /// The signed strings inside it, by name, in a fixed order.
    var contents: [(name: String, text: String)] {
        Self.contents.compactMap { name in subject?.text(name).map { ("\(name)", $0) } }
    }

    private static let contents: [StaticString] = [
        "signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo",
    ]
}
