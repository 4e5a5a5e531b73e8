internal import Synchronization

/// Admission of requests about an app whose shared secret Apple may reject, for all tasks of a run.
///
/// The rules are those of `AppWatches`. This class holds them, waits as they decide, and reports
/// changes.
final class AppPace: Sendable {
    /// What becomes of a request about a stopped app.
    enum WhenStopped: Sendable {
        /// It is not sent now, nor while the app is paused: its user is asked about later.
        case deferred
        case leave
        /// If none was sent for a minute.
        case askWhenDue
        /// The request is a probe of the app, or continues a look.
        case ask
    }

    enum Entry {
        case end(Pace.Admission)
        case mayBegin(isTry: Bool)
    }

    private let clock: AnyClock
    private let origin: AnyClock.Instant
    private let isApples: @Sendable (SendableReceipt) -> Bool
    private let status: @Sendable (Unverified) -> Int
    private let observe: @Sendable (PaceChange) -> Void
    private let watches: Mutex<AppWatches>

    /// - Parameters:
    ///   - isApples: whether Apple wrote the receipt's bytes. It checks a signature, so it is
    ///     called for few receipts, and never under the lock.
    ///   - status: of the answers that pause an app for a cause.
    init(
        _ settings: ValidationSettings, clock: AnyClock,
        isApples: @escaping @Sendable (SendableReceipt) -> Bool,
        status: @escaping @Sendable (Unverified) -> Int,
        observe: @escaping @Sendable (PaceChange) -> Void
    ) {
        self.clock = clock
        origin = clock.now
        self.isApples = isApples
        self.status = status
        self.observe = observe
        watches = Mutex(
            AppWatches(patience: settings.outagePatience, firstWait: settings.firstProbeWait))
    }

    private var now: Duration { origin.duration(to: clock.now) }

    private func receipts(of question: Question) -> AppReceipts {
        AppReceipts(bundle: question.bundle, areApples: isApples(question.receipt))
    }

    /// Waits while the request's app is paused, unless the request is its next probe.
    func entry(
        of question: Question, before deadline: AnyClock.Instant?, _ policy: WhenStopped
    ) async throws -> Entry {
        while true {
            guard mayBeHeld(question) else { return .mayBegin(isTry: false) }
            let receipts = receipts(of: question)
            let now = now
            switch watches.withLock({ $0.permission(of: receipts, at: now) }) {
            case .free: return .mayBegin(isTry: false)
            case .isProbe: return .mayBegin(isTry: true)
            case .stopped(let cause):
                return mayTry(receipts, policy, at: now)
                    ? .mayBegin(isTry: true) : .end(.bundleStopped(cause))
            case .gaveUp(let cause):
                observe(.bundleStopped(receipts, cause))
                return .end(.bundleStopped(cause))
            case .wait(_, let cause) where policy == .deferred: return .end(.bundleStopped(cause))
            case .wait(let end, _):
                try await clock.sleep(until: origin.advanced(by: end), orUntil: deadline)
                if let deadline, clock.now >= deadline { return .end(.tooLate) }
            }
        }
    }

    private func mayTry(_ receipts: AppReceipts, _ policy: WhenStopped, at now: Duration) -> Bool {
        switch policy {
        case .deferred, .leave: false
        case .askWhenDue: watches.withLock { $0.claimTry(receipts, at: now) }
        case .ask: true
        }
    }

    /// Whether the app is as free as at `entry`: the request has waited for a token since.
    func isFree(_ question: Question) -> Bool {
        guard mayBeHeld(question) else { return true }
        let receipts = receipts(of: question)
        return watches.withLock { $0.isFree(receipts) }
    }

    /// False for nearly all.
    func mayBeHeld(_ question: Question) -> Bool {
        question.isOfOwnApp && watches.withLock { $0.mayBeHeld(question.bundle) }
    }

    /// The next answer about these stopped receipts decides whether they are free.
    func tryNow(_ receipts: AppReceipts) {
        let now = now
        watches.withLock { $0.tryNow(receipts, at: now) }
    }

    /// What is stopped, each with a receipt to try it with.
    var stopped: [StoppedReceipts] { watches.withLock { $0.stopped } }

    func isStopped(_ question: Question) -> Bool {
        guard mayBeHeld(question) else { return false }
        let areApples = isApples(question.receipt)
        return watches.withLock { $0.isStopped(question, areApples: areApples) }
    }

    /// Whether the request's app is stopped, or paused and no try is due.
    func isHeld(_ question: Question) -> Bool {
        guard mayBeHeld(question) else { return false }
        let areApples = isApples(question.receipt)
        let now = now
        return watches.withLock { $0.isHeld(question, areApples: areApples, at: now) }
    }

    /// Another worker of the run stopped these receipts.
    func stop(_ receipts: AppReceipts, for cause: Unverified) {
        let now = now
        report(watches.withLock { $0.stop(receipts, for: cause, at: now) }, receipts)
    }

    /// Another worker of the run got an answer about these receipts.
    func resume(_ receipts: AppReceipts) {
        let now = now
        report(watches.withLock { $0.resume(receipts, at: now) }, receipts)
    }

    /// - Parameter access: by the answer of a server that works.
    func note(_ access: Attempt.Access, about question: Question) {
        guard question.isOfOwnApp,
            watches.withLock({ $0.isInformative(access, about: question.bundle) })
        else { return }
        let areApples = isApples(question.receipt)
        let now = now
        let change = watches.withLock {
            $0.note(question, areApples: areApples, access, at: now)
        }
        if let (receipts, change) = change { report(change, receipts) }
    }

    private func report(_ change: AppWatch.Change?, _ receipts: AppReceipts) {
        switch change {
        case .stopped(let cause): observe(.bundleStopped(receipts, cause))
        case .paused(let cause): observe(.bundlePaused(receipts, status: status(cause)))
        case .resumed(let duration): observe(.bundleResumed(receipts, after: duration))
        case nil: break
        }
    }
}
