internal import Synchronization

/// Admission of requests about an app whose shared secret Apple may reject, for all tasks of a run.
///
/// The rules are those of `AppWatches`. This class holds them, waits as they decide, and reports
/// changes.
final class AppPace: Sendable {
    /// Whether a request about a stopped app may be sent.
    enum WhenStopped: Sendable {
        case leave
        /// If none was sent for a minute.
        case askInTurn
        /// The caller has taken the turn, or continues a look.
        case ask
    }

    enum Entry {
        case end(Pace.Admission)
        case mayBegin(isTry: Bool)
    }

    private let clock: AnyClock
    private let origin: AnyClock.Instant
    private let isApples: @Sendable (ReceiptRequest) -> Bool
    private let observe: @Sendable (PaceChange) -> Void
    private let watches: Mutex<AppWatches>

    /// - Parameter isApples: whether Apple wrote the receipt's bytes. It checks a signature, so it
    ///   is called for few receipts, and never under the lock.
    init(
        _ settings: ValidationSettings, clock: AnyClock,
        isApples: @escaping @Sendable (ReceiptRequest) -> Bool,
        observe: @escaping @Sendable (PaceChange) -> Void
    ) {
        self.clock = clock
        origin = clock.now
        self.isApples = isApples
        self.observe = observe
        watches = Mutex(
            AppWatches(patience: settings.outagePatience, firstWait: settings.firstProbeWait))
    }

    private var now: Duration { origin.duration(to: clock.now) }

    private func receipts(of request: ReceiptRequest) -> AppReceipts {
        AppReceipts(bundle: request.bundle, areApples: isApples(request))
    }

    /// Waits while the request's app is paused.
    func entry(
        of request: ReceiptRequest, before deadline: AnyClock.Instant?, _ policy: WhenStopped
    ) async throws -> Entry {
        while true {
            guard watches.withLock({ $0.mayBeHeld(request.bundle) }) else {
                return .mayBegin(isTry: false)
            }
            let receipts = receipts(of: request)
            let now = now
            switch watches.withLock({ $0.standing(of: receipts, at: now) }) {
            case .free: return .mayBegin(isTry: false)
            case .stopped(let cause):
                return mayTry(receipts, policy, at: now)
                    ? .mayBegin(isTry: true) : .end(.bundleStopped(cause))
            case .gaveUp(let cause):
                observe(.bundleStopped(receipts, cause))
                return .end(.bundleStopped(cause))
            case .wait(let end):
                try await clock.sleep(until: origin.advanced(by: end), orUntil: deadline)
                if let deadline, clock.now >= deadline { return .end(.tooLate) }
            }
        }
    }

    private func mayTry(_ receipts: AppReceipts, _ policy: WhenStopped, at now: Duration) -> Bool {
        switch policy {
        case .leave: false
        case .askInTurn: watches.withLock { $0.takeTurn(receipts, at: now) }
        case .ask: true
        }
    }

    /// The app may have been paused since `entry`.
    func tryBegin(_ request: ReceiptRequest) -> Bool {
        guard watches.withLock({ $0.mayBeHeld(request.bundle) }) else { return true }
        let receipts = receipts(of: request)
        let now = now
        return watches.withLock { $0.tryBegin(receipts, at: now) }
    }

    /// The next answer about these stopped receipts decides whether they are free.
    func tryNow(_ receipts: AppReceipts) {
        let now = now
        watches.withLock { $0.tryNow(receipts, at: now) }
    }

    /// What is stopped, each with a receipt to try it with.
    var stopped: [StoppedReceipts] { watches.withLock { $0.stopped } }

    func isStopped(_ request: ReceiptRequest) -> Bool {
        guard watches.withLock({ $0.mayBeHeld(request.bundle) }) else { return false }
        let areApples = isApples(request)
        return watches.withLock { $0.isStopped(request, areApples: areApples) }
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

    /// - Parameter answer: of a server that works.
    func note(_ answer: AppleStatus.Server, about request: ReceiptRequest) {
        guard watches.withLock({ $0.isInformative(answer, about: request.bundle) }) else { return }
        let areApples = isApples(request)
        let now = now
        let change = watches.withLock {
            $0.note(request, areApples: areApples, answer, at: now)
        }
        if let (receipts, change) = change { report(change, receipts) }
    }

    private func report(_ change: AppWatch.Change?, _ receipts: AppReceipts) {
        switch change {
        case .stopped(let cause): observe(.bundleStopped(receipts, cause))
        case .paused(let status): observe(.bundlePaused(receipts, status: status))
        case .resumed(let duration): observe(.bundleResumed(receipts, after: duration))
        case nil: break
        }
    }
}
