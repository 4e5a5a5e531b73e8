import SQL
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Opening a database connection")
struct ConnectionOpeningTests {
    @Test("A refused connection is reported by its SQLSTATE")
    func refusals() async throws {
        try await TestDatabase.with(.nothing) { test in
            let role = "guarded_\(test.name)"
            try await test.execute(
                """
                do $$ begin create role needs_password nologin;
                exception when duplicate_object or unique_violation then null; end $$;
                create role \(role) login password 'right' in role needs_password;
                """)
            let cases = [
                (test.url(user: role, password: "hunter2"), "28P01"),
                (test.url(user: "nobody_at_all"), "28000"),
                (test.url + "_missing", "3D000"),
            ]
            for (url, sqlState) in cases {
                let error = await #expect(throws: PostgresError.self) {
                    try await PostgresConnection().open(url)
                }
                #expect(error?.sqlState == sqlState)
                #expect(error?.isConnectionLost == true)
                #expect(!String(reflecting: error).contains("hunter2"))
            }
            let connection = PostgresConnection()
            try await connection.open(test.url(user: role, password: "right"))
            await connection.close()
            try await test.execute("drop role \(role)")
        }
    }

    @Test("A server where nothing listens is reported")
    func nobody() async throws {
        let error = await #expect(throws: PostgresError.self) {
            try await PostgresConnection().open("postgresql://u:hunter2@127.0.0.1:1/x")
        }
        #expect(error?.sqlState == nil)
        #expect(error?.message?.contains("Connection refused") == true)
        #expect(!String(reflecting: error).contains("hunter2"))
    }

    @Test("The session's settings may take no longer than the connection timeout")
    func silentSession() async throws {
        let server = try TestDatabase.serverURL()
        let proxy = try FaultProxy(before: server)
        proxy.fallSilent(on: "set_config".utf8)
        let end = Task {
            try await Task.sleep(for: .seconds(10))
            proxy.cut()
        }
        let error = await #expect(throws: PostgresError.self) {
            try await PostgresConnection().open(
                proxy.url(server) + "?connect_timeout=1",
                session: PostgresStatement(SQL.prepareSession))
        }
        #expect(error?.message == "no answer within 1.0 seconds")
        #expect(error?.isConnectionLost == true)
        end.cancel()
    }

    @Test("An error in the session's settings is reported")
    func badSession() async throws {
        let server = try TestDatabase.serverURL()
        let error = await #expect(throws: PostgresError.self) {
            try await PostgresConnection().open(
                server, session: .test("select set_config('no_such', 'x', false)"))
        }
        #expect(error?.sqlState == "42704")
        #expect(error?.statement == "test")
    }

    @Test("Both key=value pairs and libpq's own defaults are accepted")
    func forms() async throws {
        let server = try TestDatabase.serverURL()
        let port = try #require(server.split(separator: ":").last?.split(separator: "/").first)
        let connection = PostgresConnection()
        try await connection.open("host=127.0.0.1 port=\(port) user=postgres dbname=postgres")
        let application = try await connection.query(
            .test("select current_setting('application_name') as name")
        ) { row throws(PostgresError) in try row.optionalText("name") }
        #expect(application == ["reconcile-job"])
        await connection.close()
    }
}
