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
    /// The App Store Server API knows the transaction in neither environment. It may lag behind.
    case unknownTransaction = "unknown_transaction"
    /// The App Store Server API refuses the app's key.
    case apiKeyRejected = "api_key_rejected"
    /// A transaction id is stored, and the app has no key to ask about it.
    case noAPIKey = "no_api_key"
    /// The customer has more transactions than are read.
    case answerTooLong = "answer_too_long"
    /// Apple did not sign a part of the answer, or signed it for another app or environment.
    case answerNotAuthentic = "answer_not_authentic"
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
