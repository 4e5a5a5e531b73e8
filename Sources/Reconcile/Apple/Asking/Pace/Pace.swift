internal import Synchronization

/// Admission of requests to Apple: rate limits and outages, for all tasks of a run; and, by
/// `AppPace`, stopped apps.
///
/// The rules are values of module Pacing. This class holds them, waits as they decide, and reports
/// changes. It has a mutex and is no actor, because nearly every request is admitted at once and
/// needs no switch to another executor.
final class Pace: Sendable {
    enum Admission: Equatable, Sendable {
        /// Send the request now; then call `note`, then `leave`.
        case free
        /// As `free`, but the only request in flight: a probe in an outage.
        case probe
        case tooLate
        /// The outage lasted longer than `--outage-patience`.
        case outage
        /// The app is stopped, for this cause.
        case bundleStopped(Unverified)
    }

    /// A longer `Retry-After` pauses the whole rate limiter, not only the receipt that got it.
    private static let longestRetryAfterOfOneReceipt = Duration.seconds(60)

    private let clock: AnyClock
    private let origin: AnyClock.Instant
    private let patience: Duration
    private let patienceWithoutAnswer: Duration
    private let limiters: PerServer<RateLimiter<AnyClock>>
    private let waits: WaitTally
    let observe: @Sendable (PaceChange) -> Void
    let apps: AppPace
    private let state: Mutex<State>
    private let probes = PerSource { _ in Semaphore(permits: 1) }

    private struct State {
        var conditions: PerSource<Condition>
        var verified = VerifiedReceipts()
    }

    /// How a source is. One may be down while the other answers.
    fileprivate struct Condition: Sendable {
        var outages: OutageBreaker
        var hasBeenAnswered = false
        var hasSoundAnswer = false
        var outageBeganAt: Duration?
    }

    /// - Parameters:
    ///   - tokens: from the buckets that all workers share; nil for buckets in memory.
    ///   - isApples: whether Apple wrote the receipt's bytes.
    ///   - status: of the answers that pause an app for a cause.
    init(
        _ settings: ValidationSettings, tokens: TokenSource? = nil, clock: AnyClock,
        waits: WaitTally = WaitTally(), isApples: @escaping @Sendable (SendableReceipt) -> Bool,
        status: @escaping @Sendable (Unverified) -> Int = { _ in 0 },
        observe: @escaping @Sendable (PaceChange) -> Void
    ) {
        self.clock = clock
        origin = clock.now
        self.waits = waits
        self.observe = observe
        patience = settings.outagePatience
        patienceWithoutAnswer = min(patience, settings.asker.patienceWithoutAnswer ?? patience)
        limiters = settings.limiters(tokens, clock: clock)
        let outages = OutageBreaker(
            patience: settings.outagePatience, firstWait: settings.firstProbeWait)
        apps = AppPace(
            settings, clock: clock, isApples: isApples, status: status, observe: observe)
        state = Mutex(State(conditions: PerSource { _ in Condition(outages: outages) }))
    }

    private func isClosed(_ source: AnswerSource) -> Bool {
        state.withLock { $0.conditions[source].outages.isClosed }
    }

    private var now: Duration { origin.duration(to: clock.now) }

    /// Waits until `server` may be asked about the receipt.
    /// - Throws: `CancellationError`; errors of the token source. Then `leave` must not be called.
    func admission(
        to server: AppleServer, about question: Question,
        before deadline: AnyClock.Instant?, ifStopped: AppPace.WhenStopped = .askWhenDue
    ) async throws -> Admission {
        if admitsAtOnce(to: server, about: question, before: deadline) { return .free }
        while true {
            let mayTry: Bool
            switch try await apps.entry(of: question, before: deadline, ifStopped) {
            case .end(let admission): return admission
            case .mayBegin(let isTry): mayTry = isTry
            }
            let admission = try await entrance(to: server.source, before: deadline)
            guard admission == .free || admission == .probe else { return admission }
            do {
                // An outage may end during the wait for a token, so the wait is limited to its
                // length. A request that waited while an outage began starts again.
                let start = clock.now
                defer { waits.waitedForTokens(start.duration(to: clock.now)) }
                let limit = start.advanced(by: max(patience, .seconds(1)))
                let isThrough = try await limiters[server].acquire(
                    before: deadline.map { min($0, limit) } ?? limit)
                if isThrough, admission == .probe || isClosed(server.source),
                    mayTry || apps.isFree(question)
                {
                    return admission
                }
            } catch {
                leave(admission, server)
                throw error
            }
            leave(admission, server)
            if let deadline, clock.now >= deadline { return .tooLate }
        }
    }

    /// Nearly every request: there is no outage, its app is free, and a token is in hand.
    private func admitsAtOnce(
        to server: AppleServer, about question: Question, before deadline: AnyClock.Instant?
    ) -> Bool {
        isClosed(server.source) && !apps.mayBeHeld(question)
            && limiters[server].acquireAtOnce(before: deadline)
    }

    /// Admits at once without an outage; in an outage, admits one probe at a time when it is due.
    private func entrance(
        to source: AnswerSource, before deadline: AnyClock.Instant?
    ) async throws -> Admission {
        if isClosed(source) { return .free }
        let probe = probes[source]
        try await probe.wait()
        var isProbe = false
        defer { if !isProbe { probe.signal() } }
        while true {
            if let deadline, clock.now >= deadline { return .tooLate }
            let now = now
            let (change, admission) = state.withLock { state in
                state.conditions[source].admission(
                    at: now, patience: patience, withoutAnswer: patienceWithoutAnswer)
            }
            report(change, of: source)
            switch admission {
            case .free: return .free
            case .never: return .outage
            case .probe:
                isProbe = true
                return .probe
            case .wait(let end):
                try await clock.sleep(until: origin.advanced(by: end), orUntil: deadline)
            }
        }
    }

    /// An earlier process of the run got answers, so the servers are reachable.
    func recordEarlierAnswers() {
        state.withLock { state in
            for source in AnswerSource.allCases {
                state.conditions[source].hasBeenAnswered = true
            }
        }
    }

    func recordVerified(_ question: Question, by server: AppleServer) {
        state.withLock { $0.verified.note(question, by: server) }
    }

    /// Whether there were sound answers since the last call, and there is no outage.
    func takeAnswered() -> Bool {
        state.withLock { state in
            AnswerSource.allCases.filter { state.conditions[$0].takeAnswered() }.count > 0
        }
    }

    var outageDuration: Duration {
        let now = now
        return state.withLock { state in
            AnswerSource.allCases.compactMap { state.conditions[$0].outageBeganAt }.min()
                .map { now - $0 } ?? .zero
        }
    }

    /// Releases `admission`. Call once for each `free` or `probe`.
    func leave(_ admission: Admission, _ server: AppleServer) {
        if admission == .probe { probes[server.source].signal() }
    }

    /// A receipt that the server verified in this run, for a probe; nil if there is none.
    func verified(by server: AppleServer) -> Question? {
        state.withLock { $0.verified.latest(of: server) }
    }

    /// - Parameter health: what the answer says about the server; nil if nothing.
    func note(
        _ attempt: Attempt, _ health: AnswerClass?, from server: AppleServer,
        about question: Question, after admission: Admission
    ) {
        let now = now
        let change = state.withLock { state -> OutageBreaker.Change? in
            if attempt.isVerified { state.verified.note(question, by: server) }
            return state.conditions[server.source].note(
                attempt, health, isProbe: admission == .probe, at: now)
        }
        report(change, of: server.source, attempt)
        guard let health else { return }
        report(limiters[server].note(health), server)
        if health == .sound {
            if attempt.access != .unknown { apps.note(attempt.access, about: question) }
        } else if let retryAfter = attempt.retryAfter,
            retryAfter > Self.longestRetryAfterOfOneReceipt
        {
            // All requests in flight may get the same `Retry-After`; it is reported once.
            let isNew = limiters[server].pause(for: retryAfter)
            if isNew { observe(.paused(server, for: retryAfter)) }
        }
    }

    var waiting: Int { AnswerSource.allCases.map { probes[$0].waiting }.reduce(0, +) }
}

extension Pace.Condition {
    fileprivate mutating func admission(
        at now: Duration, patience: Duration, withoutAnswer: Duration
    ) -> (OutageBreaker.Change?, OutageBreaker.Admission) {
        outages.patience = hasBeenAnswered ? patience : withoutAnswer
        let change = outages.giveUpIfOverdue(at: now)
        return (change, outages.admission(at: now))
    }

    fileprivate mutating func takeAnswered() -> Bool {
        defer { hasSoundAnswer = false }
        return hasSoundAnswer && outages.isClosed
    }

    fileprivate mutating func note(
        _ attempt: Attempt, _ health: AnswerClass?, isProbe: Bool, at now: Duration
    ) -> OutageBreaker.Change? {
        if attempt.failure == nil { hasBeenAnswered = true }
        if health == .sound { hasSoundAnswer = true }
        let change =
            isProbe
            ? outages.recordProbe(health, retryAfter: attempt.retryAfter, at: now)
            : health.flatMap { outages.note($0, at: now) }
        if change == .began { outageBeganAt = now }
        return change
    }
}

/// The last receipt that each server verified. A probe asks about it: what Apple answers about
/// another receipt may be the receipt's fault.
private struct VerifiedReceipts: Sendable {
    /// Bytes. A probe should be small; the largest receipt seen is 0.5 MB.
    private static let largest = 1 << 20

    private var latest = PerServer<Question?> { _ in nil }

    func latest(of server: AppleServer) -> Question? { latest[server] }

    mutating func note(_ question: Question, by server: AppleServer) {
        if case .notices = question.subject { return }
        guard question.size <= Self.largest else { return }
        latest[server] = question
    }
}
