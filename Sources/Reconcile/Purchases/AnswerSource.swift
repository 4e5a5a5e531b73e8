/// Whose answer something was read from. Raw values are the reports' `source`.
package enum AnswerSource: String, Hashable, Sendable, CaseIterable {
    case verifyReceipt = "verify_receipt"
    case serverAPI = "server_api"

    /// Apple's name of it, in sentences.
    package var name: String {
        switch self {
        case .verifyReceipt: "verifyReceipt"
        case .serverAPI: "the App Store Server API"
        }
    }
}
