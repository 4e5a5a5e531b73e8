internal import Synchronization

/// Retries failed statements of a run on a new connection, until they succeed or `giveUpAfter` has
/// passed. Every statement of a run is safe to repeat.
package final class DatabaseRetry: Sendable {
    /// How long a statement is retried before it fails.
    let giveUpAfter: Duration
    /// How long a statement may go without a response before its connection counts as lost. Longer
    /// than the wait for a lock.
    let silenceLimit: Duration
    /// How long a batch waits for a lock before it is put back.
    let lockWait: Duration
    private let observe: @Sendable (RunEvent) -> Void
    private struct Outage {
        var waiting = 0
        var isReported = false
        /// The start of the first wait; nil once a statement succeeds. It stays when a statement
        /// fails for good, so that the next one does not wait for the whole time again.
        var since: ContinuousClock.Instant?
    }

    /// Whether `outage.since` is set. Read without a lock after every statement.
    private let isTroubled = Atomic(false)
    private let outage = Mutex(Outage())

    private struct Locks {
        /// Since when no batch can be read; nil once one is read.
        var takenSince: ContinuousClock.Instant?
        var takenLast: ContinuousClock.Instant?
        var isReported = false
    }

    private let locks = Mutex(Locks())

    /// - Parameter observe: called once when a statement begins to wait, and when none waits.
    package init(
        giveUpAfter: Duration = .seconds(600), silenceLimit: Duration = .seconds(60),
        lockWait: Duration = .seconds(60), observe: @escaping @Sendable (RunEvent) -> Void
    ) {
        self.giveUpAfter = giveUpAfter
        self.silenceLimit = silenceLimit
        self.lockWait = lockWait
        self.observe = observe
    }

    var since: ContinuousClock.Instant? { outage.withLock { $0.since } }

    func waitBegan() {
        outage.withLock { outage in
            outage.waiting += 1
            if outage.since == nil { outage.since = .now }
        }
        isTroubled.store(true, ordering: .releasing)
    }

    /// Reports what is waited for, unless it was reported.
    func report(_ failure: DatabaseError) {
        let isNew = outage.withLock { outage in
            defer { outage.isReported = true }
            return !outage.isReported
        }
        if isNew { observe(.databaseIsOut(failure.waiting(upTo: giveUpAfter))) }
    }

    /// A waiting statement failed for good, or failed for another reason.
    func waitEnded() {
        outage.withLock { outage in
            outage.waiting -= 1
            if outage.waiting == 0 { outage.isReported = false }
        }
    }

    func succeeded(afterWaiting hasWaited: Bool) {
        guard hasWaited || isTroubled.load(ordering: .acquiring) else { return }
        isTroubled.store(false, ordering: .releasing)
        let isOver = outage.withLock { outage in
            outage.since = nil
            guard hasWaited else { return false }
            outage.waiting -= 1
            guard outage.waiting == 0 else { return false }
            defer { outage.isReported = false }
            return outage.isReported
        }
        if isOver { observe(.databaseIsBack) }
    }

    // MARK: Locks of the views

    /// Much longer than a batch that was put back is left to others.
    private static let longestPause = Duration.seconds(60)

    /// Records that a batch cannot be read; returns since when none can. After a long pause without
    /// an attempt that is unknown, and the time begins anew.
    func locksAreTaken(at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        locks.withLock { locks in
            let isKnown = locks.takenLast.map { $0.duration(to: now) < Self.longestPause } ?? false
            let since = (isKnown ? locks.takenSince : nil) ?? now
            locks.takenSince = since
            locks.takenLast = now
            return since
        }
    }

    /// Whether the caller must report the wait, since it is the first to ask.
    func mustReportLocks() -> Bool {
        locks.withLock { locks in
            defer { locks.isReported = true }
            return !locks.isReported
        }
    }

    /// Records that a batch was read, and ends a wait that was reported.
    func locksAreFree() {
        let wasReported = locks.withLock { locks in
            defer { locks = Locks() }
            return locks.isReported
        }
        if wasReported { succeeded(afterWaiting: true) }
    }
}
