/// The `status` of a verifyReceipt answer. `AppleStatus` lists the meaning of each code.
///
/// Source: <https://developer.apple.com/documentation/appstorereceipts/status>
struct ReceiptStatus: RawRepresentable, Hashable, Sendable {
    let rawValue: Int

    /// 0, or 21006: valid, and the subscription has expired (iOS 6 answers only).
    var isValid: Bool { rawValue == 0 || rawValue == 21006 }
}
