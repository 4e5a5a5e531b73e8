import Foundation
import Testing

@testable import TestSupport

/// To add a case: copy a test, with the verbs in `Tests/README.md`.
@Suite("A pooler between the job and PostgreSQL", .hangLimit)
struct PoolerTests {
    /// Settings of a server's session that the job changes.
    private static let settings = """
        select current_setting('search_path') || current_setting('lock_timeout') as value
        """

    @Test(
        "Transaction and statement mode are refused with the remedy, and nothing is left behind",
        arguments: [PgBouncer.Mode.transaction, .statement],
        [["run", "--allow-writable-role"], ["migrate"], ["doctor"], ["runs"], ["check"]])
    func refuses(mode: PgBouncer.Mode, command: [String]) async throws {
        try await Session.with { session in
            let pooler = try PgBouncer(mode, before: session.test.url)
            let url = pooler.url(session.test.url)
            let before = try await pooler.answers(to: Self.settings, on: session.test.url)
            let words = command + ["--database=\(url)"]
            let job = try await session.start(words: words).finish()
                .exits(command == ["doctor"] ? 1 : 78)
            let text = job.output + job.error
            #expect(text.contains("pool_mode"))
            #expect(text.contains("\(mode) mode"))
            #expect(text.contains("Connect to PostgreSQL itself"))
            #expect(session.published == [])
            let after = try await pooler.answers(to: Self.settings, on: session.test.url)
            #expect(after == before)
            let locks = """
                select count(*)::text from pg_locks l join pg_database d on d.oid = l.database
                where locktype = 'advisory' and datname = current_database()
                """
            try await session.query(locks).returns("0")
        }
    }

    @Test("A pool whose connections are busy is recognised as well")
    func busy() async throws {
        try await Session.with { session in
            let pooler = try PgBouncer(.transaction, before: session.test.url, poolSize: 4)
            let url = pooler.url(session.test.url)
            try await pooler.busy(with: 3, on: session.test.url) {
                for _ in 0..<5 {
                    try await session.program("runs", "--database=\(url)").exits(78)
                        .says("pool_mode")
                }
            }
        }
    }

    @Test("One connection of a pool in session mode is enough for a short command")
    func narrow() async throws {
        try await Session.with { session in
            let pooler = try PgBouncer(.session, before: session.test.url, poolSize: 1)
            let url = pooler.url(session.test.url)
            try await session.program("runs", "--database=\(url)").exits()
        }
    }

    @Test(
        "A run works through a pool in session mode, and leaves no setting in the server's session",
        arguments: ["DISCARD ALL", "select 1"])
    func session(reset: String) async throws {
        try await Session.with { session in
            let pooler = try PgBouncer(
                .session, before: session.test.url, settings: ["server_reset_query = \(reset)"])
            let url = pooler.url(session.test.url)
            let before = try await pooler.answers(to: Self.settings, on: session.test.url)
            let flags = ["--database=\(url)", "--allow-writable-role", "--output=none"]
            try await session.run(flags).exits()
            let after = try await pooler.answers(to: Self.settings, on: session.test.url)
            #expect(after == before)
            try await session.run(flags + ["--new"]).exits()
        }
    }
}
