internal import SQL
internal import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a statement with its SQLSTATE; a column that is refused; a change that discards
/// prepared statements; or a message of libpq with the SQLSTATE in it.
@Suite("A database connection", .hangLimit)
struct PostgresConnectionTests: DatabaseSuite {
    private let connection: PostgresConnection
    init() async throws { connection = try await .opened() }

    @Test(
        "An error has its SQLSTATE, and never a parameter",
        arguments: [
            (sqlState: "22P02", sql: "select $1::int"),
            ("22012", "select 1 / length($1)::int * 0 / 0"),
            ("42P01", "select $1::text from nowhere"),
            ("22P02", "select $1::jsonb"),
            ("23505", "insert into pairs values ($1), ($1)"),
            ("42601", "selec $1::text"),
        ])
    func errors(sqlState: String, sql: String) async throws {
        try await connection.script("create temporary table pairs (body text primary key)")
        let error = try await postgresError { try await connection.texts(sql, "s3cret") }
        #expect(error.sqlState == sqlState)
        #expect(error.statement == "test")
        #expect(!error.isConnectionLost)
        #expect(!String(reflecting: error).contains("s3cret"))
        if sqlState == "23505" { #expect(error.constraint == "pairs_pkey") }
        // libpq would cut a parameter at a NUL.
        let nul = try await postgresError { try await connection.texts("select $1", "abc\0def") }
        #expect(nul.sqlState == "22021")
    }

    @Test("Each type is decoded, and so is null, in any order of the columns")
    func decodes() async throws {
        let sql = """
            select 'é' as text, 9223372036854775807 as most, -9223372036854775808 as least,
                true as yes, false as no, null as absent, n as use from generate_series(1, 2) n
            """
        let rows = try await connection.query(.test(sql)) { row in
            let numbers = try [row.int64("least"), row.int64("most"), row.int64("use")]
            #expect(try row.optionalText("absent") == nil)
            #expect(try row.optionalInt("absent") == nil)
            #expect(try row.optionalBytes("absent") == nil)
            #expect(try row.bool("yes"))
            #expect(try !row.bool("no"))
            return try "\(row.text("text")) \(row.bytes("text")) \(numbers)"
        }
        let known = "é [195, 169] [-9223372036854775808, 9223372036854775807, "
        #expect(rows == [known + "1]", known + "2]"])
    }

    @Test(
        "A missing column, and a value that is null or of another type, is refused by its name",
        arguments: [
            "9223372036854775808 as user", "'-' as user", "'' as user", "1.5 as user",
            "'x' as user", "null as user", "1 as user_id, 2 as use",
        ])
    func refuses(columns: String) async throws {
        let error = try await postgresError {
            try await connection.query(.test("select " + columns)) { try $0.int64("user") }
        }
        #expect(error == .undecodable(column: "user", statement: "test"))
        #expect(error.message == "column user is missing or not of the expected type")
        let asText = try await postgresError {
            try await connection.query(.test("select null as user")) { try $0.text("user") }
        }
        #expect(asText == error)
    }

    @Test(
        "Repeated statements are prepared, and again when discarded, or when types have changed",
        arguments: [
            (change: "deallocate all", result: "1"),
            ("drop view pg_temp.v; create temporary view v as select 'a' as value", "a"),
        ])
    func plans(change: String, result: String) async throws {
        let often = ["select $1::int + 1 as value", "select value from pg_temp.v"]
        func expect(_ value: String) async throws {
            for number in 1...3 {
                #expect(try await connection.texts(often[0], "\(number)") == ["\(number + 1)"])
                #expect(try await connection.texts(often[1]) == [value])
            }
        }
        try await connection.script("create temporary view v as select 1 as value")
        try await expect("1")
        let planned = "select statement as value from pg_prepared_statements order by statement"
        #expect(try await connection.texts(planned) == often)
        try await connection.script(change)
        let error = try await postgresError { try await connection.texts(often[1]) }
        #expect(DatabaseError(error).isConflict)
        try await expect(result)
    }

    @Test("An error while a row is decoded is not taken for a connection without an answer")
    func failedReader() async throws {
        let use = connection.canceller.beginUse()
        let error = PostgresError.cancelled(statement: "reader")
        _ = try await postgresError {
            try await connection.forEachRow(of: .test("select 1")) { _ in throw error }
        }
        #expect(!connection.canceller.cancel(use: use))
    }

    @Test(
        "Whatever is configured, values are printed alike and a COMMIT waits for the disk",
        .database(.nothing), arguments: ["off", "local", "remote_apply"])
    func settings(commit: String) async throws {
        for setting in [
            "datestyle = German", "timezone = 'Asia/Kathmandu'", "bytea_output = escape",
            "extra_float_digits = -5", "standard_conforming_strings = off",
            "synchronous_commit = \(commit)",
        ] { try await execute("alter database \(test.name) set \(setting)") }
        let sql = #"""
            select unnest(array[
                text(timestamptz '2026-11-21 02:00:00.125+00'), text('\x00ff'::bytea),
                text(0.1::float8), '\n', current_setting('synchronous_commit')]) as value
            """#
        let texts = try await connect().session.pool.withConnection { try await $0.texts(sql) }
        let kept = commit == "off" ? "on" : commit
        #expect(texts == ["2026-11-21 02:00:00.125+00", #"\x00ff"#, "0.1", #"\n"#, kept])
    }

    /// Simulates a router that fails between a statement and the request to cancel it.
    @Test("A connection whose cancel request gets no answer is closed", .database(.nothing))
    func silentCancel() async throws {
        let proxy = try FaultProxy(before: test.url)
        let connection = try await PostgresConnection.opened(proxy.url(test.url))
        // Source: PostgreSQL, Message Formats, CancelRequest.
        proxy.before([0, 0, 0, 16, 0x04, 0xd2, 0x16, 0x2e]) { $0.fallSilent() }
        try await connection.script("select pg_advisory_lock(1)")
        let sleep = "select pg_advisory_unlock(1), pg_sleep(600)"
        let statement = Task {
            try await connection.cancellable { try await connection.script(sleep) }
        }
        // Waits until the statement runs.
        try await execute("select pg_advisory_lock(1)")
        statement.cancel()
        #expect(try await postgresError { try await statement.value }.isConnectionLost)
    }

    @Test("A connection whose abandoned stream falls silent is closed")
    func silentRest() async throws {
        let server = try TestDatabase.serverURL()
        let proxy = try FaultProxy(before: server)
        let connection = try await PostgresConnection.opened(proxy.url(server))
        let rows = PostgresStatement.test("select generate_series(1, 100000000)")
        try await connection.startStream(rows)
        _ = try await connection.nextRows(of: rows, limit: 10) { _ in 0 }
        proxy.fallSilent()
        let watch = SilenceWatch(limit: .zero)
        watch.watch(connection.canceller)
        #expect(await !connection.isUsable)
        withExtendedLifetime(watch) {}
    }

    @Test("A connection opens by any form of address, but not with wrong or too slow settings")
    func session() async throws {
        let server = try TestDatabase.serverURL()
        // Key=value pairs and libpq's own defaults are accepted, too.
        let port = try #require(server.firstMatch(of: /:(\d+)\//)).1
        let connection = try await PostgresConnection.opened(
            "host=127.0.0.1 port=\(port) user=postgres dbname=postgres")
        let application = "select current_setting('application_name') as value"
        #expect(try await connection.texts(application) == ["reconcile-job"])
        func error(
            at url: String, _ preparation: PostgresStatement
        ) async throws -> PostgresError {
            let session = PostgresSession(
                findProcess: PostgresStatement(SQL.findProcess), preparation: preparation,
                discard: PostgresStatement(SQL.discardSession))
            return try await postgresError {
                try await PostgresConnection().open(url, session: session)
            }
        }
        let mistake = PostgresStatement.test("select set_config('no_such', 'x', false)")
        let wrong = try await error(at: server, mistake)
        #expect(wrong.sqlState == "42704")
        #expect(wrong.statement == "test")
        let proxy = try FaultProxy(before: server)
        proxy.before("set_config".utf8) { $0.fallSilent() }
        let url = proxy.url(server) + "?connect_timeout=5"
        let silent = try await error(at: url, PostgresStatement(SQL.prepareSession))
        #expect(silent.message == "no answer within 5.0 seconds")
        #expect(silent.isConnectionLost)
    }

    @Test("libpq's message gives the SQLSTATE in any language, and one line without secrets")
    func message() {
        for (text, sqlState) in [
            ("connection to server at \"h\" failed: FATAL:  28P01: no\nLOCATION:  x", "28P01"),
            ("… failed: ВАЖНО:  3D000: база данных \"x\" не существует", "3D000"),
            ("a: FATAL:  57P03: starting\nb: FATAL:  28000: role", "28000"),
            ("could not connect: Connection refused", nil),
        ] { #expect(ConnectionSettings("").sqlState(in: text) == sqlState) }
        func kept(_ text: String, _ conninfo: String) -> String? {
            ConnectionSettings(conninfo).withoutSecrets(text)
        }
        let host = #"could not translate host name "ter2@host" to "hunter2"; address: Unknown"#
        let hidden = "could not translate host name ‹…› to ‹…›; address: Unknown"
        for conninfo in [
            "postgresql://u:hun@ter2@host/db", "host=h password=hunter2", "postgress://u:hunter2@h",
        ] { #expect(kept(host, conninfo) == hidden) }
        let database = #"connection to "host" failed: FATAL:  3D000: database "x" does not exist"#
        let shown = #"connection to "host" failed: FATAL: database "x" does not exist"#
        for conninfo in ["", "dbname=x", "postgresql://me@host/x", "postgresql:///x?host=/tmp"] {
            #expect(kept(database, conninfo) == shown)
        }
        #expect(kept(database + "\nLOCATION:  InitPostgres", "dbname=d") == shown)
        let unnamed = "connection to ‹…› failed: FATAL: database ‹…› does not exist"
        #expect(kept(database, "postgresql://u:hunter2@host/x") == unnamed)
        #expect(kept(database, "postgresql://u:h%22@host/x") == "connection to ‹…› does not exist")
        #expect(kept("refused\n\tIs it running?", "dbname=d") == "refused; Is it running?")
        // The connection timeout is the operator's, and ten seconds by default.
        for (conninfo, seconds) in [
            ("", 10), ("connect_timeout=3", 3), ("postgresql://h/d?connect_timeout=7", 7),
            ("connect_timeout=0", 3_600), ("justadatabase", 10),
        ] { #expect(ConnectionSettings(conninfo).timeout == .seconds(seconds)) }
    }
}
