internal import CPostgres

/// How a pooler shares the sessions of PostgreSQL among its clients, where a client does not have
/// its own. Named as PgBouncer does.
enum PoolMode: String, Sendable {
    case transaction
    case statement
}

/// Recognises a pooler between the job and PostgreSQL by the process numbers of the server.
///
/// The number that a client gets with its cancellation key is its server process's. A pooler sends
/// a number of its own. Whether the client keeps the server's process then shows in the numbers
/// that its statements see.
struct PoolerCheck {
    /// Returns the number of the server process.
    let findProcess: PostgresStatement

    private static let begin = PostgresStatement(name: "begin", text: "BEGIN")
    private static let rollback = PostgresStatement(name: "rollback", text: "ROLLBACK")

    /// How often the two connections are compared. A pool that is busy with other clients gives a
    /// statement any free process, so that the number changes soon.
    private static let rounds = 8

    /// A statement that waits longer finds every process of the pool taken.
    private static let limit = Duration.seconds(2)

    func isPooled(_ attempt: ConnectionAttempt) throws(PostgresError) -> Bool {
        try process(of: attempt) != Int(PQbackendPID(attempt.handle))
    }

    /// - Parameter other: a second connection to the same pool.
    /// - Throws: an error with `poolMode` when the connections share server processes.
    func requireSessionMode(
        _ attempt: ConnectionAttempt, _ other: ConnectionAttempt
    ) throws(PostgresError) {
        var signs = PoolSigns()
        for _ in 0..<Self.rounds where !signs.areShared {
            for _ in 0..<2 { signs.note(first: try process(of: attempt)) }
            do throws(PostgresError) {
                for _ in 0..<2 { signs.note(second: try process(of: other, within: Self.limit)) }
            } catch {
                guard PQstatus(other.handle) == CONNECTION_OK else { throw error }
                // All processes are taken, and the first connection still has its own.
                signs.note(first: try process(of: attempt))
                break
            }
        }
        guard signs.areShared else { return }
        var error = PostgresError(sqlState: nil, statement: "connect", isConnectionLost: true)
        error.poolMode = Self.mode(of: attempt)
        throw error
    }

    /// A pooler in statement mode refuses transactions.
    private static func mode(of attempt: ConnectionAttempt) -> PoolMode {
        do throws(PostgresError) {
            PQclear(try attempt.result(of: begin, text: begin.text))
            PQclear(try attempt.result(of: rollback, text: rollback.text))
            return .transaction
        } catch {
            return .statement
        }
    }

    private func process(
        of attempt: ConnectionAttempt, within limit: Duration? = nil
    ) throws(PostgresError) -> Int {
        let result = try attempt.result(
            of: findProcess, text: findProcess.text, within: limit)
        defer { PQclear(result) }
        guard let text = PQgetvalue(result, 0, 0), let number = Int(String(cString: text)) else {
            throw .undecodable(column: "pg_backend_pid", statement: findProcess.name)
        }
        return number
    }
}

/// What the server processes of two connections, asked in turn, say about the pool.
struct PoolSigns {
    private var first: Int?
    private var second: Int?
    /// Whether a connection has changed its process, or both have the same.
    private(set) var areShared = false

    mutating func note(first process: Int) {
        areShared = areShared || process == second || (first ?? process) != process
        first = process
    }

    mutating func note(second process: Int) {
        areShared = areShared || process == first || (second ?? process) != process
        second = process
    }
}
