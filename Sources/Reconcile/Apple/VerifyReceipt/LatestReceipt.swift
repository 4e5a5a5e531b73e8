/// `latest_receipt`: a receipt that Apple signs at the time of the answer. Only answers about
/// auto-renewable subscriptions have one. Source:
/// <https://developer.apple.com/documentation/appstorereceipts/responsebody/latest_receipt>
package struct LatestReceipt: Equatable, Sendable {
    /// PKCS#7 in DER when it is Apple's; empty when the field is not base64.
    package let bytes: [UInt8]

    /// Nil when the answer `body` has no `latest_receipt`.
    package init?(in body: [UInt8]) {
        guard let text = VerifyReceiptAnswer.latestReceipt(in: body), !text.isEmpty else {
            return nil
        }
        bytes = Base64.decode(text)?.bytes ?? []
    }
}
