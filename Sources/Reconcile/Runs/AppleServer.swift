/// A server of Apple's: one of its interfaces in one environment. Requests are limited, counted and
/// logged by server, and each is healthy or not on its own.
///
/// Raw values are names in SQL, the log, `requests` of the summary, and metrics.
package enum AppleServer: String, Hashable, Sendable, CaseIterable {
    /// verifyReceipt's, like the next.
    case production
    case sandbox
    /// The App Store Server API's, like the next.
    case serverAPI = "server_api"
    case serverAPISandbox = "server_api_sandbox"

    /// Where the purchases that it knows were made.
    var environment: StoreEnvironment {
        switch self {
        case .production, .serverAPI: .production
        case .sandbox, .serverAPISandbox: .sandbox
        }
    }

    package var source: AnswerSource {
        switch self {
        case .production, .sandbox: .verifyReceipt
        case .serverAPI, .serverAPISandbox: .serverAPI
        }
    }
}
