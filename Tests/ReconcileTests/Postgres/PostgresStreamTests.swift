internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A stream of rows")
struct PostgresStreamTests {
    @Test("Every row arrives once, in order, in parts")
    func whole() async throws {
        let pool = PostgresPool(try TestDatabase.serverURL(), limit: 1)
        var parts: [[Int]] = []
        for try await part in stream("select generate_series(1, 2500) as n", on: pool) {
            parts.append(part)
        }
        #expect(parts.map(\.count) == [1_000, 1_000, 500])
        #expect(parts.flatMap { $0 } == Array(1...2_500))
        await pool.close()
    }

    @Test("A result without rows is an empty stream")
    func empty() async throws {
        let pool = PostgresPool(try TestDatabase.serverURL(), limit: 1)
        for try await part in stream("select 1 as n where false", on: pool) {
            Issue.record("unexpected part \(part)")
        }
        await pool.close()
    }

    @Test("A stream that is left early returns its connection")
    func abandoned() async throws {
        let pool = PostgresPool(try TestDatabase.serverURL(), limit: 1)
        for _ in 0..<3 {
            var taken = 0
            for try await part in stream("select generate_series(1, 100000000) as n", on: pool) {
                taken += part.count
                if taken >= 2_000 { break }
            }
            #expect(taken == 2_000)
        }
        try await pool.withConnection { connection async throws(PostgresError) in
            try await connection.execute(.test("select 1"))
        }
        await pool.close()
    }

    @Test("An error on the way is thrown, and the connection is returned")
    func failing() async throws {
        let pool = PostgresPool(try TestDatabase.serverURL(), limit: 1)
        let sql = "select 10 / (1500 - n) as n from generate_series(1, 2000) as n"
        var iterator = stream(sql, on: pool).makeAsyncIterator()
        #expect(try await iterator.next()?.count == 1_000)
        let error = await #expect(throws: PostgresError.self) { try await iterator.next() }
        #expect(error?.sqlState == "22012")
        #expect(try await iterator.next() == nil)
        try await pool.withConnection { connection async throws(PostgresError) in
            try await connection.execute(.test("select 1"))
        }
        await pool.close()
    }

    private func stream(_ sql: String, on pool: PostgresPool) -> PostgresStream<Int> {
        PostgresStream(
            pool: pool, statement: .test(sql), parameters: [], rowsAtOnce: 1_000
        ) { row throws(PostgresError) in try row.int("n") }
    }
}
