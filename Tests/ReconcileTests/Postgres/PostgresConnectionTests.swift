internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A database connection")
struct PostgresConnectionTests: DatabaseSuite {
    private let connection: PostgresConnection

    init() async throws { connection = try await .opened() }

    @Test("Parameters and arrays may hold any text", arguments: CopyBufferTests.naughty)
    func parameters(text: String) async throws {
        let back = try await connection.texts("select $1 as value", text)
        #expect(back.map { $0.map { Array($0.utf8) } } == [Array(text.utf8)])
        let elements = try await connection.texts(
            "select unnest($1::text[]) as value", PostgresArray.text([text, "x", text]))
        #expect(
            elements.map { $0.map { Array($0.utf8) } } == [text, "x", text].map { Array($0.utf8) })
    }

    @Test(
        "An error has its SQLSTATE, and never a parameter",
        arguments: [
            ("select $1::int", "22P02"), ("select 1 / length($1)::int * 0 / 0", "22012"),
            ("select $1::text from nowhere", "42P01"), ("select $1::jsonb", "22P02"),
            ("insert into pairs values ($1), ($1)", "23505"), ("selec $1::text", "42601"),
        ])
    func errors(sql: String, sqlState: String) async throws {
        try await connection.script("create temporary table pairs (body text primary key)")
        let error = try await postgresError { try await connection.texts(sql, "s3cret") }
        #expect(error.sqlState == sqlState && error.statement == "test")
        #expect(!error.isConnectionLost)
        #expect(!String(reflecting: error).contains("s3cret"))
        if sqlState == "23505" { #expect(error.constraint == "pairs_pkey") }
        // libpq would cut a parameter at a NUL.
        let nul = try await postgresError { try await connection.texts("select $1", "abc\0def") }
        #expect(nul.sqlState == "22021")
    }

    @Test("An error of COPY does not quote the refused row")
    func copyErrors() async throws {
        try await connection.script("create temporary table t (n int)")
        var buffer = CopyBuffer()
        for text in ["1", "s3cret"] {
            buffer.append(text)
            buffer.endRow()
        }
        let rows = buffer
        let error = try await postgresError {
            try await connection.copyIn(.test("copy t from stdin"), rows)
        }
        #expect(error.sqlState == "22P02")
        #expect(!String(reflecting: error).contains("s3cret"))
        #expect(try await connection.texts("select count(*) as value from t") == ["0"])
    }

    @Test("A lost server is noticed during a statement and before the next one")
    func lost() async throws {
        let error = try await postgresError {
            try await connection.texts("select pg_terminate_backend(pg_backend_pid()) as value")
        }
        #expect(error.isConnectionLost)
        #expect(await !connection.isUsable)
    }

    /// Many rounds: the request must not be lost when it overtakes the statement.
    @Test(
        "A statement can be cancelled from outside, once, and the next statement works",
        arguments: 1...30)
    func cancels(round: Int) async throws {
        let error = try await postgresError {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await connection.cancellable { () async throws(PostgresError) in
                        try await connection.execute(.test("select pg_sleep(600)"))
                    }
                }
                group.cancelAll()
                try await group.waitForAll()
            }
        }
        #expect(error.sqlState == "57014")
        _ = connection.canceller.nextTurn()
        try await connection.execute(.test("select 1"))
    }

    @Test("An error while a row is decoded is not taken for a connection without an answer")
    func failedReader() async throws {
        let turn = connection.canceller.nextTurn()
        _ = try await postgresError {
            try await connection.forEachRow(of: .test("select 1")) { _ throws(PostgresError) in
                throw .cancelled(statement: "reader")
            }
        }
        #expect(!connection.canceller.cancel(turn: turn))
    }

    private static let values = """
        timestamptz '2026-11-21 02:00:00.125+00' || ' ' || '\\x00ff'::bytea::text || ' ' ||
            0.1::float8 || ' ' || '\\n'
        """

    @Test(
        "Whatever is configured, values are printed alike and a COMMIT waits for the disk",
        .database(.nothing),
        arguments: [
            (
                [
                    "datestyle = 'German'", "timezone = 'Asia/Kathmandu'",
                    "bytea_output = 'escape'", "extra_float_digits = -5",
                    "standard_conforming_strings = off",
                ], values, "2026-11-21 02:00:00.125+00 \\x00ff 0.1 \\n"
            ),
            (["synchronous_commit = off"], "current_setting('synchronous_commit')", "on"),
            (["synchronous_commit = local"], "current_setting('synchronous_commit')", "local"),
            (
                ["synchronous_commit = remote_apply"], "current_setting('synchronous_commit')",
                "remote_apply"
            ),
        ])
    func settings(configured: [String], value: String, printed: String) async throws {
        for setting in configured {
            try await execute("alter database \(test.name) set \(setting)")
        }
        let texts = try await connect().session.pool.withConnection {
            connection async throws(PostgresError) in
            try await connection.texts("select \(value) as value")
        }
        #expect(texts == [printed])
    }

    /// Simulates a router that fails between a statement and the request to cancel it.
    @Test(
        "The connection is closed when the request to cancel its statement gets no answer",
        .database(.nothing))
    func silentCancel() async throws {
        let proxy = try FaultProxy(before: test.url)
        let connection = try await PostgresConnection.opened(proxy.url(test.url))
        // Source: PostgreSQL, Message Formats, CancelRequest.
        proxy.fallSilent(on: [0, 0, 0, 16, 0x04, 0xd2, 0x16, 0x2e])
        proxy.cut(after: .seconds(30))
        let statement = Task {
            try await connection.cancellable { () async throws(PostgresError) in
                try await connection.execute(.test("select pg_sleep(25)"))
            }
        }
        try await wait(
            until: """
                select count(*) from pg_stat_activity
                where datname = current_database() and wait_event = 'PgSleep'
                """)
        statement.cancel()
        let error = try await postgresError { try await statement.value }
        #expect(error.isConnectionLost)
    }

    @Test("The connection is closed when the discarded rest of a stream does not arrive")
    func silentRest() async throws {
        let server = try TestDatabase.serverURL()
        let proxy = try FaultProxy(before: server)
        let connection = try await PostgresConnection.opened(proxy.url(server))
        let rows = PostgresStatement.test("select generate_series(1, 100000000)")
        try await connection.startStream(rows)
        _ = try await connection.nextRows(of: rows, limit: 10) { _ in 0 }
        proxy.fallSilent()
        let isCut = Shared(false)
        let watch = Task {
            for _ in 0..<400 {
                try await Task.sleep(for: .milliseconds(50))
                connection.canceller.endIfSilent(
                    for: .milliseconds(100), longFor: .milliseconds(100), at: .now)
            }
            isCut.update { $0 = true }
            proxy.cut()
        }
        #expect(await !connection.isUsable)
        #expect(!isCut.current)
        watch.cancel()
    }
}
