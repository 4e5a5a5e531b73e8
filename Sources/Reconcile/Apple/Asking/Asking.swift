/// Asks Apple what a source's inquiries need, within the rate limit and with retries: production
/// first, the sandbox when Apple redirects there. Knows no wire form.
package final class Asking: Sendable {
    let source: any AppleSource
    /// Nil for a source that sends no requests.
    let live: (any LiveSource)?
    private let transport: AppleTransport?
    private let policy: RetryPolicy
    private let timeout: Duration
    private let asker: ValidationSettings.Asker
    private let clock: AnyClock
    private let pace: Pace
    private let contents = ReceiptContents()
    private let log: (@Sendable (RequestLine) -> Void)?
    private let apple: AppleSignature
    let localProof: LocalProof
    private let waits = WaitTally()

    /// - Parameters:
    ///   - tokens: from the buckets that all workers share; nil for buckets in memory.
    ///   - apple: receipts that it proves can contradict Apple's answer.
    ///   - catalogued: products whose kind is not read from receipts; nil: read no kinds.
    ///   - log: receives a line for every request, from any task, so it must be quick.
    ///   - observe: receives changes of rate, outages and paused apps, likewise.
    package init(
        _ source: any AppleSource, _ settings: ValidationSettings, tokens: TokenSource? = nil,
        provenBy apple: AppleSignature, catalogued: Set<ProductID>? = nil,
        clock: some Clock<Duration> = ContinuousClock(),
        log: (@Sendable (RequestLine) -> Void)? = nil,
        observe: @escaping @Sendable (PaceChange) -> Void = { _ in }
    ) {
        self.source = source
        let live = source.live
        self.live = live
        transport = live?.transport
        localProof = LocalProof(apple, catalogued: catalogued)
        policy = RetryPolicy(
            maxAttempts: settings.maxAttempts, base: settings.backoff,
            deadline: settings.receiptDeadline)
        self.apple = apple
        self.log = log
        timeout = settings.timeout
        asker = settings.asker
        self.clock = AnyClock(clock)
        pace = Pace(
            settings, tokens: tokens, clock: self.clock, waits: waits,
            isApples: { [contents] in contents.areApples($0, by: apple) },
            status: { live?.status(behind: $0) ?? 0 }, observe: observe)
    }

    // MARK: What was learned of Apple

    /// The executor on whose thread answers arrive, for tasks that mostly wait. Nil for a source
    /// that sends no requests: judging may then use every core.
    var taskExecutor: (any TaskExecutor)? { transport?.taskExecutor }

    /// The most frequent failure of requests without an answer, and its remedy; nil without one.
    var mostFrequentFailure: String? { transport?.failures.mostFrequent }

    /// Requests for which a connection was made.
    var connectionsMade: Int { transport?.connections.made ?? 0 }

    /// Requests without a connection since the last that had one.
    var connectionFailuresInARow: Int { transport?.connections.failuresInARow ?? 0 }

    var retirement: RetirementNotice? { transport?.retirement }

    var waited: WaitTally.Waits { waits.all }

    /// Whether there were sound answers since the last call, and there is no outage.
    func takeAnswered() -> Bool { pace.takeAnswered() }

    var outageDuration: Duration { pace.outageDuration }

    /// An earlier process of the run got answers: an outage may then last `--outage-patience`.
    /// - Parameter receipts: of each server, some that it verified.
    func recordEarlierAnswers(about receipts: [AppleServer: [StoredReceipt]]) async throws {
        pace.recordEarlierAnswers()
        for (server, receipts) in receipts {
            for receipt in receipts {
                guard let asked = try await question(about: receipt, for: server) else { continue }
                pace.recordVerified(asked.question, by: server)
            }
        }
    }

    // MARK: Asking

    /// The apps whose shared secret Apple rejects.
    var apps: AppPace { pace.apps }

    /// Asks about one of the stopped receipts of an app, to learn whether Apple answers again.
    func probe(
        _ stopped: StoppedReceipts, before deadline: Deadline?
    ) async throws -> RequestRecord {
        apps.tryNow(stopped.receipts)
        return try await look(
            at: stopped.question, of: nil, before: deadline, ifStopped: .ask
        ).requests
    }

    /// Sends requests until Apple's answer is final or no attempt is left. No request starts after
    /// `deadline`; a receipt without an answer by then is `unverified`.
    /// - Parameters:
    ///   - own: what asks the question, where that is not the source's exchange about it.
    ///   - attempts: at most so many at each server, where that is fewer than usual.
    /// - Throws: `ValidationFailure`, which ends the run; `CancellationError`.
    func look(
        at question: Question, of receipt: ReceiptID?, by own: (any Exchange)? = nil,
        before deadline: Deadline? = nil,
        ifStopped: AppPace.WhenStopped = .askWhenDue, attempts: Int? = nil
    ) async throws -> QuestionResult {
        // A source that sends no requests leaves no question open.
        guard let live else { return .concluded(ValidationReport(.unverified(.noEvidence))) }
        let deadline = deadline.map { clock.now.advanced(by: $0.remaining) }
        var asked = AskedReceipt(question, by: apple)
        var exchange = own ?? live.exchange(about: question)
        var state = RetryState(
            policy: policy.limited(to: attempts), first: live.firstServer(for: question))
        var report = ValidationReport(.unverified(.deadline))
        var generator = SystemRandomNumberGenerator()
        while true {
            let server = state.server
            let admission = try await pace.admission(
                to: server, about: question, before: deadline,
                ifStopped: state.attemptCount == 0 || ifStopped == .deferred
                    ? ifStopped : .ask)
            guard admission == .free || admission == .probe else {
                report.end(
                    admission, after: state, of: asker, status: live.status(behind:))
                return .concluded(report)
            }
            if admission == .probe, let known = pace.verified(by: server) {
                report.requests += try await probe(known, through: live, at: server)
                continue
            }
            report.requests.begin(at: server, isRetry: state.isRetry)
            let (attempt, taken) = try await attempt(
                about: &asked, by: &exchange, from: server, admission, &report)
            // Capped at the timeout: `taken` includes time in which the process was stopped.
            let step = state.step(
                after: attempt, taking: min(taken, timeout), using: &generator)
            log?(report.line(attempt, of: receipt, number: state.attemptCount, from: server, taken))
            switch step {
            case .ask(_, let wait):
                guard wait > .zero else { continue }
                state.waited(wait)
                try await clock.sleep(until: clock.now.advanced(by: wait), orUntil: deadline)
            case .refused(let rejection):
                return .refused(report.refusal(rejection, after: state, last: attempt))
            case .end(let validation):
                report.conclude(validation.judging(asked.origin), after: state, last: attempt)
                report.prove(question, by: localProof)
                return .concluded(report)
            }
        }
    }

    /// What the receipt's own signature proves. A refusal of Apple's own receipt is wrong.
    func origin(of question: Question) -> ReceiptOrigin {
        question.receipt.map { apple.origin(of: $0) } ?? .unproven
    }

    /// How far the receipt's bytes speak for it, and what Apple signed in it.
    func trust(in receipt: SendableReceipt) -> (ReceiptTrust, AppleContent?) {
        let content = apple.content(of: receipt)
        return (contents.trust(in: receipt, content), content)
    }
}

extension Asking {
    private func attempt(
        about asked: inout AskedReceipt, by exchange: inout any Exchange, from server: AppleServer,
        _ admission: Pace.Admission, _ report: inout ValidationReport
    ) async throws -> (Attempt, taken: Duration) {
        defer { pace.leave(admission, server) }
        report.attempts.server = server
        let (attempt, taken) = try await attempt(by: &exchange, at: server)
        report.take(attempt)
        let health = AnswerClass(attempt.health, ifApples: countsFailure(about: &asked))
        pace.note(attempt, health, from: server, about: asked.question, after: admission)
        return (attempt, taken)
    }

    private func attempt(
        by exchange: inout any Exchange, at server: AppleServer
    ) async throws -> (Attempt, taken: Duration) {
        let start = clock.now
        let attempt = try await exchange.attempt(at: server)
        let taken = start.duration(to: clock.now)
        waits.waitedForAnswer(taken)
        return (attempt, taken)
    }

    /// Whether an answer that other bytes may deserve shows trouble of Apple's; called at each one.
    private func countsFailure(about asked: inout AskedReceipt) -> Bool {
        guard let receipt = asked.question.receipt, let content = asked.content, content.isWhole
        else { return false }
        return contents.countFailure(of: receipt.digest, with: content.digest)
    }

    /// Asks a question that Apple answered, to learn how the server is. Nothing else is learned
    /// from the answer. Returns the request, which counts for the waiting receipt.
    private func probe(
        _ known: Question, through source: any LiveSource, at server: AppleServer
    ) async throws -> RequestRecord {
        defer { pace.leave(.probe, server) }
        var report = ValidationReport(.unverified(.deadline))
        report.requests.begin(at: server, isRetry: false)
        var exchange = source.exchange(about: known)
        let (attempt, taken) = try await attempt(by: &exchange, at: server)
        report.take(attempt)
        log?(report.line(attempt, of: nil, number: 1, from: server, taken))
        // Apple verified the receipt, so it is no stranger's, whoever signed it.
        let health = AnswerClass(attempt.health, ifApples: true)
        pace.note(attempt, health, from: server, about: known, after: .probe)
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
