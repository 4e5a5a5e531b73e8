internal import SQL

/// What all stores share: the connections, the run lock, and how failed statements are retried.
struct DatabaseSession: Sendable {
    /// Decodes one row: columns by the names that the statement gives them.
    typealias Decode<T> = @Sendable (borrowing PostgresRow) throws(PostgresError) -> T

    let pool: PostgresPool
    let runLock: RunLock
    let silence: SilenceWatch
    /// Nil: nothing is retried.
    var retry: DatabaseRetry?
    /// Optional views that the team has not made: they count as empty.
    var missingViews: Set<String> = []

    /// Rows of the team's views.
    func read<T: Sendable>(
        _ statement: Statement, _ parameters: [String?] = [], decode: Decode<T>
    ) async throws(DatabaseError) -> [T] {
        try await retrying(touching: .views(readBy: [statement])) {
            () async throws(PostgresError) in
            try await pool.withCancellableConnection {
                connection async throws(PostgresError) in
                try await connection.query(
                    PostgresStatement(statement), parameters, decode: decode)
            }
        }
    }

    /// Rows of the job's own tables, read or written by one statement.
    func query<T: Sendable>(
        _ statement: Statement, _ parameters: [String?] = [], decode: Decode<T>
    ) async throws(DatabaseError) -> [T] {
        try await retrying(touching: .tables) { () async throws(PostgresError) in
            try await pool.withConnection { connection async throws(PostgresError) in
                try await connection.query(
                    PostgresStatement(statement), parameters, decode: decode)
            }
        }
    }

    /// A statement on the job's own tables whose rows are not read.
    func execute(
        _ statement: Statement, _ parameters: [String?] = []
    ) async throws(DatabaseError) {
        _ = try await query(statement, parameters) { _ in }
    }

    /// A large result of the job's own tables, on a connection of its own.
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

    /// Several statements on the job's own tables, all of them or none; never retried.
    func transaction<T: Sendable>(
        _ body: (PostgresConnection) async throws(PostgresError) -> T
    ) async throws(DatabaseError) -> T {
        do throws(PostgresError) {
            return try await pool.transaction(body)
        } catch {
            throw DatabaseError(error, touching: .tables)
        }
    }

}

// MARK: Retrying

extension DatabaseSession {
    /// Does `operation` until it succeeds or its failure is not to be retried any more.
    func retrying<T: Sendable>(
        touching side: DatabaseError.Side,
        _ operation: () async throws(PostgresError) -> T
    ) async throws(DatabaseError) -> T {
        var schedule = DatabaseRetrySchedule(giveUpAfter: retry?.giveUpAfter ?? .zero)
        while true {
            let failure: DatabaseError
            do throws(PostgresError) {
                let value = try await operation()
                retry?.succeeded(afterWaiting: schedule.hasFailed)
                return value
            } catch {
                failure = DatabaseError(await locating(error, in: side), touching: side)
            }
            try await wait(after: failure, &schedule)
        }
    }

    /// The same error with the column whose values bring it about, where a view has one.
    private func locating(
        _ error: PostgresError, in side: DatabaseError.Side
    ) async -> PostgresError {
        guard case .views = side, DatabaseError(error, touching: side).isSourceData else {
            return error
        }
        do throws(PostgresError) {
            try await pool.withConnection { connection async throws(PostgresError) in
                try await connection.execute(PostgresStatement(SQL.findFailingColumn))
            }
            return error
        } catch let found {
            guard found.sqlState == error.sqlState else { return error }
            var located = error
            located.column = found.column
            return located
        }
    }

    /// The same for what is more than a statement and is begun anew.
    func retrying<T>(_ body: () async throws -> T) async throws -> T {
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

    /// Waits before the next attempt; throws `failure` when there will be none.
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
        if isFirst { retry?.waitBegan(for: failure) }
        do {
            try await Task.sleep(for: delay)
        } catch {
            // A stop cuts the wait short; what is known is worth one more attempt.
        }
    }
}

extension PostgresStatement {
    init(_ statement: Statement) {
        self.init(name: statement.name, text: statement.text, isLong: statement.isLong)
    }
}
