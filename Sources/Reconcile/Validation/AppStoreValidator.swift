/// Asks Apple about one receipt: production first, the sandbox when told to, within the rate, and
/// again where that may help (SPEC §2).
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
    /// Observes every request; nil when requests are not logged.
    private let log: (@Sendable (RequestLine) -> Void)?
    private let secondOpinion: SecondOpinion
    /// Of answers that Apple signed.
    let signatures: AnswerSignatureCheck
    /// Of a run that asks nobody.
    private let offline: OfflineReading?
    private let failures = FailureTally()
    /// Nil: an instant was given to judge at.
    private let clockWatch: ClockWatch?
    private let retirementWatch: RetirementWatch
    private let waits = WaitTally()

    /// Apple names a request in both; its support asks for the first.
    private static let requestIDHeaders = [
        "x-apple-request-uuid", "x-apple-jingle-correlation-key",
    ]

    /// Why most calls that brought no answer did not, and what to do; nil: each brought one.
    package var foremostFailure: String? { failures.foremost }

    /// What Apple's answers say of the end of verifyReceipt; nil: nothing.
    var retirement: RetirementNotice? { retirementWatch.notice }

    /// How long all requests have waited, those of every receipt together.
    package var waited: WaitTally.Waits { waits.all }

    /// Whether nobody is asked.
    var isOffline: Bool { offline != nil }

    /// For tasks that mostly ask: the thread on which answers come in. Nil offline: nothing is
    /// asked, and every core may judge.
    package var taskExecutor: (any TaskExecutor)? { offline == nil ? client.taskExecutor : nil }

    /// To be called when the run had answers before this process: an outage is waited out in full.
    package func noteEarlierAnswers() { pace.noteEarlierAnswers() }

    /// Whether there were answers, and no outage, since this was last asked.
    func takeAnswered() -> Bool { pace.takeAnswered() }

    /// How long ago the last outage began.
    var outageDuration: Duration { pace.outageDuration }

    /// - Parameters:
    ///   - tokens: of the buckets that all workers share; nil for buckets in memory.
    ///   - roots: whose receipts may contradict an answer, and offline are believed.
    ///   - catalogued: products whose kind is known; of others the receipts are asked.
    ///   - clock: what every wait is measured by.
    ///   - now: the wall clock, for `Retry-After` dates and the time of an answer.
    ///   - log: sees every request; nil saves the making of its lines.
    ///   - observe: is told when Apple is asked in another way. Both are called from any task, so
    ///     they must be quick.
    package init(
        _ settings: ValidationSettings, secrets: SharedSecrets, tokens: TokenSource? = nil,
        roots: TrustedRoots = .apple, catalogued: Set<ProductID>? = nil,
        clock: some Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Instant,
        log: (@Sendable (RequestLine) -> Void)? = nil,
        observe: @escaping @Sendable (PaceChange) -> Void = { _ in }
    ) throws(ValidationFailure) {
        secondOpinion = SecondOpinion(roots, catalogued: catalogued)
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

    /// What is known of `data`, which was stored for `bundle`, without a request; or what to ask.
    /// All is known offline.
    /// - Parameter kept: for offline, what Apple signed when it last answered about it.
    package func precheck(
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

    /// Asks until there is an answer, or there can be none. After `deadline` no request is begun:
    /// what was not asked until then is `unverified`.
    /// - Parameter receipt: for the log.
    /// - Throws: `ValidationFailure` when a certificate is refused; `CancellationError`.
    package func look(
        at request: ReceiptRequest, of receipt: ReceiptID?,
        before deadline: ContinuousClock.Instant? = nil
    ) async throws -> Look {
        let deadline = deadline.map { clock.now.advanced(by: ContinuousClock.now.duration(to: $0)) }
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
            // A process that was stopped meanwhile has not spent that time on the receipt.
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
                    validation.afterTieBreak(on: request.receipt), after: verification,
                    last: attempt)
                report.take(secondOpinion.words(of: request.receipt, with: report.validation))
                return .concluded(report)
            }
        }
    }

    /// The report that was kept as evidence, as if Apple had answered now.
    package func report(_ kept: KeptAnswer, about request: ReceiptRequest) -> ValidationReport {
        var report = ValidationReport(kept)
        report.take(secondOpinion.words(of: request.receipt, with: report.validation))
        return report
    }

    /// Whether Apple signed the receipt of `request`, as `inspect` sees it: then Apple cannot say
    /// that it is not authentic.
    package func isGenuine(_ request: ReceiptRequest) -> Bool {
        var question = InspectionQuestion()
        question.roots = roots
        return (try? Inspection(request.receipt.bytes, question).isGenuine) ?? false
    }
}

// One request.
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
            // Neither says anything about a receipt, and each would come again with the next.
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

    /// Takes from the header lines what is about the server.
    /// - Returns: for how long it wants no request.
    private func learn(from response: HTTPResponse) throws(ValidationFailure) -> Duration? {
        let now = now()
        if let date = response.date { try clockWatch?.compare(date, now: now) }
        retirementWatch.look(at: response, now: now)
        return RetryAfter.delay(
            response.retryAfter, date: response.date, nowMilliseconds: now.milliseconds)
    }
}
