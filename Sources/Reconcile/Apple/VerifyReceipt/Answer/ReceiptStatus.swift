/// The `status` of an answer; `AppleStatus` lists the meanings.
struct ReceiptStatus: RawRepresentable, Hashable, Sendable {
    let rawValue: Int

    /// 0, or 21006: valid, and the subscription has expired (iOS 6 answers only).
    var isValid: Bool { rawValue == 0 || rawValue == 21006 }
}
