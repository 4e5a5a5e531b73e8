internal import Synchronization

/// How the statements of a run are retried when the database fails: the same statement, on a new
/// connection, until it succeeds or too much time has passed. Every statement of a run may be done
/// twice.
package final class DatabaseRetry: Sendable {
    /// How long the database may be unreachable before a statement gives up.
    let giveUpAfter: Duration
    /// How long a statement of a batch may go without an answer before its connection counts as
    /// lost. Longer than the wait for a lock.
    let silenceLimit: Duration
    private let observe: @Sendable (RunEvent) -> Void
    /// How many statements wait for the database.
    private let waiting = Mutex(0)

    /// - Parameter observe: is told once when the database is unreachable, and when it is back.
    package init(
        giveUpAfter: Duration = .seconds(600), silenceLimit: Duration = .seconds(90),
        observe: @escaping @Sendable (RunEvent) -> Void
    ) {
        self.giveUpAfter = giveUpAfter
        self.silenceLimit = silenceLimit
        self.observe = observe
    }

    func waitBegan(for failure: DatabaseError) {
        let isFirst = waiting.withLock { waiting in
            waiting += 1
            return waiting == 1
        }
        if isFirst { observe(.databaseIsOut(failure.description)) }
    }

    func waitEnded(isBack: Bool) {
        let isLast = waiting.withLock { waiting in
            waiting -= 1
            return waiting == 0
        }
        if isLast, isBack { observe(.databaseIsBack) }
    }
}
