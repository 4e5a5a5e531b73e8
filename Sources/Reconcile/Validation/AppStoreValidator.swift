/// Asks Apple about one receipt: production first, the sandbox when told to, within the rate, and
/// again where that may help (SPEC §2).
package struct AppStoreValidator: Sendable {
    private let endpoints: [StoreEnvironment: String]
    private let secrets: SharedSecrets
    private let policy: RetryPolicy
    private let timeout: Duration
    private let client: HTTPClient
    private let clock: AnyClock
    private let pace: Pace
    /// What all workers share; none where this is the only one.
    private let shared: [StoreEnvironment: SlicedLimiter<AnyClock>]
    private let now: @Sendable () -> Instant
    private let secondOpinion: SecondOpinion
    /// Of a run that asks nobody.
    private let offline: OfflineReading?
    private let failures = FailureTally()
    private let waits = WaitTally()

    /// Why most calls that brought no answer did not, and what to do; nil: each brought one.
    package var foremostFailure: String? { failures.foremost }

    /// How long all requests have waited, those of every receipt together.
    package var waited: WaitTally.Waits { waits.all }

    /// - Parameters:
    ///   - tokens: where all workers of a run take the right to a request from.
    ///   - roots: whose receipts may contradict an answer, and offline are believed.
    ///   - catalogued: products whose kind is known; of others the receipts are asked.
    ///   - clock: what every wait is measured by.
    ///   - now: the wall clock, for `Retry-After` dates and the time of an answer.
    ///   - observe: is told when Apple is asked in another way; called from any task, so it must
    ///     be quick.
    package init(
        _ settings: ValidationSettings, secrets: SharedSecrets, tokens: TokenSource? = nil,
        roots: TrustedRoots = .apple, catalogued: Set<ProductID>? = nil,
        clock: some Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Instant,
        observe: @escaping @Sendable (PaceChange) -> Void = { _ in }
    ) throws(ValidationFailure) {
        secondOpinion = SecondOpinion(roots, catalogued: catalogued)
        offline = settings.isOffline ? OfflineReading(roots, catalogued: catalogued, now: now) : nil
        endpoints = [.production: settings.productionURL, .sandbox: settings.sandboxURL]
        policy = RetryPolicy(
            maxAttempts: settings.maxAttempts, base: settings.backoff,
            deadline: settings.receiptDeadline)
        (self.secrets, self.now, timeout) = (secrets, now, settings.timeout)
        self.clock = AnyClock(clock)
        pace = Pace(settings, clock: self.clock, waits: waits, observe: observe)
        shared = settings.sharedLimiters(tokens, clock: self.clock)
        do throws(HTTPError) {
            client = try HTTPClient(
                HTTPConfiguration(
                    connectTimeout: settings.connectTimeout,
                    certificateFile: settings.certificateFile,
                    maxConnections: settings.maxConnections, userAgent: settings.userAgent,
                    drain: settings.drain))
        } catch {
            throw ValidationFailure(error)
        }
    }

    /// What is known of `data`, which was stored for `bundle`, without a call; or what to ask. All
    /// is known offline.
    package func course(of data: ReceiptData, storedFor bundle: BundleID) -> ValidationCourse {
        switch LocalReceipt(data) {
        case .unusable(let why): return .known(ValidationReport(.unusable(why)))
        case .sendable(let receipt):
            if let offline { return .known(offline.report(on: receipt)) }
            let named = receipt.bundle ?? bundle
            let secret = secrets.secret(for: named)
            return .ask(ReceiptQuestion(receipt: receipt, bundle: named, secret: secret))
        }
    }

    /// Asks until there is an outcome. After `deadline` no request is begun: what was not asked
    /// until then is `unverified`.
    /// - Throws: `ValidationFailure` when a certificate is refused; `CancellationError`.
    package func validate(
        _ question: ReceiptQuestion, before deadline: ContinuousClock.Instant? = nil
    ) async throws -> ValidationReport {
        let deadline = deadline.map { clock.now.advanced(by: ContinuousClock.now.duration(to: $0)) }
        let request = VerifyReceiptRequest(
            base64: question.receipt.base64, secret: question.secret)
        var verification = Verification(policy: policy, hasSecret: question.secret != nil)
        var report = ValidationReport()
        var refusals: [Refusal] = []
        var generator = SystemRandomNumberGenerator()
        while true {
            let environment = verification.environment
            let admission = try await admission(
                to: environment, for: question.bundle, before: deadline)
            guard admission == .free || admission == .probe else {
                report.end(admission, of: question, after: verification)
                return report
            }
            report.requests.count(environment, isRetry: verification.isRetry)
            let start = clock.now
            let attempt = try await attempt(
                request, about: question, from: environment, admission, &report,
                isRefusedBefore: !refusals.isEmpty)
            if let rejection = attempt.reply.rejection(hasSecret: question.secret != nil) {
                report.attempts.refusedAt = report.attempts.refusedAt ?? report.attempts.answeredAt
                refusals.append(Refusal(environment, rejection, attempt.standing.number))
            }
            let taken = start.duration(to: clock.now)
            waits.waitedForAnswer(taken)
            let step = verification.step(
                after: attempt.reply, retryAfter: attempt.retryAfter, taking: taken,
                believesRejections: attempt.standing.believesRejections, using: &generator)
            switch step {
            case .ask(_, let wait):
                guard wait > .zero else { continue }
                verification.waited(wait)
                try await clock.sleep(until: clock.now.advanced(by: wait), orUntil: deadline)
            case .end(let validation):
                report.conclude(
                    validation.afterTieBreak(on: question.receipt), after: verification,
                    last: attempt, refusals: refusals)
                report.take(secondOpinion.words(of: question.receipt, with: validation))
                return report
            }
        }
    }

    /// The report to `question` that was recorded, as if Apple had answered now.
    /// - Parameter isFinal: whether a refusal in it has been reviewed.
    package func report(
        _ recorded: RecordedAnswer, to question: ReceiptQuestion, isFinal: Bool
    ) async -> ValidationReport {
        var report = ValidationReport(recorded)
        report.expectReview(
            of: isFinal ? nil : await pace.refusals(ofRecorded: recorded.question))
        report.take(secondOpinion.words(of: question.receipt, with: report.validation))
        return report
    }

    /// Takes into account what was answered before this process came to the run, or meanwhile.
    package func recall(_ history: RefusalHistory) async { await pace.recall(history) }

    /// Whether one of `answers` refuses its receipt, and `recall` has not told of it.
    package func isUnawareOfRefusals(in answers: [RecordedAnswer]) async -> Bool {
        for answer in answers where answer.conclusion.isRefusal {
            if await !pace.recalls(answer.question) { return true }
        }
        return false
    }

    /// What `report` comes to when all that is known by now of Apple's refusals is counted in: one
    /// that turned out to be of a storm is not believed (SPEC §2.7).
    package func reviewed(_ report: ValidationReport) async -> ValidationReport {
        guard let refusals = report.refusedBy, await pace.doubts(refusals) else { return report }
        return report.doubted()
    }

    /// Whether `reviewed` would say the same of `report` at any later time.
    package func isSettled(_ report: ValidationReport) async -> Bool {
        guard let refusals = report.refusedBy else { return true }
        return await pace.isSettled(refusals)
    }
}

// One request.
extension AppStoreValidator {
    /// Leave to ask: of this worker's own pace, and then of the rate that all workers share.
    private func admission(
        to environment: StoreEnvironment, for bundle: BundleID, before deadline: AnyClock.Instant?
    ) async throws -> Pace.Admission {
        let admission = try await pace.admission(to: environment, for: bundle, before: deadline)
        guard admission == .free || admission == .probe, let limiter = shared[environment] else {
            return admission
        }
        let start = clock.now
        defer { waits.waitedForTokens(start.duration(to: clock.now)) }
        do {
            if try await limiter.acquire(before: deadline) { return admission }
        } catch {
            pace.leave(admission)
            throw error
        }
        pace.leave(admission)
        return .tooLate
    }

    private func attempt(
        _ request: VerifyReceiptRequest, about question: ReceiptQuestion,
        from environment: StoreEnvironment, _ admission: Pace.Admission,
        _ report: inout ValidationReport, isRefusedBefore: Bool
    ) async throws -> Attempt {
        defer { pace.leave(admission) }
        let (reply, retryAfter) = try await reply(to: request, from: environment, &report)
        let replyClass = reply.replyClass(
            from: environment, hasSecret: question.secret != nil)
        let standing = await pace.note(
            replyClass, from: environment, about: question, after: admission,
            retryAfter: retryAfter, isRefusedBefore: isRefusedBefore)
        return Attempt(reply: reply, retryAfter: retryAfter, standing: standing)
    }

    private func reply(
        to request: VerifyReceiptRequest, from environment: StoreEnvironment,
        _ report: inout ValidationReport
    ) async throws -> (Reply, retryAfter: Duration?) {
        let response: HTTPResponse
        do {
            response = try await client.post(
                request.body, to: endpoints[environment] ?? "", timeout: timeout)
        } catch let error as HTTPError {
            guard error.reason != .certificate else { throw ValidationFailure(error) }
            failures.note(error)
            report.attempts.lastHTTPStatus = nil
            return (.failure(Unverified(error.reason), detail: error.description), nil)
        }
        report.requests.byHTTPStatus[response.status, default: 0] += 1
        report.attempts.lastHTTPStatus = response.status
        let retryAfter =
            response.retryAfter.isEmpty
            ? nil
            : RetryAfter.delay(
                response.retryAfter, date: response.date, nowMilliseconds: now().milliseconds)
        guard response.status == 200 else { return (.httpStatus(response.status), retryAfter) }
        report.attempts.answeredAt = now()
        report.body = AnswerBody(bytes: response.body, server: environment)
        do throws(VerifyReceiptAnswer.Unreadable) {
            let answer = try VerifyReceiptAnswer.read(response.body, from: environment)
            report.requests.byStatus[answer.status.rawValue, default: 0] += 1
            report.attempts.lastStatus = answer.status.rawValue
            return (.answer(answer), retryAfter)
        } catch {
            return (.unreadable(error), retryAfter)
        }
    }
}
