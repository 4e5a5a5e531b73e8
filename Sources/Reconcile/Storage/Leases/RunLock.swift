internal import Dispatch
internal import SQL

/// The worker registration and the run lock of this process. Only one run over everything at a time
/// holds the run lock.
///
/// Both belong to a connection of their own and end with it, so a dead process blocks no other.
/// `check` replaces a lost connection.
actor RunLock {
    /// The interval between attempts to get a lock that another process holds.
    private static let interval = Duration.seconds(1)

    private let conninfo: String
    private let session: PostgresSession
    private let silence: SilenceWatch
    private var connection: PostgresConnection?
    private(set) var worker: Int?
    private(set) var isHeld = false
    private var askedAt: ContinuousClock.Instant?

    init(_ conninfo: String, session: PostgresSession, silence: SilenceWatch) {
        self.conninfo = conninfo
        self.session = session
        self.silence = silence
    }

    /// - Returns: false when another process holds the lock.
    func acquire() async throws -> Bool {
        let connection = try await opened()
        if isHeld { return true }
        askedAt = .now
        let isAcquired = try await connection.query(PostgresStatement(SQL.tryRunLock)) {
            row in try row.bool("is_acquired")
        }
        isHeld = isAcquired == [true]
        if !isHeld, worker == nil { await disconnect() }
        return isHeld
    }

    /// Registers this process as a worker of `run`; returns its number. A process works on one run.
    func register(in run: RunID, as name: String) async throws -> Int {
        if let worker { return worker }
        let connection = try await opened()
        let numbers = try await connection.query(
            PostgresStatement(SQL.registerWorker), [run.text, name]
        ) { row in try row.int("worker_no") }
        try await lockWorker(numbers[0], connection)
        worker = numbers[0]
        return numbers[0]
    }

    /// Replaces a lost connection and registers the worker again. For a run over everything it also
    /// takes the lock if it is free.
    func check(isNight: Bool) async throws {
        guard let worker else { return }
        if let connection, await connection.isUsable {
            if isHeld { return }
            if let askedAt, askedAt.duration(to: .now) < Self.interval { return }
        } else {
            try await lockWorker(worker, try await opened())
        }
        if isNight { _ = try await acquire() }
    }

    func release() async {
        if let worker, let connection {
            // With dropped packets the statement would wait: it is aborted so that the process can
            // end.
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(2)) {
                [weak connection] in
                connection?.canceller.endIfSilent(
                    for: .seconds(1), longFor: .seconds(1), at: .now)
            }
            // A failure is harmless: the worker's lock ends with the connection.
            _ = try? await connection.execute(
                PostgresStatement(SQL.removeWorkers), [String(worker)])
        }
        worker = nil
        await disconnect()
    }

    private func lockWorker(_ number: Int, _ connection: PostgresConnection)
        async throws
    {
        try await connection.execute(PostgresStatement(SQL.lockWorker), [String(number)])
    }

    private func opened() async throws -> PostgresConnection {
        if let connection, await connection.isUsable { return connection }
        await disconnect()
        let connection = PostgresConnection()
        try await connection.open(conninfo, session: session)
        silence.watch(connection.canceller)
        self.connection = connection
        return connection
    }

    private func disconnect() async {
        isHeld = false
        let connection = connection.take()
        await connection?.close()
    }
}
