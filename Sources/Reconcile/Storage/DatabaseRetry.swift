internal import Synchronization

/// Retries failed statements of a run on a new connection, until they succeed or `giveUpAfter` has
/// passed. Every statement of a run is safe to repeat.
package final class DatabaseRetry: Sendable {
    /// How long a statement is retried before it fails.
    let giveUpAfter: Duration
    /// How long a statement may go without a response before its connection counts as lost. Longer
    /// than the wait for a lock.
    let silenceLimit: Duration
    private let observe: @Sendable (RunEvent) -> Void
    private struct Outage {
        var waiting = 0
        /// The start of the first wait; nil once a statement succeeds. It stays when a statement
        /// fails for good, so that the next one does not wait for the whole time again.
        var since: ContinuousClock.Instant?
    }

    /// Whether `outage.since` is set. Read without a lock after every statement.
    private let isTroubled = Atomic(false)
    private let outage = Mutex(Outage())

    /// - Parameter observe: called once when a statement begins to wait, and when none waits.
    package init(
        giveUpAfter: Duration = .seconds(600), silenceLimit: Duration = .seconds(60),
        observe: @escaping @Sendable (RunEvent) -> Void
    ) {
        self.giveUpAfter = giveUpAfter
        self.silenceLimit = silenceLimit
        self.observe = observe
    }

    var since: ContinuousClock.Instant? { outage.withLock { $0.since } }

    func waitBegan(for failure: DatabaseError) {
        let isFirst = outage.withLock { outage in
            outage.waiting += 1
            if outage.since == nil { outage.since = .now }
            return outage.waiting == 1
        }
        isTroubled.store(true, ordering: .releasing)
        if isFirst { observe(.databaseIsOut(failure.waiting(upTo: giveUpAfter))) }
    }

    /// A waiting statement failed for good, or failed for another reason.
    func waitEnded() { outage.withLock { $0.waiting -= 1 } }

    func succeeded(afterWaiting hasWaited: Bool) {
        guard hasWaited || isTroubled.load(ordering: .acquiring) else { return }
        isTroubled.store(false, ordering: .releasing)
        let isLast = outage.withLock { outage in
            outage.since = nil
            if hasWaited { outage.waiting -= 1 }
            return outage.waiting == 0
        }
        if hasWaited, isLast { observe(.databaseIsBack) }
    }
}
