/// Asks Apple about one receipt: production first, the sandbox when told to, within the rate, and
/// again where that may help (SPEC §2).
package struct AppStoreValidator: Sendable {
    private let endpoints: [StoreEnvironment: String]
    private let secrets: SharedSecrets
    private let policy: RetryPolicy
    private let timeout: Duration
    private let client: HTTPClient
    private let limiters: [StoreEnvironment: RateLimiter<ContinuousClock>]
    private let now: @Sendable () -> Instant
    private let secondOpinion: SecondOpinion

    /// - Parameters:
    ///   - roots: whose receipts may contradict an answer.
    ///   - now: the wall clock, for `Retry-After` dates and the time of an answer.
    package init(
        _ settings: ValidationSettings, secrets: SharedSecrets, roots: TrustedRoots = .apple,
        now: @escaping @Sendable () -> Instant
    ) throws(ValidationFailure) {
        secondOpinion = SecondOpinion(roots)
        endpoints = [.production: settings.productionURL, .sandbox: settings.sandboxURL]
        policy = RetryPolicy(
            maxAttempts: settings.maxAttempts, base: settings.backoff,
            deadline: settings.receiptDeadline)
        (self.secrets, self.now, timeout) = (secrets, now, settings.timeout)
        let clock = ContinuousClock()
        limiters = [
            .production: RateLimiter(
                settings.bucket(rate: settings.rate), clock: clock),
            .sandbox: RateLimiter(
                settings.bucket(rate: settings.sandboxRate), clock: clock),
        ]
        do throws(HTTPError) {
            client = try HTTPClient(
                HTTPConfiguration(
                    connectTimeout: settings.connectTimeout,
                    certificateFile: settings.certificateFile,
                    maxConnections: settings.maxConnections, userAgent: settings.userAgent))
        } catch {
            throw ValidationFailure(error)
        }
    }

    /// What is known of `data`, which was stored for `bundle`, without a call. Nil: Apple must say.
    package func course(of data: ReceiptData, storedFor bundle: BundleID) -> ValidationCourse {
        switch LocalReceipt(data) {
        case .unusable(let why): return .known(.unusable(why))
        case .sendable(let receipt):
            let secret = secrets.secret(for: receipt.bundle ?? bundle)
            return .ask(ReceiptQuestion(receipt: receipt, secret: secret))
        }
    }

    /// Asks until there is an outcome. After `deadline` no request is begun: what was not asked
    /// until then is `unverified`.
    /// - Throws: `ValidationFailure` when a certificate is refused; `CancellationError`.
    package func validate(
        _ question: ReceiptQuestion, before deadline: ContinuousClock.Instant? = nil
    ) async throws -> ValidationReport {
        let request = VerifyReceiptRequest(
            base64: question.receipt.base64, secret: question.secret)
        var verification = Verification(policy: policy, hasSecret: question.secret != nil)
        var report = ValidationReport()
        var generator = SystemRandomNumberGenerator()
        let clock = ContinuousClock()
        while true {
            let environment = verification.environment
            guard try await limiters[environment]?.acquire(before: deadline) == true else {
                report.expire(after: verification)
                return report
            }
            report.requests.count(environment, isRetry: verification.isRetry)
            let start = clock.now
            let reply = try await reply(to: request, from: environment, report: &report)
            let step = verification.step(
                after: reply, taking: start.duration(to: clock.now), using: &generator)
            switch step {
            case .ask(_, let wait):
                guard wait > .zero else { continue }
                verification.waited(wait)
                let due = clock.now + wait
                try await clock.sleep(until: deadline.map { min($0, due) } ?? due)
            case .end(let validation):
                report.conclude(
                    validation.afterTieBreak(on: question.receipt), after: verification,
                    last: reply)
                if case .verified(let answer) = report.validation {
                    report.contradictions = secondOpinion.contradictions(
                        of: question.receipt, with: answer)
                }
                return report
            }
        }
    }

    private func reply(
        to request: VerifyReceiptRequest, from environment: StoreEnvironment,
        report: inout ValidationReport
    ) async throws -> Reply {
        let response: HTTPResponse
        do {
            response = try await client.post(
                request.body, to: endpoints[environment] ?? "", timeout: timeout)
        } catch let error as HTTPError {
            guard error.reason != .certificate else { throw ValidationFailure(error) }
            report.attempts.lastHTTPStatus = nil
            return .failure(Unverified(error.reason), detail: error.description)
        }
        report.requests.byHTTPStatus[response.status, default: 0] += 1
        report.attempts.lastHTTPStatus = response.status
        guard response.status == 200 else {
            let wait = RetryAfter.delay(
                response.retryAfter, date: response.date, nowMilliseconds: now().milliseconds)
            return .httpStatus(response.status, retryAfter: wait)
        }
        report.attempts.answeredAt = now()
        report.attempts.evidenceSHA256 = Digest.sha256(response.body).hexadecimal
        do throws(VerifyReceiptAnswer.Unreadable) {
            let answer = try VerifyReceiptAnswer.read(response.body, from: environment)
            report.requests.byStatus[answer.status.rawValue, default: 0] += 1
            report.attempts.lastStatus = answer.status.rawValue
            return .answer(answer)
        } catch {
            return .unreadable(error)
        }
    }
}
