/// The answer to "is this receipt genuine, now?". Four outcomes, each with its cause (SPEC §2.8).
///
/// Only `rejected` speaks against a receipt. `unverified` says that nobody could tell.
package enum Validation: Hashable, Sendable {
    // By reference: it is passed on from report to evidence to outcome.
    indirect case verified(Receipt)
    case rejected(Rejection)
    case unusable(Unusable)
    case unverified(Unverified)
}

extension Validation {
    /// As the column `outcome` has it.
    package var outcome: String {
        switch self {
        case .verified: "verified"
        case .rejected: "rejected"
        case .unusable: "unusable"
        case .unverified: "unverified"
        }
    }

    /// As the column `cause` has it; none for what is verified.
    package var cause: String? {
        switch self {
        case .verified: nil
        case .rejected(let cause): cause.rawValue
        case .unusable(let cause): cause.rawValue
        case .unverified(let cause): cause.rawValue
        }
    }
}

/// Apple's word, in two looks, that the receipt is not good, or the receipt's own. Raw values are
/// the reports' `reason`.
package enum Rejection: String, Hashable, Sendable {
    /// 21003: the receipt could not be authenticated.
    case notAuthentic = "not_authentic"
    /// 21010: the account is not found or deleted.
    case accountGone = "account_gone"
    /// 21002 to the end, and the signature does not fit the receipt's own bytes.
    case signature

}

/// Why a stored receipt was never sent. Raw values are the reports' `reason`.
package enum Unusable: String, Hashable, Sendable {
    case empty
    /// Neither PKCS#7 nor an iOS 6 property list.
    case notAReceipt = "not_a_receipt"
    /// A StoreKit 2 signed transaction where a receipt was expected.
    case jws
    /// Made by Xcode's StoreKit testing, unknown to Apple.
    case xcode
    /// A null where none may be.
    case storedRowInvalid = "stored_row_invalid"
}

/// Why a receipt could not be checked. Raw values are the `cause` in `unverified.csv`.
package enum Unverified: String, Hashable, Sendable {
    case timeout
    case connectionFailed = "connection_failed"
    /// An HTTP status other than 200.
    case httpStatus = "http_status"
    /// 200 with something that is not Apple's JSON.
    case malformedAnswer = "malformed_answer"
    /// More bytes than we take.
    case answerTooLarge = "answer_too_large"
    /// A status of Apple's that asks to try again: 21001, 21005, 21009, 211xx, or one unknown.
    case appleUnavailable = "apple_unavailable"
    /// 21002 on a receipt that is well-formed: also what a general outage looks like.
    case malformedAccordingToApple = "malformed_according_to_apple"
    /// Each environment named the other.
    case environmentLoop = "environment_loop"
    /// Apple refused the receipt, and in the second look refused also what it verified before.
    case refusalUnconfirmed = "refusal_unconfirmed"
    /// 21003 twice, for a receipt that Apple genuinely signed: both cannot be true.
    case refusalContradictsSignature = "refusal_contradicts_signature"
    case sharedSecretRejected = "shared_secret_rejected"
    case sharedSecretMissing = "shared_secret_missing"
    /// 0 or 21006 without a receipt or a bundle id.
    case incompleteAnswer = "incomplete_answer"
    /// 21000.
    case requestRefused = "request_refused"
    /// Not asked before `--max-runtime` was over.
    case deadline
    /// Apple was down for longer than `--outage-patience`.
    case outage
    /// A replay, and the run that it replays has no answer for the receipt.
    case noEvidence = "no_evidence"
    /// A run that asks nobody, and the receipt's own signature does not prove it.
    case offline
    /// The receipts of the user are more than can be read at once.
    case userTooLarge = "user_too_large"
    /// Work on its batch ended every worker that began it.
    case batchSetAside = "batch_set_aside"
}
