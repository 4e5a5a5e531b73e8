internal import CPostgres
internal import Dispatch

/// One PostgreSQL connection. Its calls are serialized; connections work in parallel.
///
/// libpq blocks, so the actor's jobs run on their own queue and not on the cooperative pool.
actor PostgresConnection {
    private let executor = QueueExecutor(label: "postgres")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    nonisolated let canceller = PostgresCanceller()
    /// Nil before opening and after closing; libpq treats a null handle as a broken connection.
    var handle: OpaquePointer?
    var isStreaming = false
    var isInUTF8 = true
    /// Runs before closing, where a pooler keeps the session for its next client.
    var discard: PostgresStatement?
    /// Statements that were run, with the name of their prepared statement, if any.
    var plans: [PostgresStatement: String?] = [:]
    var plansMade = 0

    isolated deinit { PQfinish(handle) }

    func close() {
        leaveSession()
        PQfinish(handle)
        handle = nil
    }

    /// Whether the next statement can run: connected and outside a transaction. Notices a server
    /// that has gone, without a round trip.
    var isUsable: Bool {
        if isStreaming { abandonStream() }
        // Reads the server's last messages first, and only then the end of the connection.
        while Self.hasInput(PQsocket(handle)), PQconsumeInput(handle) == 1 {}
        return PQstatus(handle) == CONNECTION_OK && PQtransactionStatus(handle) == PQTRANS_IDLE
    }

    // MARK: Statements

    /// Parameters are sent as text, never inside the statement.
    func query<T: Sendable>(
        _ statement: PostgresStatement, _ parameters: [String?] = [],
        decode: @Sendable (borrowing PostgresRow) throws -> T
    ) throws -> [T] {
        let result = try results(of: statement, parameters)
        defer { PQclear(result) }
        guard let result else { return [] }
        var values: [T] = []
        let columns = PostgresColumns(result)
        try Self.append(result, columns, of: statement, to: &values, decode)
        return values
    }

    func execute(_ statement: PostgresStatement, _ parameters: [String?] = [])
        throws(PostgresError)
    {
        PQclear(try results(of: statement, parameters))
    }

    private func results(of statement: PostgresStatement, _ parameters: [String?])
        throws(PostgresError) -> OpaquePointer?
    {
        let result = try run(statement) { () throws(PostgresError) in
            let plan = try plan(of: statement)
            return try statement.withCStrings(parameters) { values in
                let count = Int32(values.count)
                guard let plan else {
                    let text = text(of: statement)
                    return PQexecParams(handle, text, count, nil, values, nil, nil, 0)
                }
                return PQexecPrepared(handle, plan, count, values, nil, nil, 0)
            }
        }
        do throws(PostgresError) {
            try expect(result, [PGRES_TUPLES_OK, PGRES_COMMAND_OK], statement)
        } catch {
            PQclear(result)
            throw error
        }
        return result
    }

    func executeScript(_ script: PostgresStatement) throws(PostgresError) {
        let result = try run(script) { PQexec(handle, text(of: script)) }
        defer { PQclear(result) }
        try expect(result, [PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY], script)
    }

    func begin() throws(PostgresError) {
        try executeScript(PostgresStatement(name: "begin", text: "BEGIN"))
    }

    func commit() throws(PostgresError) {
        try executeScript(PostgresStatement(name: "commit", text: "COMMIT"))
    }

    /// Ignores errors: a rollback fails only when the connection is lost, and then the server rolls
    /// back by itself.
    func rollback() {
        _ = try? executeScript(PostgresStatement(name: "rollback", text: "ROLLBACK"))
    }

    func transactionAtOnce<T>(
        _ body: @Sendable (isolated PostgresConnection) throws -> T
    ) throws -> T {
        try begin()
        do {
            let value = try body(self)
            try commit()
            return value
        } catch {
            rollback()
            throw error
        }
    }

    /// - Parameter locks: as for `snapshot`.
    func transactionAtOnce<T>(
        under locks: PostgresStatement,
        _ body: @Sendable (isolated PostgresConnection) throws -> T
    ) throws -> T {
        do {
            try executeScript(PostgresStatement(name: locks.name, text: "BEGIN; " + locks.text))
            let value = try body(self)
            try commit()
            return value
        } catch {
            rollback()
            throw error
        }
    }

    /// - Parameter locks: statements that take locks and no snapshot, which is then taken under
    ///   them. In one script with BEGIN, to save a round trip.
    func snapshot<T>(
        under locks: PostgresStatement,
        _ body: @Sendable (isolated PostgresConnection) throws -> T
    ) throws -> T {
        // Nothing was written, so a rollback is as good as a commit and always possible. It also
        // ends a transaction whose locks were refused.
        defer { rollback() }
        try executeScript(
            PostgresStatement(
                name: locks.name,
                text: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; " + locks.text))
        return try body(self)
    }

    // MARK: Internals

    /// Calls libpq so that the call can be cancelled while it waits.
    func run<R>(_ statement: PostgresStatement, _ call: () throws(PostgresError) -> R)
        throws(PostgresError) -> R
    {
        if isStreaming { abandonStream() }
        guard canceller.begin(isLong: statement.isLong) else {
            throw .cancelled(statement: statement.name)
        }
        defer { canceller.end() }
        return try call()
    }

    func expect(
        _ result: OpaquePointer?, _ statuses: [ExecStatusType], _ statement: PostgresStatement
    ) throws(PostgresError) {
        guard statuses.contains(PQresultStatus(result)) else {
            let error = PostgresError(result, of: handle, statement: statement)
            if let code = error.sqlState, Self.lostPlan.contains(code) { plans = [:] }
            throw error
        }
    }

    /// The row is a named variable, because the optimizer of Swift 6.3.1 crashes when it is created
    /// in the call.
    static func append<T>(
        _ result: OpaquePointer, _ columns: PostgresColumns, of statement: PostgresStatement,
        to values: inout [T], _ decode: (borrowing PostgresRow) throws -> T
    ) throws {
        values.reserveCapacity(values.count + Int(PQntuples(result)))
        for index in 0..<PQntuples(result) {
            let row = PostgresRow(
                result, index: index, columns: columns, statement: statement.name)
            let value = try decode(row)
            values.append(value)
        }
    }
}

/// Prepares statements that repeat, such as those for each batch, once a connection.
extension PostgresConnection {
    /// The name of the prepared statement. Nil on a statement's first execution, because most
    /// statements of a run are executed once.
    func plan(of statement: PostgresStatement) throws(PostgresError) -> String? {
        guard let known = plans[statement] else {
            plans[statement] = .some(nil)
            return nil
        }
        if let known { return known }
        plansMade += 1
        let name = "reconcile_\(plansMade)"
        let result = PQprepare(handle, name, text(of: statement), 0, nil)
        defer { PQclear(result) }
        try expect(result, [PGRES_COMMAND_OK], statement)
        plans[statement] = name
        return name
    }

    /// SQLSTATEs of a plan whose result types have changed, because a view was replaced, and of one
    /// that the server no longer has. The plans are then prepared again.
    static var lostPlan: Set<String> { ["0A000", "26000"] }
}

/// Runs an actor's jobs on a dispatch queue of its own, so that a C library may block without
/// starving other tasks.
final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
