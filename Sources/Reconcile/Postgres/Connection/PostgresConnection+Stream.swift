internal import CPostgres

/// Results row by row, so that memory holds only a part.
extension PostgresConnection {
    /// Sends a statement whose rows `nextRows` then reads part by part. Running another statement
    /// ends the stream.
    func startStream(_ statement: PostgresStatement, _ parameters: [String?] = [])
        throws(PostgresError)
    {
        let isSent = try run(statement) { () throws(PostgresError) in
            let plan = try plan(of: statement)
            return try statement.withCStrings(parameters) { values in
                let count = Int32(values.count)
                let isSent =
                    if let plan {
                        PQsendQueryPrepared(handle, plan, count, values, nil, nil, 0)
                    } else {
                        PQsendQueryParams(
                            handle, text(of: statement), count, nil, values, nil, nil, 0)
                    }
                return isSent == 1 && PQsetSingleRowMode(handle) == 1
            }
        }
        guard isSent else { throw PostgresError(nil, of: handle, statement: statement) }
        isStreaming = true
    }

    /// The next rows of the stream, at most `limit`; empty at its end.
    func nextRows<T: Sendable>(
        of statement: PostgresStatement, limit: Int,
        decode: @Sendable (borrowing PostgresRow) throws -> T
    ) throws -> [T] {
        guard isStreaming else { return [] }
        guard canceller.begin(isLong: statement.isLong) else {
            throw PostgresError.cancelled(statement: statement.name)
        }
        defer { canceller.end() }
        var values: [T] = []
        // Each row of a stream is a separate result; all have the same columns.
        var known: PostgresColumns?
        while values.count < limit {
            guard let result = PQgetResult(handle) else {
                isStreaming = false
                break
            }
            defer { PQclear(result) }
            try expect(result, [PGRES_SINGLE_TUPLE, PGRES_TUPLES_OK], statement)
            let columns = known ?? PostgresColumns(result)
            known = columns
            try Self.append(result, columns, of: statement, to: &values, decode)
        }
        return values
    }

    /// Visits the rows of a statement with large columns one by one. libpq frees each row before
    /// the next, while `query` would keep all.
    /// - Parameter visit: returns false to end the statement; rows on the way are discarded.
    func forEachRow(
        of statement: PostgresStatement, _ parameters: [String?] = [],
        _ visit: (borrowing PostgresRow) throws -> Bool
    ) throws {
        try startStream(statement, parameters)
        guard canceller.begin(isLong: statement.isLong) else {
            throw PostgresError.cancelled(statement: statement.name)
        }
        defer { canceller.end() }
        var known: PostgresColumns?
        while let result = PQgetResult(handle) {
            defer { PQclear(result) }
            try expect(result, [PGRES_SINGLE_TUPLE, PGRES_TUPLES_OK], statement)
            let columns = known ?? PostgresColumns(result)
            known = columns
            for index in 0..<PQntuples(result) {
                let row = PostgresRow(
                    result, index: index, columns: columns, statement: statement.name)
                guard try visit(row) else { return abandonStream() }
            }
        }
        isStreaming = false
    }

    func abandonStream() {
        defer { isStreaming = false }
        // A lost connection needs no cancel request.
        guard PQstatus(handle) == CONNECTION_OK else { return }
        canceller.cancelNow()
        canceller.beginDraining()
        defer { canceller.end() }
        while let result = PQgetResult(handle) { PQclear(result) }
    }
}
