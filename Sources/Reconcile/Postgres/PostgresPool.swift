internal import Synchronization

/// A limited number of connections, each lent to one user at a time, first come, first served. A
/// broken connection is replaced when it is next needed.
final class PostgresPool: Sendable {
    private enum Grant: Sendable {
        case connection(PostgresConnection)
        case slot
    }

    private struct State {
        var idle: [PostgresConnection] = []
        var lent = 0
        var waiting: [CheckedContinuation<Grant, Never>] = []
        var isClosed = false
    }

    private let conninfo: String
    private let session: PostgresSession?
    private let limit: Int
    private let silence: SilenceWatch
    private let state = Mutex(State())

    /// - Parameter session: prepares every new connection.
    init(
        _ conninfo: String, session: PostgresSession? = nil, limit: Int,
        silence: SilenceWatch = SilenceWatch()
    ) {
        self.conninfo = conninfo
        self.session = session
        self.limit = max(1, limit)
        self.silence = silence
    }

    /// Closes idle connections now, and lent ones when they are returned.
    func close() async {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            state.isClosed = true
            return state.idle
        }
        for connection in idle { await connection.close() }
    }

    /// Also works in a cancelled task, because results must be committed. Other users run only a
    /// few statements, so the wait is short.
    func withConnection<T: Sendable>(
        _ body: (PostgresConnection) async throws -> T
    ) async throws -> T {
        let connection = try await lend()
        defer { putBack(connection) }
        do {
            return try await body(connection)
        } catch let error as PostgresError where error.isStandby {
            // The next connection may lead to the server that has become the primary.
            await connection.close()
            throw error
        }
    }

    /// Lends a connection for reading; cancelling the task cancels the statement (SQLSTATE 57014).
    func withCancellableConnection<T: Sendable>(
        _ body: (PostgresConnection) async throws -> T
    ) async throws -> T {
        try await withConnection { connection in
            try await connection.cancellable {
                try await body(connection)
            }
        }
    }

    func transaction<T: Sendable>(
        _ body: (PostgresConnection) async throws -> T
    ) async throws -> T {
        try await withConnection { connection in
            try await connection.begin()
            do {
                let value = try await body(connection)
                try await connection.commit()
                return value
            } catch {
                await connection.rollback()
                throw error
            }
        }
    }

    /// Runs a transaction whose body awaits nothing but this connection. It runs on the
    /// connection's thread throughout; switching threads for each statement would wake two threads
    /// each time.
    func transactionAtOnce<T: Sendable>(
        _ body: @Sendable (isolated PostgresConnection) throws -> T
    ) async throws -> T {
        try await withConnection { connection in
            try await connection.transactionAtOnce(body)
        }
    }

    /// Runs `body` in a read-only transaction with one snapshot, taken under `locks`. Cancelling
    /// the task cancels the statement (SQLSTATE 57014).
    func snapshot<T: Sendable>(
        under locks: PostgresStatement,
        _ body: @Sendable (isolated PostgresConnection) throws -> T
    ) async throws -> T {
        try await withCancellableConnection { connection in
            try await connection.snapshot(under: locks, body)
        }
    }

    /// Runs `body` in a transaction that begins with `locks`. Cancelling the task cancels the
    /// statement (SQLSTATE 57014).
    func transactionAtOnce<T: Sendable>(
        under locks: PostgresStatement,
        _ body: @Sendable (isolated PostgresConnection) throws -> T
    ) async throws -> T {
        try await withCancellableConnection { connection in
            try await connection.transactionAtOnce(under: locks, body)
        }
    }

    // MARK: Lending

    func lend() async throws(PostgresError) -> PostgresConnection {
        if case .connection(let connection) = await grant() {
            if await connection.isUsable {
                _ = connection.canceller.beginUse()
                return connection
            }
            await connection.close()
        }
        let connection = PostgresConnection()
        do throws(PostgresError) {
            try await connection.open(conninfo, session: session)
            silence.watch(connection.canceller)
        } catch {
            release(nil)
            throw error
        }
        return connection
    }

    func putBack(_ connection: PostgresConnection) { release(connection) }

    private func grant() async -> Grant {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                if let connection = state.idle.popLast() {
                    state.lent += 1
                    continuation.resume(returning: .connection(connection))
                } else if state.lent < limit {
                    state.lent += 1
                    continuation.resume(returning: .slot)
                } else {
                    state.waiting.append(continuation)
                }
            }
        }
    }

    private func release(_ connection: PostgresConnection?) {
        state.withLock { state in
            let kept = state.isClosed ? nil : connection
            if !state.waiting.isEmpty {
                let next = state.waiting.removeFirst()
                next.resume(returning: kept.map(Grant.connection) ?? .slot)
            } else {
                state.lent -= 1
                if let kept { state.idle.append(kept) }
            }
        }
    }
}
