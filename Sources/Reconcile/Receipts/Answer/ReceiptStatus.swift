/// Apple's verdict on a receipt, from the `status` of a verifyReceipt answer.
///
/// Source: <https://developer.apple.com/documentation/appstorereceipts/status>
package struct ReceiptStatus: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// What a status asks us to do next.
    enum Meaning: Equatable {
        /// 0, and 21006: valid, and the subscription has expired (iOS 6 answers only).
        case valid
        /// 21000: the request was not understood.
        case requestRefused
        /// 21002: malformed, or a passing trouble of Apple's.
        case malformed
        /// 21003.
        case notAuthentic
        /// 21004: the shared secret is not the app's.
        case sharedSecretMismatch
        /// 21007 and 21008: ask the environment that is named.
        case belongsTo(StoreEnvironment)
        /// 21010: the account is not found or deleted.
        case accountGone
        /// 21001, 21005, 21009 and everything unknown: worth another try.
        case unavailable
        /// 21100–21199: worth another try unless `is_retryable` says no.
        case internalError
    }

    var meaning: Meaning {
        switch rawValue {
        case 0, 21006: .valid
        case 21000: .requestRefused
        case 21002: .malformed
        case 21003: .notAuthentic
        case 21004: .sharedSecretMismatch
        case 21007: .belongsTo(.sandbox)
        case 21008: .belongsTo(.production)
        case 21010: .accountGone
        case 21100...21199: .internalError
        default: .unavailable
        }
    }
}
