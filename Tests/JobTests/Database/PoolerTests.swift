import Foundation
import Testing

@testable import TestSupport

@Suite("A pooler between the job and PostgreSQL", .timeLimit(.minutes(10)))
struct PoolerTests {
    /// A setting of the server's sessions that the job changes, and its advisory locks.
    private static let left = "select current_setting('search_path') || current_setting('jit')"

    @Test(
        "Transaction and statement mode are refused with the remedy, and nothing is left behind",
        arguments: [PgBouncer.Mode.transaction, .statement],
        ["run --allow-writable-role", "migrate", "doctor", "runs", "check"])
    func refuses(mode: PgBouncer.Mode, command: String) async throws {
        try await NightScene.with { scene in
            let pooler = try PgBouncer(mode, before: scene.test.url)
            let url = pooler.url(scene.test.url)
            let before = try await settings(url)
            let job = try await scene.steps(
                "reconcile-job \(command) --database=\(url) | \(command == "doctor" ? 1 : 78)")
            let text = job.output + job.error
            #expect(text.contains("pool_mode"))
            #expect(text.contains("\(mode) mode"))
            #expect(text.contains("Connect to PostgreSQL itself"))
            #expect(scene.published == [])
            #expect(try await settings(url) == before)
            let locks = """
                select count(*)::text from pg_locks l join pg_database d on d.oid = l.database
                where locktype = 'advisory' and datname = current_database()
                """
            #expect(try await scene.test.texts(locks) == ["0"])
        }
    }

    @Test("A pool whose connections are busy is recognised as well")
    func busy() async throws {
        try await NightScene.with { scene in
            let pooler = try PgBouncer(.transaction, before: scene.test.url, poolSize: 4)
            let url = pooler.url(scene.test.url)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        let other = try await PostgresConnection.opened(url)
                        while !Task.isCancelled { try await other.script("select pg_sleep(0.001)") }
                    }
                }
                for _ in 0..<5 {
                    let job = try await JobProcess("reconcile-job runs --database=\(url)")
                    job.ends(78, "pool_mode")
                }
                group.cancelAll()
            }
        }
    }

    @Test(
        "A run works through a pool in session mode, and leaves no setting in the server's session",
        arguments: ["DISCARD ALL", "select 1"])
    func session(reset: String) async throws {
        try await NightScene.with { scene in
            let pooler = try PgBouncer(
                .session, before: scene.test.url, settings: ["server_reset_query = \(reset)"])
            let url = pooler.url(scene.test.url)
            let before = try await settings(url)
            let flags = "--database=\(url) --allow-writable-role --output=none"
            try await scene.steps("run \(flags) | 0")
            #expect(try await settings(url) == before)
            try await scene.steps("run \(flags) --new | 0")
        }
    }

    /// Of several connections of the pool, one after the other.
    private func settings(_ url: String) async throws -> Set<String?> {
        var found: Set<String?> = []
        var open: [PostgresConnection] = []
        for _ in 0..<5 {
            let connection = try await PostgresConnection.opened(url)
            found.formUnion(try await connection.texts(Self.left + " as value"))
            open.append(connection)
        }
        for connection in open { await connection.close() }
        return found
    }
}
