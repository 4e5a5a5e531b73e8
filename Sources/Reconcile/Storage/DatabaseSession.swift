internal import SQL

struct DatabaseSession: Sendable {
    /// Decodes one row by the statement's column names.
    typealias Decode<T> = @Sendable (borrowing PostgresRow) throws -> T

    let pool: PostgresPool
    let runLock: RunLock
    let silence: SilenceWatch
    var viewLocks = ViewLocks()
    var retry: DatabaseRetry?
    var missingViews: Set<String> = []

    func read<T: Sendable>(
        _ statement: Statement, _ parameters: [String?] = [], decode: Decode<T>
    ) async throws(DatabaseError) -> [T] {
        try await retrying {
            try await pool.withCancellableConnection { connection in
                try await connection.query(
                    PostgresStatement(statement), parameters, decode: decode)
            }
        }
    }

    /// Reads rows of the job's own tables, from one statement that may also write.
    func query<T: Sendable>(
        _ statement: Statement, _ parameters: [String?] = [], decode: Decode<T>
    ) async throws(DatabaseError) -> [T] {
        try await query(PostgresStatement(statement), parameters, decode: decode)
    }

    func query<T: Sendable>(
        _ statement: PostgresStatement, _ parameters: [String?], decode: Decode<T>
    ) async throws(DatabaseError) -> [T] {
        try await retrying {
            try await pool.withConnection { connection in
                try await connection.query(statement, parameters, decode: decode)
            }
        }
    }

    func execute(
        _ statement: Statement, _ parameters: [String?] = []
    ) async throws(DatabaseError) {
        _ = try await query(statement, parameters) { _ in }
    }

    /// Streams a large result of the job's own tables on its own connection.
    func stream<T: Sendable>(
        _ statement: Statement, _ parameters: [String?], decode: @escaping Decode<T>
    ) -> PostgresStream<T> {
        stream(PostgresStatement(statement), parameters, decode: decode)
    }

    func stream<T: Sendable>(
        _ statement: PostgresStatement, _ parameters: [String?], decode: @escaping Decode<T>
    ) -> PostgresStream<T> {
        PostgresStream(
            pool: pool, statement: statement, parameters: parameters, rowsAtOnce: 500,
            decode: decode)
    }

    /// Runs several statements in one transaction. They must be safe to repeat.
    func transaction<T: Sendable>(
        _ body: (PostgresConnection) async throws -> T
    ) async throws(DatabaseError) -> T {
        try await retrying { try await pool.transaction(body) }
    }
}

// MARK: Retrying

extension DatabaseSession {
    /// Runs one operation, and starts it again as long as its error may pass.
    func retrying<T: Sendable>(
        _ operation: () async throws -> T
    ) async throws(DatabaseError) -> T {
        var schedule = DatabaseRetrySchedule(giveUpAfter: retry?.giveUpAfter ?? .zero)
        while true {
            let failure: DatabaseError
            do {
                let value = try await operation()
                retry?.succeeded(afterWaiting: schedule.hasFailed)
                return value
            } catch {
                failure = await located(error)
            }
            try await wait(after: failure, &schedule)
        }
    }

    /// The error with the view's column or the foreign server that causes it, if they can be found.
    private func located(_ error: any Error) async -> DatabaseError {
        var failure = DatabaseError(error)
        guard var cause = error as? PostgresError else { return failure }
        if failure.isSourceData || failure.isEncoding {
            do {
                try await pool.withConnection { connection in
                    try await connection.execute(PostgresStatement(SQL.findFailingColumn))
                }
            } catch let found as PostgresError where found.sqlState == cause.sqlState {
                cause.column = found.column
                failure = DatabaseError(cause)
            } catch {
                // The search failed for another reason, which says nothing about the view.
            }
        } else if failure.isForeign {
            let names = failure.views.map { String($0.drop { $0 != "." }.dropFirst()) }
            let relations = try? await pool.withConnection { connection in
                try await connection.relations(below: names)
            }
            failure.servers = Set((relations ?? []).compactMap(\.server)).sorted()
        }
        return failure
    }

    /// Runs `body`, which has several operations, and starts it again as long as an error of the
    /// database may pass.
    func repeating<T>(_ body: () async throws -> T) async throws -> T {
        var schedule = DatabaseRetrySchedule(giveUpAfter: retry?.giveUpAfter ?? .zero)
        while true {
            do {
                let value = try await body()
                retry?.succeeded(afterWaiting: schedule.hasFailed)
                return value
            } catch let failure as DatabaseError {
                try await wait(after: failure, &schedule)
            } catch {
                if schedule.hasFailed { retry?.waitEnded() }
                throw error
            }
        }
    }

    private func wait(
        after failure: DatabaseError, _ schedule: inout DatabaseRetrySchedule
    ) async throws(DatabaseError) {
        let isFirst = !schedule.hasFailed
        let isStopping = Task.isCancelled
        guard
            let delay = schedule.delay(
                after: failure, at: .now, since: retry?.since, isStopping: isStopping)
        else {
            if !isFirst { retry?.waitEnded() }
            throw failure
        }
        if isFirst { retry?.waitBegan() }
        if schedule.isWorthTelling(failure) { retry?.report(failure) }
        do {
            try await Task.sleep(for: delay)
        } catch {
            // Cancellation ends the wait early. One more attempt may still save the results.
        }
    }
}

extension PostgresSession {
    /// The job's own sessions.
    static var own: PostgresSession {
        PostgresSession(
            findProcess: PostgresStatement(SQL.findProcess),
            preparation: PostgresStatement(SQL.prepareSession),
            discard: PostgresStatement(SQL.discardSession))
    }
}

extension PostgresStatement {
    init(_ statement: Statement) {
        self.init(statement, filledIn: statement.text)
    }

    /// - Parameter text: the statement's text, in which a column list, say, was filled in.
    init(_ statement: Statement, filledIn text: String) {
        self.init(name: statement.name, text: text, isLong: statement.isLong)
    }
}
