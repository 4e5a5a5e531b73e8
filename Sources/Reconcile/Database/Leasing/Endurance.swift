internal import Synchronization

/// How a run outlives what happens to the database: the same statement again, on a new connection,
/// until it succeeds or patience ends. Every statement of a run may be done twice.
package final class Endurance: Sendable {
    /// How long the database may be out of reach.
    let patience: Duration
    /// How long a statement of a batch may go without an answer before its connection counts as
    /// lost. Longer than a lock may be waited for.
    let silence: Duration
    private let observe: @Sendable (RunEvent) -> Void
    /// How many statements wait for the database.
    private let waiting = Mutex(0)

    /// - Parameter observe: is told once when the database is out of reach, and when it is back.
    package init(
        patience: Duration = .seconds(600), silence: Duration = .seconds(90),
        observe: @escaping @Sendable (RunEvent) -> Void
    ) {
        (self.patience, self.silence, self.observe) = (patience, silence, observe)
    }

    fileprivate func beginsToWait(for failure: DatabaseError) {
        let isFirst = waiting.withLock { waiting in
            waiting += 1
            return waiting == 1
        }
        if isFirst { observe(.databaseIsOut(failure.description)) }
    }

    fileprivate func endsToWait(isBack: Bool) {
        let isLast = waiting.withLock { waiting in
            waiting -= 1
            return waiting == 0
        }
        if isLast, isBack { observe(.databaseIsBack) }
    }
}

/// The failures of one statement so far, as a value: how long to wait before it is tried again.
struct DatabaseTrial: Sendable {
    private let patience: Duration
    private var failures = 0
    private var since: ContinuousClock.Instant?

    init(patience: Duration) { self.patience = patience }

    /// Whether an observer has been told of trouble.
    var hasFailed: Bool { failures > 0 }

    /// - Parameter isStopping: the task is cancelled: what is known is saved if it can be at once.
    /// - Returns: nil when the error is to be thrown.
    mutating func wait(
        after error: DatabaseError, at now: ContinuousClock.Instant, isStopping: Bool
    ) -> Duration? {
        failures += 1
        let since = since ?? now
        self.since = since
        switch error.reason {
        case .unreachable:
            let limit = isStopping ? min(patience, .seconds(2)) : patience
            guard since.duration(to: now) < limit else { return nil }
            // 0.1 s, doubled up to 5 s: a restart is over in one, a recovery in some ten.
            return min(.milliseconds(100) * (1 << min(failures - 1, 10)), .seconds(5))
        case .rejected where error.isConflict:
            return failures <= 5 && patience > .zero ? .milliseconds(20) * failures : nil
        case .rejected where error.isPassing:
            let limit = isStopping ? min(patience, .seconds(2)) : patience
            guard since.duration(to: now) < limit else { return nil }
            return min(.milliseconds(500) * (1 << min(failures - 1, 10)), .seconds(10))
        case .cancelled:
            // A statement_timeout: a busy server may be faster the next time.
            return failures <= 3 && patience > .zero && !isStopping ? .milliseconds(500) : nil
        default: return nil
        }
    }
}

extension Database {
    /// The same database, whose statements endure what `endurance` says.
    package func enduring(_ endurance: Endurance) -> Database {
        var database = self
        database.endurance = endurance
        return database
    }

    /// Ends connections that nothing comes from any more. To be called while batches are worked
    /// on, whose statements are short.
    func endSilentConnections() async {
        guard let endurance else { return }
        pool.endSilent(for: endurance.silence)
        await runLock.endSilent(for: endurance.silence)
    }

    /// Does `operation` again until it succeeds, as far as patience goes.
    func endure<T: Sendable>(
        touching side: DatabaseError.Side,
        _ operation: () async throws(PostgresError) -> T
    ) async throws(DatabaseError) -> T {
        var trial = DatabaseTrial(patience: endurance?.patience ?? .zero)
        while true {
            let failure: DatabaseError
            do throws(PostgresError) {
                let value = try await operation()
                if trial.hasFailed { endurance?.endsToWait(isBack: true) }
                return value
            } catch {
                failure = DatabaseError(error, touching: side)
            }
            try await outlast(failure, &trial)
        }
    }

    /// The same for what is more than a statement, a report for example, and is begun anew.
    package func enduring<T>(_ body: () async throws -> T) async throws -> T {
        var trial = DatabaseTrial(patience: endurance?.patience ?? .zero)
        while true {
            do {
                let value = try await body()
                if trial.hasFailed { endurance?.endsToWait(isBack: true) }
                return value
            } catch let failure as DatabaseError {
                try await outlast(failure, &trial)
            } catch {
                if trial.hasFailed { endurance?.endsToWait(isBack: true) }
                throw error
            }
        }
    }

    /// Waits before the next trial; throws `failure` when there will be none.
    private func outlast(
        _ failure: DatabaseError, _ trial: inout DatabaseTrial
    ) async throws(DatabaseError) {
        let isFirst = !trial.hasFailed
        let isStopping = Task.isCancelled
        guard let wait = trial.wait(after: failure, at: .now, isStopping: isStopping) else {
            if !isFirst { endurance?.endsToWait(isBack: false) }
            throw failure
        }
        if isFirst { endurance?.beginsToWait(for: failure) }
        do {
            try await Task.sleep(for: wait)
        } catch {
            // A stop cuts the wait short; what is known is worth one more try.
        }
    }
}
