/// Checks the App Store Server API without a customer: reachability, clock, and an app's key.
package struct ServerAPIProbe: Sendable {
    private let client: ProbeClient
    private let settings: ValidationSettings
    private let tokens: APITokens

    /// No transaction of Apple's has so short an id.
    private static let unknownCustomer = "/inApps/v2/history/1"

    package init(
        _ settings: ValidationSettings, keys: APIKeys, now: @escaping @Sendable () -> Instant
    ) throws(ValidationFailure) {
        self.settings = settings
        tokens = APITokens(keys, now: now)
        client = try ProbeClient(settings, now: now)
    }

    /// Sends no token, and so expects HTTP 401.
    package func reach(_ server: AppleServer) async -> ServerProbe {
        await get(from: server, as: nil) { status, _ in status == 401 ? .expected : .unexpected }
    }

    /// Asks for the history of a transaction that does not exist: Apple says so to the key's owner,
    /// and answers 401 to anybody else. Nil for an app without a key.
    package func tryKey(of bundle: BundleID) async -> ServerProbe? {
        guard let token = tokens.token(for: bundle) else { return nil }
        return await get(from: .serverAPI, as: token) { status, code in
            if status == 401 { return .refused }
            let isUnknown = status == 404 && [4_040_005, 4_040_010].contains(code)
            return isUnknown ? .expected : .unexpected
        }
    }

    private func get(
        from server: AppleServer, as token: String?,
        verdict: (_ httpStatus: Int, _ code: Int?) -> ServerProbe.Verdict
    ) async -> ServerProbe {
        let request = HTTPRequest(
            url: settings.url(of: server) + Self.unknownCustomer,
            authorization: token.map { "Bearer " + $0 })
        return await client.probe(request, to: .serverAPI) { response in
            let code = APIAnswer.errorCode(response.body)
            let words = code.map { "error \($0)" } ?? "HTTP \(response.status)"
            return (verdict(response.status, code), words)
        }
    }
}
