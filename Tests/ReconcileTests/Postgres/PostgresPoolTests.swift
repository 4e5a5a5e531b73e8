internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The connection pool")
struct PostgresPoolTests: DatabaseSuite {
    @Test("The pool never lends more connections than its limit, and serves every task")
    func limit() async throws {
        let pool = try pool(limit: 2)
        let inside = Shared(0)
        let seen = Shared<[Int]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    try await pool.withConnection { connection async throws(PostgresError) in
                        let count = inside.update { $0 += 1 }
                        seen.update { $0.append(count) }
                        try await connection.execute(.test("select 1"))
                        inside.update { $0 -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(seen.current.count == 40)
        #expect(seen.current.allSatisfy { $0 <= 2 })
    }

    @Test("A working connection is kept, and one that the server closed while idle is replaced")
    func replaces() async throws {
        for limit in [1, 2] {
            let pool = try pool(limit: limit)
            let first = try await process(pool)
            #expect(try await process(pool) == first)
            try await TestDatabase.onServer("select pg_terminate_backend(\(first), 5000)")
            #expect(try await process(pool) != first)
        }
    }

    @Test("When a connection cannot be opened the next waiting task may try")
    func failsToOpen() async throws {
        let pool = PostgresPool("postgresql://u@127.0.0.1:1/x", limit: 1)
        for _ in 0..<3 {
            await #expect(throws: PostgresError.self) { try await pool.withConnection { _ in } }
        }
    }

    @Test(
        "A transaction that throws is rolled back, and its connection is lent again",
        .database(.nothing))
    func transactions() async throws {
        let pool = PostgresPool(test.url, limit: 1)
        try await execute("create table t (n int primary key)")
        func insert(_ numbers: Int...) async throws {
            try await pool.transaction { connection async throws(PostgresError) in
                for number in numbers {
                    try await connection.execute(.test("insert into t values (\(number))"))
                }
            }
        }
        try await insert(1)
        await #expect(throws: PostgresError.self) { try await insert(2, 1) }
        try await insert(3)
        #expect(try await texts("select n::text from t order by n") == ["1", "3"])
    }

    @Test("A cancelled task ends its read, and can still write")
    func cancellation() async throws {
        let pool = try pool(limit: 1)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                let error = await #expect(throws: PostgresError.self) {
                    try await pool.withCancellableConnection {
                        connection async throws(PostgresError) in
                        try await connection.execute(.test("select pg_sleep(600)"))
                    }
                }
                #expect(error?.sqlState == "57014")
                await #expect(throws: Never.self) {
                    try await pool.transaction { connection async throws(PostgresError) in
                        try await connection.execute(.test("select 1"))
                    }
                }
            }
            group.cancelAll()
        }
    }

    private func pool(limit: Int) throws -> PostgresPool {
        PostgresPool(try TestDatabase.serverURL(), limit: limit)
    }

    private func process(_ pool: PostgresPool) async throws -> String {
        let processes = try await pool.withConnection { connection async throws(PostgresError) in
            try await connection.texts("select pg_backend_pid()::text as value")
        }
        return try #require(processes.first ?? nil)
    }
}
