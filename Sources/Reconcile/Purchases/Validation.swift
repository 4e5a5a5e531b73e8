/// Only `rejected` counts against a receipt; `unverified` means that it could not be checked.
enum Validation: Hashable, Sendable {
    // Indirect, because it is copied from report to evidence to outcome.
    indirect case verified(Receipt)
    case rejected(Rejection)
    case unusable(Unusable)
    case unverified(Unverified)
}

extension Validation {
    var isVerified: Bool {
        if case .verified = self { return true }
        return false
    }

    var bucket: ReceiptBucket {
        switch self {
        case .verified: .verified
        case .rejected: .rejected
        case .unusable: .unusable
        case .unverified: .unverified
        }
    }

    /// The value of the column `outcome`.
    var outcome: String { bucket.name }

    /// The value of the column `cause`; nil for `verified`.
    var cause: String? {
        switch self {
        case .verified: nil
        case .rejected(let cause): cause.rawValue
        case .unusable(let cause): cause.rawValue
        case .unverified(let cause): cause.rawValue
        }
    }
}

/// Why a receipt is rejected: Apple refused it twice, or its own signature does not fit. Raw values
/// are the reports' `reason`.
enum Rejection: String, Hashable, Sendable {
    /// 21003: the receipt could not be authenticated.
    case notAuthentic = "not_authentic"
    /// 21010: the account is not found or deleted.
    case accountGone = "account_gone"
    /// The signature does not fit the bytes; in a run with requests, Apple also answered 21002.
    case signature
}

/// Why a stored receipt was never sent. Raw values are the reports' `reason`.
enum Unusable: String, Hashable, Sendable {
    case empty
    /// Neither PKCS#7 nor an iOS 6 property list.
    case notAReceipt = "not_a_receipt"
    /// A StoreKit 2 signed transaction where a receipt was expected.
    case jws
    /// Made by Xcode's StoreKit testing, unknown to Apple.
    case xcode
    /// A null in a required column.
    case storedRowInvalid = "stored_row_invalid"
}
