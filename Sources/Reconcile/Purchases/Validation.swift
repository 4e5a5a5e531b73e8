/// Only `rejected` counts against a receipt; `unverified` means that it could not be checked.
enum Validation: Hashable, Sendable {
    // Indirect, because it is copied from report to evidence to outcome.
    indirect case verified(Receipt)
    case rejected(Rejection)
    case unusable(Unusable)
    case unverified(Unverified)
}

extension Validation {
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

/// What became of a stored receipt in a run.
package enum ReceiptBucket: Int, CaseIterable, Sendable {
    case verified, rejected, unusable, unverified

    var name: String {
        switch self {
        case .verified: "verified"
        case .rejected: "rejected"
        case .unusable: "unusable"
        case .unverified: "unverified"
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

/// Why a receipt could not be checked. Raw values are the `cause` in `unverified.csv`.
package enum Unverified: String, Hashable, Sendable {
    case timeout
    case connectionFailed = "connection_failed"
    case httpStatus = "http_status"
    /// HTTP 200 without Apple's JSON.
    case malformedAnswer = "malformed_answer"
    case answerTooLarge = "answer_too_large"
    /// A status that asks for a retry: 21001, 21005, 21009, 211xx, or an unknown one.
    case appleUnavailable = "apple_unavailable"
    /// 21002 on a well-formed receipt, which an outage of Apple's can also cause.
    case malformedAccordingToApple = "malformed_according_to_apple"
    /// Each environment redirected to the other.
    case environmentLoop = "environment_loop"
    /// Apple refused the receipt; in the second look it also refused controls that it had verified.
    case refusalUnconfirmed = "refusal_unconfirmed"
    /// 21003 twice, for a receipt that Apple did sign.
    case refusalContradictsSignature = "refusal_contradicts_signature"
    case sharedSecretRejected = "shared_secret_rejected"
    case sharedSecretMissing = "shared_secret_missing"
    case incompleteAnswer = "incomplete_answer"
    case requestRefused = "request_refused"
    /// Not requested before `--max-runtime` was over.
    case deadline
    case outage
    /// A replay whose original run has no answer for the receipt.
    case noEvidence = "no_evidence"
    /// An `--offline` run in which the receipt's own signature does not prove it.
    case offline
    /// The user has more receipts than can be read at once.
    case userTooLarge = "user_too_large"
    /// Every worker that started the receipt's batch crashed.
    case batchSetAside = "batch_set_aside"
}
