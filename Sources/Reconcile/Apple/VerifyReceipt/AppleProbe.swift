/// Checks Apple's servers without a receipt: reachability, clock, and an app's shared secret.
package struct AppleProbe: Sendable {
    private let client: HTTPClient
    private let settings: ValidationSettings
    private let secrets: SharedSecrets
    private let timeout: Duration
    private let now: @Sendable () -> Instant

    package init(
        _ settings: ValidationSettings, secrets: SharedSecrets,
        now: @escaping @Sendable () -> Instant
    ) throws(ValidationFailure) {
        var configuration = HTTPConfiguration(maxConnections: 1, userAgent: settings.userAgent)
        configuration.connectTimeout = settings.connectTimeout
        configuration.certificateFile = settings.certificateFile
        configuration.readsDate = true
        self.settings = settings
        self.secrets = secrets
        timeout = settings.timeout
        self.now = now
        do throws(HTTPError) {
            client = try HTTPClient(configuration)
        } catch {
            throw ValidationFailure(error)
        }
    }

    /// Sends an empty JSON object: neither a receipt nor a secret.
    package func reach(_ server: AppleServer) async -> ServerProbe {
        await post(Array("{}".utf8), to: settings.url(of: server))
    }

    /// Whether there is a shared secret for the app.
    package func hasSecret(for bundle: BundleID) -> Bool { secrets.secret(for: bundle) != nil }

    /// Sends text that is not a receipt: Apple answers 21004 only when the secret is not the app's.
    /// Nil for an app without a secret.
    package func trySecret(of bundle: BundleID) async -> ServerProbe? {
        guard let secret = secrets.secret(for: bundle) else { return nil }
        let nothing = Base64.encode(Array("This is deliberately no receipt.".utf8))
        return await post(
            VerifyReceiptRequest(base64: nothing, secret: secret).body,
            to: settings.url(of: .production))
    }

    private func post(_ body: [UInt8], to url: String) async -> ServerProbe {
        do {
            let response = try await client.post(body, to: url, timeout: timeout)
            let now = now()
            let time = response.date
                .flatMap { HTTPDate.milliseconds($0, nowMilliseconds: now.milliseconds) }
                .map { Instant(milliseconds: $0) }
            let answer = try? VerifyReceiptAnswer.read(response.body, from: .production)
            return .answered(
                httpStatus: response.status, status: answer?.status.rawValue,
                refuses: answer?.status.rawValue == 21004, time: time,
                retirement: RetirementNotice(
                    of: AnswerSource.verifyReceipt.name, response, now: now))
        } catch let error as HTTPError {
            return .silent(error.description)
        } catch {
            return .silent("The request was cancelled.")
        }
    }
}
