internal import Dispatch
internal import SQL

/// What one process holds for as long as it lives: its place as a worker, and perhaps the lock
/// that only one run at a time may hold.
///
/// Both live on a connection of their own and go with it, so what a dead process held is in
/// nobody's way. A connection that broke is replaced by `check`.
actor RunLock {
    /// How often a lock that somebody else has is asked for again.
    private static let interval = Duration.seconds(1)

    private let conninfo: String
    private let session: PostgresStatement
    private let silence: SilenceWatch
    private var connection: PostgresConnection?
    private(set) var worker: Int?
    private(set) var isHeld = false
    private var askedAt: ContinuousClock.Instant?

    init(_ conninfo: String, session: PostgresStatement, silence: SilenceWatch) {
        self.conninfo = conninfo
        self.session = session
        self.silence = silence
    }

    /// False when somebody else has the lock.
    func acquire() async throws(PostgresError) -> Bool {
        let connection = try await opened()
        if isHeld { return true }
        askedAt = .now
        let isAcquired = try await connection.query(PostgresStatement(SQL.tryRunLock)) {
            row throws(PostgresError) in try row.bool("is_acquired")
        }
        isHeld = isAcquired == [true]
        if !isHeld, worker == nil { await disconnect() }
        return isHeld
    }

    /// Makes this process a worker of `run`; returns its number. A process is one for one run.
    func enlist(in run: RunID, as name: String) async throws(PostgresError) -> Int {
        if let worker { return worker }
        let connection = try await opened()
        let numbers = try await connection.query(
            PostgresStatement(SQL.enlistWorker), [run.text, name]
        ) { row throws(PostgresError) in try row.int("worker_no") }
        try await lockWorker(numbers[0], connection)
        worker = numbers[0]
        return numbers[0]
    }

    /// Replaces a connection that has broken, takes its place again, and for a run over everything
    /// the lock if it is free.
    func check(isNight: Bool) async throws(PostgresError) {
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
            // A way that swallows everything must not hold up the end of the process.
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(2)) {
                [weak connection] in
                connection?.canceller.endIfSilent(
                    for: .seconds(1), longFor: .seconds(1), at: .now)
            }
            // Who is gone is also seen by the lock, which goes with the connection.
            _ = try? await connection.execute(
                PostgresStatement(SQL.dismissWorkers), [String(worker)])
        }
        worker = nil
        await disconnect()
    }

    private func lockWorker(_ number: Int, _ connection: PostgresConnection)
        async throws(PostgresError)
    {
        try await connection.execute(PostgresStatement(SQL.lockWorker), [String(number)])
    }

    /// The connection, opened anew if it has broken; then nothing is held on it.
    private func opened() async throws(PostgresError) -> PostgresConnection {
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
