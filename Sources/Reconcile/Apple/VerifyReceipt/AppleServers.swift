/// Apple's two servers: sends one request to one of them and reads the reply.
struct AppleServers: Sendable {
    private let endpoints: [StoreEnvironment: String]
    private let client: HTTPClient
    private let timeout: Duration
    private let now: @Sendable () -> Instant
    /// Nil when `--as-of` was given: then the clocks are not compared.
    private let clockWatch: ClockWatch?
    let retirementWatch: RetirementWatch
    let failures = FailureTally()
    let connections = ConnectionTally()

    /// Apple sends its request id in both headers. Apple's support asks for the first.
    private static let requestIDHeaders = [
        "x-apple-request-uuid", "x-apple-jingle-correlation-key",
    ]

    init(
        _ settings: ValidationSettings, now: @escaping @Sendable () -> Instant,
        observe: @escaping @Sendable (PaceChange) -> Void
    ) throws(ValidationFailure) {
        endpoints = [.production: settings.productionURL, .sandbox: settings.sandboxURL]
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

    func answer(
        to message: VerifyReceiptRequest, from environment: StoreEnvironment, hasSecret: Bool,
        _ report: inout ValidationReport
    ) async throws -> Attempt {
        func attempt(_ reply: ValidationReply) -> Attempt {
            Attempt(
                reply: reply,
                status: AppleStatus.of(reply, from: environment, hasSecret: hasSecret))
        }
        report.attempts.server = environment
        let response: HTTPResponse
        do {
            response = try await client.post(
                message.body, to: endpoints[environment] ?? "", timeout: timeout)
        } catch let error as HTTPError {
            // A bad certificate or a shortage would fail the next request, too.
            guard ![.certificate, .shortage].contains(error.reason) else {
                throw ValidationFailure(error)
            }
            failures.note(error)
            connections.note(isMade: error.wasSent)
            report.attempts.lastHTTPStatus = nil
            return attempt(
                .failure(
                    Unverified(error.reason), cause: error.cause, detail: error.description))
        }
        connections.note(isMade: true)
        report.requests.httpStatuses.append(response.status)
        report.attempts.lastHTTPStatus = response.status
        let retryAfter = try learn(from: response)
        func answered(_ reply: ValidationReply) -> Attempt {
            var attempt = attempt(reply)
            attempt.retryAfter = retryAfter
            attempt.requestID = response.requestID
            attempt.bodyBytes = response.body.count
            return attempt
        }
        guard response.status == 200 else { return answered(.httpStatus(response.status)) }
        report.attempts.answeredAt = now()
        report.body = AnswerBody(bytes: response.body, server: environment)
        do throws(VerifyReceiptAnswer.Unreadable) {
            let answer = try VerifyReceiptAnswer.read(response.body, from: environment)
            report.requests.statuses.append(answer.status.rawValue)
            report.attempts.lastStatus = answer.status.rawValue
            return answered(.answer(answer))
        } catch {
            return answered(ValidationReply(error))
        }
    }

    /// Reads the server's clock, verifyReceipt's end, and `Retry-After`, which is returned.
    private func learn(from response: HTTPResponse) throws(ValidationFailure) -> Duration? {
        let now = now()
        if let date = response.date { try clockWatch?.compare(date, now: now) }
        retirementWatch.look(at: response, now: now)
        return RetryAfter.delay(
            response.retryAfter, date: response.date, nowMilliseconds: now.milliseconds)
    }
}
