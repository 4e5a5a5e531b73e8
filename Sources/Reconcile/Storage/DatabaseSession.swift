internal import SQL

struct DatabaseSession: Sendable {
    /// Decodes one row by the statement's column names.
    typealias Decode<T> = @Sendable (borrowing PostgresRow) throws -> T

    let pool: PostgresPool
    let runLock: RunLock
    let silence: SilenceWatch
    var retry: DatabaseRetry?
    var missingViews: Set<String> = []

    func read<T: Sendable>(
        _ statement: Statement, _ parameters: [String?] = [], decode: Decode<T>
    ) async throws(DatabaseError) -> [T] {
        try await retrying(touching: .views(readBy: [statement])) {
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
        try await retrying(touching: .tables) {
            try await pool.withConnection { connection in
                try await connection.query(
                    PostgresStatement(statement), parameters, decode: decode)
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

    /// Runs several statements on the job's own tables in one transaction. Never retried.
    func transaction<T: Sendable>(
        _ body: (PostgresConnection) async throws -> T
    ) async throws(DatabaseError) -> T {
        do {
            return try await pool.transaction(body)
        } catch {
            throw DatabaseError(error, touching: .tables)
        }
    }

}

// MARK: Retrying

extension DatabaseSession {
    func retrying<T: Sendable>(
        touching side: DatabaseError.Side,
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
                failure = DatabaseError(await locating(error, in: side), touching: side)
            }
            try await wait(after: failure, &schedule)
        }
    }

    /// Adds the view and column that cause the error, if they can be found.
    private func locating(
        _ error: any Error, in side: DatabaseError.Side
    ) async -> any Error {
        guard var failure = error as? PostgresError, case .views = side,
            DatabaseError(failure, touching: side).isSourceData
        else { return error }
        do {
            try await pool.withConnection { connection in
                try await connection.execute(PostgresStatement(SQL.findFailingColumn))
            }
        } catch let found as PostgresError where found.sqlState == failure.sqlState {
            failure.column = found.column
        } catch {
            // The search failed for another reason, which says nothing about the view.
        }
        return failure
    }

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
            // Cancellation ends the wait early. One more attempt may still save the results.
        }
    }
}

extension PostgresStatement {
    init(_ statement: Statement) {
        self.init(name: statement.name, text: statement.text, isLong: statement.isLong)
    }
}
