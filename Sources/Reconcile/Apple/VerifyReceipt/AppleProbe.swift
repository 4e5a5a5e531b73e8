/// Checks Apple's servers without a receipt: reachability, clock, and an app's shared secret.
package struct AppleProbe: Sendable {
    enum Answer: Sendable {
        /// `time` is the server's own clock.
        case answered(
            httpStatus: Int, status: Int?, time: Instant?, retirement: RetirementNotice?)
        /// No answer: why, and what to do.
        case silent(String)
    }

    private let client: HTTPClient
    private let timeout: Duration
    private let now: @Sendable () -> Instant

    package init(
        _ settings: ValidationSettings, now: @escaping @Sendable () -> Instant
    ) throws(ValidationFailure) {
        var configuration = HTTPConfiguration(maxConnections: 1, userAgent: settings.userAgent)
        configuration.connectTimeout = settings.connectTimeout
        configuration.certificateFile = settings.certificateFile
        configuration.readsDate = true
        timeout = settings.timeout
        self.now = now
        do throws(HTTPError) {
            client = try HTTPClient(configuration)
        } catch {
            throw ValidationFailure(error)
        }
    }

    /// Sends an empty JSON object: neither a receipt nor a secret.
    func reach(_ url: String) async -> Answer { await post(Array("{}".utf8), to: url) }

    /// Sends text that is not a receipt: Apple answers 21004 only when the secret is not the app's.
    func probe(_ secret: SharedSecret, at url: String) async -> Answer {
        let nothing = Base64.encode(Array("This is deliberately no receipt.".utf8))
        return await post(VerifyReceiptRequest(base64: nothing, secret: secret).body, to: url)
    }

    private func post(_ body: [UInt8], to url: String) async -> Answer {
        do {
            let response = try await client.post(body, to: url, timeout: timeout)
            let now = now()
            let time = response.date
                .flatMap { HTTPDate.milliseconds($0, nowMilliseconds: now.milliseconds) }
                .map { Instant(milliseconds: $0) }
            let answer = try? VerifyReceiptAnswer.read(response.body, from: .production)
            return .answered(
                httpStatus: response.status, status: answer?.status.rawValue, time: time,
                retirement: RetirementNotice(response, now: now))
        } catch let error as HTTPError {
            return .silent(error.description)
        } catch {
            return .silent("The request was cancelled.")
        }
    }
}
