/// The connections to Apple's servers that a source sends its requests through.
package final class AppleTransport: Sendable {
    enum Reply: Sendable {
        case answered(HTTPResponse, retryAfter: Duration?)
        /// No complete HTTP answer.
        case failed(HTTPError)
    }

    private let client: HTTPClient
    private let timeout: Duration
    let now: @Sendable () -> Instant
    /// Nil when `--as-of` was given: then the clocks are not compared.
    private let clockWatch: ClockWatch?
    private let retirementWatch: RetirementWatch
    let failures = FailureTally()
    let connections = ConnectionTally()

    /// Apple sends its request id in both headers. Apple's support asks for the first.
    private static let requestIDHeaders = [
        "x-apple-request-uuid", "x-apple-jingle-correlation-key",
    ]

    /// - Parameters:
    ///   - now: the wall clock, for `Retry-After` dates and the time of an answer.
    ///   - observe: receives differences of the clocks and announcements of Apple's.
    package init(
        _ settings: ValidationSettings, now: @escaping @Sendable () -> Instant,
        observe: @escaping @Sendable (PaceChange) -> Void = { _ in }
    ) throws(ValidationFailure) {
        timeout = settings.timeout
        self.now = now
        retirementWatch = RetirementWatch(observe)
        clockWatch = settings.comparesClocks ? ClockWatch(settings.asker, observe) : nil
        do throws(HTTPError) {
            client = try HTTPClient(
                HTTPConfiguration(
                    connectTimeout: settings.connectTimeout,
                    certificateFile: settings.certificateFile,
                    maxConnections: settings.maxConnections, userAgent: settings.userAgent,
                    requestIDHeaders: Self.requestIDHeaders, readsDate: settings.comparesClocks,
                    drain: settings.drain))
        } catch {
            throw ValidationFailure(error)
        }
    }

    /// The executor on whose thread answers arrive.
    var taskExecutor: any TaskExecutor { client.taskExecutor }

    /// Apple's announcement that one of its APIs will end. Nil when no answer had one.
    var retirement: RetirementNotice? { retirementWatch.notice }

    /// Sends one request.
    /// - Throws: `ValidationFailure` for a failure that the next request would meet, too.
    func send(_ request: HTTPRequest, to source: AnswerSource) async throws -> Reply {
        let response: HTTPResponse
        do {
            response = try await client.send(request, timeout: timeout)
        } catch let error as HTTPError {
            guard ![.certificate, .shortage].contains(error.reason) else {
                throw ValidationFailure(error)
            }
            failures.note(error)
            connections.note(isMade: error.wasSent)
            return .failed(error)
        }
        connections.note(isMade: true)
        return .answered(response, retryAfter: try learn(from: response, of: source))
    }

    /// Reads the server's clock, its end, and `Retry-After`, which is returned.
    private func learn(
        from response: HTTPResponse, of source: AnswerSource
    ) throws(ValidationFailure) -> Duration? {
        let now = now()
        if let date = response.date { try clockWatch?.compare(date, now: now) }
        retirementWatch.look(at: response, of: source, now: now)
        return RetryAfter.delay(
            response.retryAfter, date: response.date, nowMilliseconds: now.milliseconds)
    }
}
