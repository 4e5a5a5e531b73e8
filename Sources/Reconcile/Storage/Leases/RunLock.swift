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
    private var registration: RegisteredWorker?
    private(set) var isHeld = false
    /// Whether this connection has the lock that marks the worker as alive.
    private var isRegistered = false
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
        if !isHeld, registration == nil { await disconnect() }
        return isHeld
    }

    var worker: Int? { registration?.number }

    /// Registers this process as a live worker of `run`; returns its number, which stays the same
    /// for another run. It is drawn at random among two thousand million: a sequence would hand out
    /// again the numbers that a failover undid.
    func register(in run: RunID, as name: String) async throws -> Int {
        if let registration, registration.run == run { return registration.number }
        let worker = registration?.number ?? .random(in: 1...Int(Int32.max))
        let registration = RegisteredWorker(number: worker, run: run, name: name)
        try await lock(registration, try await opened())
        self.registration = registration
        return worker
    }

    /// Replaces a lost connection and registers the worker again. For a run over everything it also
    /// takes the lock if it is free.
    func check(makesHistory: Bool) async throws {
        guard let registration else { return }
        if let connection, await connection.isUsable, isRegistered {
            if isHeld { return }
            if let askedAt, askedAt.duration(to: .now) < Self.interval { return }
        } else {
            try await lock(registration, try await opened())
        }
        if makesHistory { _ = try await acquire() }
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
        registration = nil
        await disconnect()
    }

    private func lock(
        _ registration: RegisteredWorker, _ connection: PostgresConnection
    ) async throws {
        do {
            try await connection.execute(
                RegisteredWorker.lockedTable.statement,
                RegisteredWorker.lockedTable.parameters(of: registration))
            isRegistered = true
        } catch {
            // The next connection may lead to the server that has become the primary.
            if error.isStandby { await disconnect() }
            throw error
        }
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
        isRegistered = false
        let connection = connection.take()
        await connection?.close()
    }
}
