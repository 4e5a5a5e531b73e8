internal import Synchronization

/// How the statements of a run are retried when the database fails: the same statement, on a new
/// connection, until it succeeds or too much time has passed. Every statement of a run may be done
/// twice.
package final class DatabaseRetry: Sendable {
    /// How long the database may be unreachable before a statement gives up.
    let giveUpAfter: Duration
    /// How long a statement may go without an answer before its connection counts as lost. Longer
    /// than the wait for a lock.
    let silenceLimit: Duration
    private let observe: @Sendable (RunEvent) -> Void
    private struct Outage {
        /// How many statements wait for the database.
        var waiting = 0
        /// When the first of them began to wait; nil once a statement succeeds. It stays when a
        /// statement gives up, so that the next statement does not wait the whole time again.
        var since: ContinuousClock.Instant?
    }

    /// Whether there is such an instant: asked after every statement.
    private let isTroubled = Atomic(false)
    private let outage = Mutex(Outage())

    /// - Parameter observe: is told once when the database is unreachable, and when it is back.
    package init(
        giveUpAfter: Duration = .seconds(600), silenceLimit: Duration = .seconds(60),
        observe: @escaping @Sendable (RunEvent) -> Void
    ) {
        self.giveUpAfter = giveUpAfter
        self.silenceLimit = silenceLimit
        self.observe = observe
    }

    /// When the trouble began; nil when there is none.
    var since: ContinuousClock.Instant? { outage.withLock { $0.since } }

    func waitBegan(for failure: DatabaseError) {
        let isFirst = outage.withLock { outage in
            outage.waiting += 1
            if outage.since == nil { outage.since = .now }
            return outage.waiting == 1
        }
        isTroubled.store(true, ordering: .releasing)
        if isFirst { observe(.databaseIsOut(failure.description)) }
    }

    /// A statement was given up, or its failure is no trouble of the database's.
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
