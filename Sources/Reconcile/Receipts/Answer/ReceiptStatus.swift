/// Apple's verdict on a receipt, from the `status` of a verifyReceipt answer.
///
/// Source: <https://developer.apple.com/documentation/appstorereceipts/status>
package struct ReceiptStatus: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// 0, and 21006: valid, and the subscription has expired (iOS 6 answers only). What the others
    /// mean is in `AppleStatus`.
    var isValid: Bool { rawValue == 0 || rawValue == 21006 }
}
