internal import Synchronization

/// At most so many connections, lent to one user at a time, first come, first served. One that
/// broke is replaced when it is next asked for.
final class PostgresPool: Sendable {
    private enum Grant: Sendable {
        case connection(PostgresConnection)
        /// The right to open one more.
        case slot
    }

    private struct State {
        var idle: [PostgresConnection] = []
        var lent = 0
        var waiting: [CheckedContinuation<Grant, Never>] = []
        var isClosed = false
    }

    private let conninfo: String
    private let session: PostgresStatement?
    private let limit: Int
    private let silence: SilenceWatch
    private let state = Mutex(State())

    /// `session` is run once on every new connection.
    init(
        _ conninfo: String, session: PostgresStatement? = nil, limit: Int,
        silence: SilenceWatch = SilenceWatch()
    ) {
        self.conninfo = conninfo
        self.session = session
        self.limit = max(1, limit)
        self.silence = silence
    }

    /// Closes what is idle now, and what is lent when it comes back.
    func close() async {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            state.isClosed = true
            return state.idle
        }
        for connection in idle { await connection.close() }
    }

    /// Lends a connection for the length of `body`.
    ///
    /// It waits and works on in a cancelled task too: what is known must be saved. Others' use of
    /// a connection is a few statements long, so the wait is short.
    func withConnection<T: Sendable>(
        _ body: (PostgresConnection) async throws(PostgresError) -> T
    ) async throws(PostgresError) -> T {
        let connection = try await lend()
        defer { takeBack(connection) }
        return try await body(connection)
    }

    /// The same for reading, which is given up when the task is cancelled (SQLSTATE 57014).
    func withCancellableConnection<T: Sendable>(
        _ body: (PostgresConnection) async throws(PostgresError) -> T
    ) async throws(PostgresError) -> T {
        try await withConnection { connection async throws(PostgresError) in
            try await connection.cancellable { () async throws(PostgresError) in
                try await body(connection)
            }
        }
    }

    /// Commits what `body` did, or undoes it when it throws.
    func transaction<T: Sendable>(
        _ body: (PostgresConnection) async throws(PostgresError) -> T
    ) async throws(PostgresError) -> T {
        try await withConnection { connection async throws(PostgresError) in
            try await connection.begin()
            do throws(PostgresError) {
                let value = try await body(connection)
                try await connection.commit()
                return value
            } catch {
                await connection.rollback()
                throw error
            }
        }
    }

    /// The same for a body that waits for nothing but this connection: it runs on its thread from
    /// beginning to end. Going there and back for each statement woke two threads a time.
    func transactionAtOnce<T: Sendable>(
        _ body: @Sendable (isolated PostgresConnection) throws(PostgresError) -> T
    ) async throws(PostgresError) -> T {
        try await withConnection { connection async throws(PostgresError) in
            try await connection.transactionAtOnce(body)
        }
    }

    /// The same for reading, in one snapshot: nothing that is committed meanwhile is seen. Given up
    /// when the task is cancelled (SQLSTATE 57014).
    func snapshot<T: Sendable>(
        _ body: @Sendable (isolated PostgresConnection) throws(PostgresError) -> T
    ) async throws(PostgresError) -> T {
        try await withCancellableConnection { connection async throws(PostgresError) in
            try await connection.snapshot(body)
        }
    }

    // MARK: Lending

    /// A connection that works, to be given back with `takeBack`.
    func lend() async throws(PostgresError) -> PostgresConnection {
        if case .connection(let connection) = await grant() {
            if await connection.isUsable {
                _ = connection.canceller.nextTurn()
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

    func takeBack(_ connection: PostgresConnection) { release(connection) }

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
