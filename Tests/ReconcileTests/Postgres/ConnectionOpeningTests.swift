import SQL
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Opening a database connection")
struct ConnectionOpeningTests: DatabaseSuite {
    @Test(
        "A refused connection is reported by its SQLSTATE, or that nothing listens",
        .database(.nothing))
    func refusals() async throws {
        let role = "guarded_\(test.name)"
        try await execute(
            """
            do $$ begin create role needs_password nologin;
            exception when duplicate_object or unique_violation then null; end $$;
            create role \(role) login password 'right' in role needs_password;
            """)
        for (url, sqlState) in [
            (test.url(user: role, password: "hunter2"), "28P01"),
            (test.url(user: "nobody_at_all"), "28000"), (test.url + "_missing", "3D000"),
            ("postgresql://u:hunter2@127.0.0.1:1/x", nil),
        ] as [(String, String?)] {
            let error = try await postgresError { try await PostgresConnection().open(url) }
            #expect(error.sqlState == sqlState && error.isConnectionLost)
            #expect(sqlState != nil || error.message?.contains("Connection refused") == true)
            #expect(!String(reflecting: error).contains("hunter2"))
        }
        let connection = try await PostgresConnection.opened(
            test.url(user: role, password: "right"))
        await connection.close()
        try await execute("drop role \(role)")
    }

    @Test("The session's settings may take no longer than the connection timeout")
    func silentSession() async throws {
        let server = try TestDatabase.serverURL()
        let proxy = try FaultProxy(before: server)
        proxy.fallSilent(on: "set_config".utf8)
        proxy.cut(after: .seconds(10))
        let error = try await postgresError {
            try await PostgresConnection().open(
                proxy.url(server) + "?connect_timeout=1",
                session: PostgresStatement(SQL.prepareSession))
        }
        #expect(error.message == "no answer within 1.0 seconds" && error.isConnectionLost)
    }

    @Test("An error in the session's settings is reported")
    func badSession() async throws {
        let error = try await postgresError {
            try await PostgresConnection().open(
                try TestDatabase.serverURL(),
                session: .test("select set_config('no_such', 'x', false)"))
        }
        #expect(error.sqlState == "42704" && error.statement == "test")
    }

    @Test("Both key=value pairs and libpq's own defaults are accepted")
    func forms() async throws {
        let server = try TestDatabase.serverURL()
        let port = try #require(server.split(separator: ":").last?.split(separator: "/").first)
        let connection = try await PostgresConnection.opened(
            "host=127.0.0.1 port=\(port) user=postgres dbname=postgres")
        let application = try await connection.texts(
            "select current_setting('application_name') as value")
        #expect(application == ["reconcile-job"])
    }
}

@Suite("Database connection settings")
struct ConnectionSettingsTests {
    @Test(
        "The SQLSTATE is read from libpq's message in any language",
        arguments: [
            (
                "connection to server at \"h\", port 1 failed: FATAL:  28P01: no\nLOCATION:  x",
                "28P01"
            ),
            ("… failed: ВАЖНО:  3D000: база данных \"x\" не существует", "3D000"),
            ("a: FATAL:  57P03: starting\nb: FATAL:  28000: role", "28000"),
            ("could not connect: Connection refused", nil),
        ])
    func sqlState(text: String, expected: String?) {
        #expect(ConnectionSettings("").sqlState(in: text) == expected)
    }

    private static let noDatabase =
        "connection to \"host\" failed: FATAL:  3D000: database \"x\" does not exist"
    private static let noHost =
        "could not translate host name \"ter2@host\" to \"hunter2\"; address: Unknown"

    @Test(
        "libpq's message is on one line, without its place in the source and what may be secret",
        arguments: [
            ("postgresql://u:hun@ter2@host/db", noHost, withoutHost),
            ("host=h password=hunter2", noHost, withoutHost),
            ("postgress://u:hunter2@h", noHost, withoutHost),
            ("", noDatabase, withDatabase), ("dbname=x", noDatabase, withDatabase),
            ("postgresql://me@host/x", noDatabase, withDatabase),
            ("postgresql:///x?host=/tmp", noDatabase, withDatabase),
            (
                "postgresql://u:hunter2@host/x", noDatabase,
                "connection to ‹…› failed: FATAL: database ‹…› does not exist"
            ),
            ("postgresql://u:hun%22ter2@host/x", noDatabase, "connection to ‹…› does not exist"),
            ("dbname=d", noDatabase + "\nLOCATION:  InitPostgres", withDatabase),
            ("dbname=d", "refused\n\tIs it running?", "refused; Is it running?"),
        ])
    func message(conninfo: String, text: String, kept: String) {
        #expect(ConnectionSettings(conninfo).withoutSecrets(text) == kept)
    }

    private static let withoutHost = "could not translate host name ‹…› to ‹…›; address: Unknown"
    private static let withDatabase =
        "connection to \"host\" failed: FATAL: database \"x\" does not exist"

    @Test(
        "The connection timeout is the operator's, and ten seconds by default",
        arguments: [
            ("", 10), ("connect_timeout=3", 3), ("postgresql://h/d?connect_timeout=7", 7),
            ("connect_timeout=0", 3_600), ("justadatabase", 10),
        ])
    func timeout(conninfo: String, seconds: Int) {
        #expect(ConnectionSettings(conninfo).timeout == .seconds(seconds))
    }
}
