internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A database connection")
struct PostgresConnectionTests {
    @Test("Parameters and arrays may hold any text", arguments: CopyBufferTests.naughty)
    func parameters(text: String) async throws {
        try await withConnection { connection in
            let back = try await connection.query(.test("select $1 as value"), [text]) {
                row throws(PostgresError) in try row.optionalBytes("value")
            }
            #expect(back == [Array(text.utf8)])
            let elements = try await connection.query(
                .test("select unnest($1::text[]) as value"),
                [PostgresArray.text([text, "x", text])]
            ) { row throws(PostgresError) in try row.optionalBytes("value") }
            #expect(elements == [Array(text.utf8), Array("x".utf8), Array(text.utf8)])
        }
    }

    @Test("A parameter with a NUL, where libpq would cut it, is refused")
    func nul() async throws {
        try await withConnection { connection in
            let error = await #expect(throws: PostgresError.self) {
                try await connection.query(.test("select $1"), ["abc\0def"]) { _ in }
            }
            #expect(error?.sqlState == "22021")
        }
    }

    @Test(
        "An error has its SQLSTATE, and never a parameter",
        arguments: [
            ("select $1::int", "22P02"), ("select 1 / length($1)::int * 0 / 0", "22012"),
            ("select $1::text from nowhere", "42P01"), ("select $1::jsonb", "22P02"),
            ("insert into pairs values ($1), ($1)", "23505"), ("selec $1::text", "42601"),
        ])
    func errors(sql: String, sqlState: String) async throws {
        try await withConnection { connection in
            try await connection.executeScript(
                .test("create temporary table pairs (body text primary key)"))
            let error = await #expect(throws: PostgresError.self) {
                try await connection.query(.test(sql), ["s3cret"]) { _ in }
            }
            #expect(error?.sqlState == sqlState)
            #expect(error?.statement == "test")
            #expect(error?.isConnectionLost == false)
            #expect(!String(reflecting: error).contains("s3cret"))
            if sqlState == "23505" { #expect(error?.constraint == "pairs_pkey") }
        }
    }

    @Test("An error of COPY does not quote the refused row")
    func copyErrors() async throws {
        try await withConnection { connection in
            try await connection.executeScript(.test("create temporary table t (n int)"))
            var buffer = CopyBuffer()
            for text in ["1", "s3cret"] {
                buffer.append(text)
                buffer.endRow()
            }
            let rows = buffer
            let error = await #expect(throws: PostgresError.self) {
                try await connection.copyIn(.test("copy t from stdin"), rows)
            }
            #expect(error?.sqlState == "22P02")
            #expect(!String(reflecting: error).contains("s3cret"))
            let count = try await connection.query(.test("select count(*) from t")) {
                row throws(PostgresError) in try row.int("count")
            }
            #expect(count == [0])
        }
    }

    @Test("A lost server is noticed during a statement and before the next one")
    func lost() async throws {
        try await withConnection { connection in
            let pid = try await connection.query(.test("select pg_backend_pid() as pid")) {
                row throws(PostgresError) in try row.text("pid")
            }
            let error = await #expect(throws: PostgresError.self) {
                try await connection.query(
                    .test("select pg_terminate_backend($1::int)"), pid
                ) { _ in }
            }
            #expect(error?.isConnectionLost == true)
            #expect(await !connection.isUsable)
        }
    }

    /// Many rounds: the request must not be lost when it overtakes the statement.
    @Test(
        "A statement can be cancelled from outside, once, and the next statement works",
        arguments: 1...30)
    func cancels(round: Int) async throws {
        try await withConnection { connection in
            let error = await #expect(throws: PostgresError.self) {
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
            #expect(error?.sqlState == "57014")
            _ = connection.canceller.nextTurn()
            try await connection.execute(.test("select 1"))
        }
    }

    @Test("An error while a row is decoded is not taken for a connection without an answer")
    func failedReader() async throws {
        try await withConnection { connection in
            let turn = connection.canceller.nextTurn()
            await #expect(throws: PostgresError.self) {
                try await connection.forEachRow(of: .test("select 1")) {
                    _ throws(PostgresError) in
                    throw .cancelled(statement: "reader")
                }
            }
            #expect(!connection.canceller.cancel(turn: turn))
        }
    }

    @Test("Values are printed the same under any configuration of the role")
    func settings() async throws {
        try await TestDatabase.with(.nothing) { test in
            try await test.execute(
                """
                alter database \(test.name) set datestyle = 'German';
                alter database \(test.name) set timezone = 'Asia/Kathmandu';
                alter database \(test.name) set bytea_output = 'escape';
                alter database \(test.name) set extra_float_digits = -5;
                alter database \(test.name) set standard_conforming_strings = off;
                """)
            let database = try await Database.connect(test.url, connections: 1)
            let printed = try await database.session.pool.withConnection {
                connection async throws(PostgresError) in
                try await connection.query(
                    .test(
                        """
                        select timestamptz '2026-11-21 02:00:00.125+00' || ' ' ||
                            '\\x00ff'::bytea::text || ' ' || 0.1::float8 || ' ' || '\\n' as printed
                        """)
                ) { row throws(PostgresError) in try row.text("printed") }
            }
            #expect(printed == ["2026-11-21 02:00:00.125+00 \\x00ff 0.1 \\n"])
            await database.close()
        }
    }

    @Test(
        "A COMMIT always waits for the disk, and for more if so configured",
        arguments: [("off", "on"), ("local", "local"), ("remote_apply", "remote_apply")])
    func commits(configured: String, used: String) async throws {
        try await TestDatabase.with(.nothing) { test in
            try await test.execute(
                "alter database \(test.name) set synchronous_commit = '\(configured)'")
            let database = try await Database.connect(test.url, connections: 1)
            let setting = try await database.session.pool.withConnection {
                connection async throws(PostgresError) in
                try await connection.query(.test("show synchronous_commit")) {
                    row throws(PostgresError) in try row.text("synchronous_commit")
                }
            }
            #expect(setting == [used])
            await database.close()
        }
    }

    /// Simulates a router that fails between a statement and the request to cancel it.
    @Test("The connection is closed when the request to cancel its statement gets no answer")
    func silentCancel() async throws {
        try await TestDatabase.with(.nothing) { test in
            let proxy = try FaultProxy(before: test.url)
            let connection = PostgresConnection()
            try await connection.open(proxy.url(test.url))
            proxy.fallSilent(on: Self.cancelRequest)
            let end = Task {
                try await Task.sleep(for: .seconds(30))
                proxy.cut()
            }
            let statement = Task {
                try await connection.cancellable { () async throws(PostgresError) in
                    try await connection.execute(.test("select pg_sleep(25)"))
                }
            }
            let isAsleep = """
                select count(*) from pg_stat_activity
                where datname = current_database() and wait_event = 'PgSleep'
                """
            while try await test.texts(isAsleep) != ["1"] {}
            statement.cancel()
            let error = await #expect(throws: PostgresError.self) { try await statement.value }
            #expect(error?.isConnectionLost == true)
            end.cancel()
        }
    }

    @Test("The connection is closed when the discarded rest of a stream does not arrive")
    func silentRest() async throws {
        let server = try TestDatabase.serverURL()
        let proxy = try FaultProxy(before: server)
        let connection = PostgresConnection()
        try await connection.open(proxy.url(server))
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
        await connection.close()
    }

    /// Source: PostgreSQL, Message Formats, CancelRequest.
    private static let cancelRequest: [UInt8] = [0, 0, 0, 16, 0x04, 0xd2, 0x16, 0x2e]
}

extension PostgresStatement {
    static func test(_ text: String) -> PostgresStatement {
        PostgresStatement(name: "test", text: text)
    }
}

func withConnection(_ body: (PostgresConnection) async throws -> Void) async throws {
    let connection = PostgresConnection()
    try await connection.open(try TestDatabase.serverURL())
    try await body(connection)
    await connection.close()
}
