internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The connection pool")
struct PostgresPoolTests {
    @Test("The pool never lends more connections than its limit, and serves every task")
    func limit() async throws {
        let pool = PostgresPool(try TestDatabase.serverURL(), limit: 2)
        let gauge = Gauge()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    try await pool.withConnection { connection async throws(PostgresError) in
                        await gauge.enter()
                        try await connection.execute(.test("select 1"))
                        await gauge.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(await gauge.most <= 2)
        #expect(await gauge.entered == 40)
        await pool.close()
    }

    @Test("A connection that the server closed while it was idle is replaced")
    func replaces() async throws {
        let pool = PostgresPool(try TestDatabase.serverURL(), limit: 1)
        let first = try await process(pool)
        try await TestDatabase.onServer("select pg_terminate_backend(\(first), 5000)")
        #expect(try await process(pool) != first)
        await pool.close()
    }

    @Test("A working connection is kept")
    func keeps() async throws {
        let pool = PostgresPool(try TestDatabase.serverURL(), limit: 2)
        let first = try await process(pool)
        #expect(try await process(pool) == first)
        await pool.close()
    }

    @Test("When a connection cannot be opened the next waiting task may try")
    func failsToOpen() async throws {
        let pool = PostgresPool("postgresql://u@127.0.0.1:1/x", limit: 1)
        for _ in 0..<3 {
            await #expect(throws: PostgresError.self) { try await pool.withConnection { _ in } }
        }
    }

    @Test("A transaction that throws is rolled back, and its connection is lent again")
    func transactions() async throws {
        try await TestDatabase.with(.nothing) { test in
            let pool = PostgresPool(test.url, limit: 1)
            try await test.execute("create table t (n int primary key)")
            let insert = PostgresStatement.test("insert into t values (1)")
            try await pool.transaction { connection async throws(PostgresError) in
                try await connection.execute(insert)
            }
            await #expect(throws: PostgresError.self) {
                try await pool.transaction { connection async throws(PostgresError) in
                    try await connection.execute(.test("insert into t values (2)"))
                    try await connection.execute(insert)
                }
            }
            #expect(try await test.texts("select n::text from t") == ["1"])
            await pool.close()
        }
    }

    @Test("A cancelled task ends its read, and can still write")
    func cancellation() async throws {
        let pool = PostgresPool(try TestDatabase.serverURL(), limit: 1)
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
        await pool.close()
    }

    private func process(_ pool: PostgresPool) async throws -> Int {
        try await pool.withConnection { connection async throws(PostgresError) in
            try await connection.query(.test("select pg_backend_pid() as pid")) {
                row throws(PostgresError) in try row.int("pid")
            }.first ?? 0
        }
    }
}

private actor Gauge {
    private(set) var most = 0
    private(set) var entered = 0
    private var inside = 0

    func enter() {
        inside += 1
        entered += 1
        most = max(most, inside)
    }

    func leave() { inside -= 1 }
}
