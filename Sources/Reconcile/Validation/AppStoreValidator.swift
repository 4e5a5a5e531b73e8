/// Asks Apple about one receipt within the rate limit, with retries: production first, the sandbox
/// when Apple redirects there.
package struct AppStoreValidator: Sendable {
    private let endpoints: [StoreEnvironment: String]
    private let secrets: SharedSecrets
    private let policy: RetryPolicy
    private let timeout: Duration
    private let expectsForgeries: Bool
    private let roots: TrustedRoots
    private let client: HTTPClient
    private let clock: AnyClock
    private let pace: Pace
    private let now: @Sendable () -> Instant
    private let log: (@Sendable (RequestLine) -> Void)?
    let localProof: LocalProof
    let signatures: AnswerSignatureCheck
    /// Set only for `--offline`: receipts are judged without requests.
    private let offline: OfflineReading?
    private let failures = FailureTally()
    /// Nil when `--as-of` was given: then the clocks are not compared.
    private let clockWatch: ClockWatch?
    private let retirementWatch: RetirementWatch
    private let waits = WaitTally()

    /// Apple sends its request id in both headers. Apple's support asks for the first.
    private static let requestIDHeaders = [
        "x-apple-request-uuid", "x-apple-jingle-correlation-key",
    ]

    /// The most frequent failure of requests without an answer, and its remedy; nil without one.
    var mostFrequentFailure: String? { failures.mostFrequent }

    /// Apple's announcement that verifyReceipt will end. Nil when no answer had one.
    var retirement: RetirementNotice? { retirementWatch.notice }

    var waited: WaitTally.Waits { waits.all }

    var isOffline: Bool { offline != nil }

    /// The executor on whose thread answers arrive, for tasks that mostly wait. Nil offline:
    /// judging may then use every core.
    var taskExecutor: (any TaskExecutor)? { offline == nil ? client.taskExecutor : nil }

    /// An earlier process of the run got answers: an outage may then last `--outage-patience`.
    func recordEarlierAnswers() { pace.recordEarlierAnswers() }

    /// Whether there were sound answers since the last call, and there is no outage.
    func takeAnswered() -> Bool { pace.takeAnswered() }

    var outageDuration: Duration { pace.outageDuration }

    /// - Parameters:
    ///   - tokens: from the buckets that all workers share; nil for buckets in memory.
    ///   - roots: receipts signed under them can contradict Apple's answer, and are proof offline.
    ///   - catalogued: products whose kind is not read from receipts; nil: read no kinds.
    ///   - now: the wall clock, for `Retry-After` dates and the time of an answer.
    ///   - log: receives a line for every request, from any task, so it must be quick.
    ///   - observe: receives changes of rate, outages and paused apps, likewise.
    package init(
        _ settings: ValidationSettings, secrets: SharedSecrets, tokens: TokenSource? = nil,
        roots: TrustedRoots = .apple, catalogued: Set<ProductID>? = nil,
        clock: some Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Instant,
        log: (@Sendable (RequestLine) -> Void)? = nil,
        observe: @escaping @Sendable (PaceChange) -> Void = { _ in }
    ) throws(ValidationFailure) {
        localProof = LocalProof(roots, catalogued: catalogued)
        signatures = AnswerSignatureCheck(roots)
        offline = settings.isOffline ? OfflineReading(roots, catalogued: catalogued, now: now) : nil
        endpoints = [.production: settings.productionURL, .sandbox: settings.sandboxURL]
        policy = RetryPolicy(
            maxAttempts: settings.maxAttempts, base: settings.backoff,
            deadline: settings.receiptDeadline)
        self.secrets = secrets
        self.roots = roots
        self.now = now
        self.log = log
        timeout = settings.timeout
        expectsForgeries = settings.expectsForgeries
        self.clock = AnyClock(clock)
        retirementWatch = RetirementWatch(observe)
        clockWatch = settings.comparesClocks ? ClockWatch(observe) : nil
        pace = Pace(
            settings, tokens: tokens, clock: self.clock, waits: waits, observe: observe)
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

    /// Returns a validation if that needs no request (offline: always), else the request to send.
    /// - Parameter kept: offline only: the `latest_receipt` of Apple's last answer about `data`.
    func precheck(
        _ data: ReceiptData, storedFor bundle: BundleID, or kept: [UInt8]? = nil
    ) -> Precheck {
        switch LocalReceipt(data) {
        case .unusable(let why): return .resolved(ValidationReport(.unusable(why)))
        case .sendable(let receipt):
            if let offline { return .resolved(offline.report(on: receipt, or: kept)) }
            let named = receipt.bundle ?? bundle
            let secret = secrets.secret(for: named)
            return .mustRequest(ReceiptRequest(receipt: receipt, bundle: named, secret: secret))
        }
    }

    /// Sends requests until Apple's answer is final or no attempt is left. No request starts after
    /// `deadline`; a receipt without an answer by then is `unverified`.
    /// - Throws: `ValidationFailure`, which ends the run; `CancellationError`.
    func look(
        at request: ReceiptRequest, of receipt: ReceiptID?, before deadline: Deadline? = nil
    ) async throws -> Look {
        let deadline = deadline.map { clock.now.advanced(by: $0.remaining) }
        let message = VerifyReceiptRequest(base64: request.receipt.base64, secret: request.secret)
        var verification = Verification(policy: policy)
        var report = ValidationReport(.unverified(.deadline))
        var generator = SystemRandomNumberGenerator()
        while true {
            let environment = verification.environment
            let admission = try await pace.admission(
                to: environment, for: request.bundle, before: deadline)
            guard admission == .free || admission == .probe else {
                report.end(admission, after: verification)
                return .concluded(report)
            }
            report.requests.count(environment, isRetry: verification.isRetry)
            let start = clock.now
            let attempt = try await attempt(
                message, about: request, from: environment, admission, &report)
            let taken = start.duration(to: clock.now)
            waits.waitedForAnswer(taken)
            // Capped at the timeout: `taken` includes time in which the process was stopped.
            let step = verification.step(
                after: attempt, taking: min(taken, timeout), using: &generator)
            log?(report.line(attempt, of: receipt, after: verification, from: environment, taken))
            switch step {
            case .ask(_, let wait):
                guard wait > .zero else { continue }
                verification.waited(wait)
                try await clock.sleep(until: clock.now.advanced(by: wait), orUntil: deadline)
            case .refused(let rejection):
                return .refused(
                    report.refusal(rejection, after: verification, last: attempt))
            case .end(let validation):
                report.conclude(
                    validation.rejectingAltered(on: request.receipt), after: verification,
                    last: attempt)
                report.take(localProof.facts(of: request.receipt, with: report.validation))
                return .concluded(report)
            }
        }
    }

    func report(_ kept: KeptAnswer, about request: ReceiptRequest) -> ValidationReport {
        var report = ValidationReport(kept)
        report.take(localProof.facts(of: request.receipt, with: report.validation))
        return report
    }

    /// Whether Apple signed the receipt, by the checks of `inspect`: then its 21003 is wrong.
    func isGenuine(_ request: ReceiptRequest) -> Bool {
        var question = InspectionQuestion()
        question.roots = roots
        return (try? Inspection(request.receipt.bytes, question).isGenuine) ?? false
    }
}

extension AppStoreValidator {
    private func attempt(
        _ message: VerifyReceiptRequest, about request: ReceiptRequest,
        from environment: StoreEnvironment, _ admission: Pace.Admission,
        _ report: inout ValidationReport
    ) async throws -> Attempt {
        defer { pace.leave(admission) }
        let attempt = try await answer(
            to: message, from: environment, hasSecret: request.secret != nil, &report)
        let isExpected = expectsForgeries && admission == .free && attempt.isOfForgery(request)
        if !isExpected {
            pace.note(attempt, from: environment, about: request, after: admission)
        }
        return attempt
    }

    private func answer(
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
            report.attempts.lastHTTPStatus = nil
            return attempt(
                .failure(
                    Unverified(error.reason), cause: error.cause, detail: error.description))
        }
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
