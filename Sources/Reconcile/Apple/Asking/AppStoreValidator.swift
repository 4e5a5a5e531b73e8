/// Asks Apple about one receipt within the rate limit, with retries: production first, the sandbox
/// when Apple redirects there.
package struct AppStoreValidator: Sendable {
    private let secrets: SharedSecrets
    private let policy: RetryPolicy
    private let timeout: Duration
    private let asker: ValidationSettings.Asker
    private let servers: AppleServers
    private let clock: AnyClock
    private let pace: Pace
    private let contents = ReceiptContents()
    private let log: (@Sendable (RequestLine) -> Void)?
    private let apple: AppleSignature
    let localProof: LocalProof
    let signatures: AnswerSignatureCheck
    /// Set only for `--offline`: receipts are judged without requests.
    private let offline: OfflineReading?
    private let waits = WaitTally()

    /// The most frequent failure of requests without an answer, and its remedy; nil without one.
    var mostFrequentFailure: String? { servers.failures.mostFrequent }

    var connections: ConnectionTally { servers.connections }

    /// Apple's announcement that verifyReceipt will end. Nil when no answer had one.
    var retirement: RetirementNotice? { servers.retirementWatch.notice }

    var waited: WaitTally.Waits { waits.all }

    var isOffline: Bool { offline != nil }

    /// The executor on whose thread answers arrive, for tasks that mostly wait. Nil offline:
    /// judging may then use every core.
    var taskExecutor: (any TaskExecutor)? { offline == nil ? servers.taskExecutor : nil }

    /// An earlier process of the run got answers: an outage may then last `--outage-patience`.
    /// - Parameter receipts: of each server, some that it verified.
    func recordEarlierAnswers(about receipts: [StoreEnvironment: [StoredReceipt]]) {
        pace.recordEarlierAnswers()
        for (server, receipts) in receipts {
            for receipt in receipts {
                guard
                    case .mustRequest(let request) = precheck(
                        receipt.data, storedFor: receipt.bundle)
                else { continue }
                pace.recordVerified(request, by: server)
            }
        }
    }

    /// The apps whose shared secret Apple rejects.
    var apps: AppPace { pace.apps }

    /// Asks about one of the stopped receipts of an app, to learn whether Apple answers again.
    func probe(
        _ stopped: StoppedReceipts, before deadline: Deadline?
    ) async throws -> RequestRecord {
        apps.tryNow(stopped.receipts)
        return try await look(
            at: stopped.request, of: nil, before: deadline, ifStopped: .ask
        ).requests
    }

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
        let apple = AppleSignature(roots)
        self.apple = apple
        localProof = LocalProof(apple, catalogued: catalogued)
        signatures = AnswerSignatureCheck(apple)
        offline = settings.isOffline ? OfflineReading(apple, catalogued: catalogued, now: now) : nil
        policy = RetryPolicy(
            maxAttempts: settings.maxAttempts, base: settings.backoff,
            deadline: settings.receiptDeadline)
        self.secrets = secrets
        self.log = log
        timeout = settings.timeout
        asker = settings.asker
        self.clock = AnyClock(clock)
        pace = Pace(
            settings, tokens: tokens, clock: self.clock, waits: waits,
            isApples: { [contents] in contents.areApples($0, by: apple) },
            observe: observe)
        servers = try AppleServers(settings, now: now, observe: observe)
    }

    /// Returns a validation if that needs no request (offline: always), else the request to send.
    /// - Parameters:
    ///   - bundle: of the receipt's row; nil without a row: then the caller knows the app.
    ///   - kept: offline only: the `latest_receipt` of Apple's last answer about `data`.
    func precheck(
        _ data: ReceiptData, storedFor bundle: BundleID?, or kept: [UInt8]? = nil
    ) -> Precheck {
        switch LocalReceipt(data) {
        case .unusable(let why): return .resolved(ValidationReport(.unusable(why)))
        case .sendable(let receipt):
            if let offline { return .resolved(offline.report(on: receipt, or: kept)) }
            let named = receipt.bundle ?? bundle ?? ""
            return .mustRequest(
                ReceiptRequest(
                    receipt: receipt, bundle: named, secret: secrets.secret(for: named),
                    isOfOwnApp: named == bundle ?? named))
        }
    }

    /// Sends requests until Apple's answer is final or no attempt is left. No request starts after
    /// `deadline`; a receipt without an answer by then is `unverified`.
    /// - Parameter attempts: at most so many at each server, where that is fewer than usual.
    /// - Throws: `ValidationFailure`, which ends the run; `CancellationError`.
    func look(
        at request: ReceiptRequest, of receipt: ReceiptID?, before deadline: Deadline? = nil,
        ifStopped: AppPace.WhenStopped = .askInTurn, attempts: Int? = nil
    ) async throws -> Look {
        let deadline = deadline.map { clock.now.advanced(by: $0.remaining) }
        var asked = AskedReceipt(request, by: apple)
        var verification = Verification(policy: policy.limited(to: attempts))
        var report = ValidationReport(.unverified(.deadline))
        var generator = SystemRandomNumberGenerator()
        while true {
            let environment = verification.environment
            let admission = try await pace.admission(
                to: environment, about: request, before: deadline,
                ifStopped: verification.attemptCount == 0 || ifStopped == .putOff
                    ? ifStopped : .ask)
            guard admission == .free || admission == .probe else {
                report.end(admission, after: verification, of: asker)
                return .concluded(report)
            }
            if admission == .probe, let known = pace.verified(by: environment) {
                report.requests += try await probe(known, at: environment)
                continue
            }
            report.requests.count(environment, isRetry: verification.isRetry)
            let start = clock.now
            let attempt = try await attempt(about: &asked, from: environment, admission, &report)
            let taken = start.duration(to: clock.now)
            waits.waitedForAnswer(taken)
            // Capped at the timeout: `taken` includes time in which the process was stopped.
            let step = verification.step(
                after: attempt, taking: min(taken, timeout), using: &generator)
            let number = verification.attemptCount
            log?(report.line(attempt, of: receipt, number: number, from: environment, taken))
            switch step {
            case .ask(_, let wait):
                guard wait > .zero else { continue }
                verification.waited(wait)
                try await clock.sleep(until: clock.now.advanced(by: wait), orUntil: deadline)
            case .refused(let rejection):
                return .refused(report.refusal(rejection, after: verification, last: attempt))
            case .end(let validation):
                report.conclude(
                    validation.judging(asked.origin), after: verification, last: attempt)
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

    /// What the receipt's own signature proves. Apple's 21003 about Apple's own receipt is wrong.
    func origin(of request: ReceiptRequest) -> ReceiptOrigin {
        apple.origin(of: request.receipt)
    }

    /// How far the receipt's bytes speak for it, and what Apple signed in it.
    func trust(in request: ReceiptRequest) -> (ReceiptTrust, AppleContent?) {
        let content = apple.content(of: request.receipt)
        return (contents.trust(in: request, content), content)
    }
}

extension AppStoreValidator {
    /// The message is made here, and not before: most of a request's time is a wait for admission.
    private func attempt(
        about asked: inout AskedReceipt, from environment: StoreEnvironment,
        _ admission: Pace.Admission, _ report: inout ValidationReport
    ) async throws -> Attempt {
        defer { pace.leave(admission) }
        let attempt = try await servers.answer(
            to: asked.request.message, from: environment,
            hasSecret: asked.request.secret != nil, &report)
        let health = AnswerClass(attempt.status.server, ifApples: countsFailure(about: &asked))
        pace.note(attempt, health, from: environment, about: asked.request, after: admission)
        return attempt
    }

    /// Whether an answer that other bytes may deserve shows trouble of Apple's; called at each one.
    private func countsFailure(about asked: inout AskedReceipt) -> Bool {
        guard let content = asked.content, content.isWhole else { return false }
        return contents.countFailure(of: asked.request.receiptDigest, with: content.digest)
    }

    /// Asks about a receipt that Apple verified, to learn how the server is. Nothing else is
    /// learned from the answer. Returns the request, which counts for the waiting receipt.
    private func probe(
        _ known: ReceiptRequest, at environment: StoreEnvironment
    ) async throws -> RequestRecord {
        defer { pace.leave(.probe) }
        var report = ValidationReport(.unverified(.deadline))
        report.requests.count(environment, isRetry: false)
        let start = clock.now
        let attempt = try await servers.answer(
            to: known.message, from: environment, hasSecret: known.secret != nil, &report)
        let taken = start.duration(to: clock.now)
        waits.waitedForAnswer(taken)
        log?(report.line(attempt, of: nil, number: 1, from: environment, taken))
        // Apple verified the receipt, so it is no stranger's, whoever signed it.
        let health = AnswerClass(attempt.status.server, ifApples: true)
        pace.note(attempt, health, from: environment, about: known, after: .probe)
        return report.requests
    }
}

extension RetryPolicy {
    fileprivate func limited(to attempts: Int?) -> RetryPolicy {
        var policy = self
        policy.maxAttempts = min(maxAttempts, attempts ?? .max)
        return policy
    }
}
