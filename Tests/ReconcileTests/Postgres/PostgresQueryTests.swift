internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Rows and statements of a connection")
struct PostgresQueryTests: DatabaseSuite {
    private let connection: PostgresConnection

    init() async throws { connection = try await .opened() }

    @Test("Each type is decoded, and so is null, in any order of the columns")
    func decodes() async throws {
        let sql = """
            select 'é' as text, 9223372036854775807 as most, -9223372036854775808 as least,
                true as yes, false as no, null as absent, n as use from generate_series(1, 2) n
            """
        let rows = try await connection.query(.test(sql)) { row in
            let numbers = [try row.int64("least"), try row.int64("most"), try row.int64("use")]
            let texts = [try row.text("text"), try row.optionalText("absent")].map { $0 ?? "-" }
            let bytes = [try row.bytes("text"), try row.optionalBytes("absent")].map { $0 ?? [] }
            let truths = [try row.bool("yes"), try row.bool("no")]
            let isAbsent = try row.optionalInt("absent") == nil
            return "\(texts) \(bytes) \(numbers) \(truths) \(isAbsent)"
        }
        let known = #"["é", "-"] [[195, 169], []] [-9223372036854775808, 9223372036854775807, "#
        #expect(rows == [known + "1] [true, false] true", known + "2] [true, false] true"])
    }

    @Test(
        "A missing column, and a value that is null or of another type, is refused by its name",
        arguments: [
            "9223372036854775808 as user", "'-' as user", "'' as user", "1.5 as user",
            "'x' as user", "null as user", "1 as user_id, 2 as use",
        ])
    func refuses(columns: String) async throws {
        let error = try await postgresError {
            try await connection.query(.test("select " + columns)) { row in
                try row.int64("user")
            }
        }
        #expect(error == .undecodable(column: "user", statement: "test"))
        #expect(error.message == "column user is missing or not of the expected type")
        let asText = try await postgresError {
            try await connection.query(.test("select null as user")) { row in
                try row.text("user")
            }
        }
        #expect(asText == error)
    }

    @Test("A statement that is repeated is prepared, and others are not")
    func plans() async throws {
        let often = ["select $1::int + 1 as value", "select $1::int + 2 as value"]
        for number in 1...5 {
            for (place, statement) in often.enumerated() {
                let sums = try await connection.texts(statement, String(number))
                #expect(sums == [String(number + place + 1)])
            }
        }
        let planned = try await connection.texts(
            "select statement as value from pg_prepared_statements order by statement")
        #expect(planned == often)
    }

    @Test(
        "A statement is prepared again when the server discarded it, or its types have changed",
        arguments: [
            ("deallocate all", "1"),
            ("drop view pg_temp.v; create temporary view v as select 'a' as value", "a"),
        ])
    func plansAnew(change: String, result: String) async throws {
        try await connection.script("create temporary view v as select 1 as value")
        func texts() async throws -> [String?] {
            try await connection.texts("select value from pg_temp.v")
        }
        for _ in 1...3 { #expect(try await texts() == ["1"]) }
        try await connection.script(change)
        let error = try await postgresError { try await texts() }
        #expect(DatabaseError(error, touching: .tables).isConflict)
        for _ in 1...3 { #expect(try await texts() == [result]) }
    }
}

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
                    try await pool.withConnection { connection in
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

    @Test("A transaction that throws is rolled back, and its connection kept", .database(.nothing))
    func transactions() async throws {
        let pool = PostgresPool(test.url, limit: 1)
        try await execute("create table t (n int primary key)")
        func insert(_ numbers: Int...) async throws {
            try await pool.transaction { connection in
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

    /// Many rounds: the request must not be lost when it overtakes the statement.
    @Test("A cancelled task ends its read, once, and can still write", arguments: 1...30)
    func cancellation(round: Int) async throws {
        let pool = try pool(limit: 1)
        // The connection is open already.
        _ = try await process(pool)
        let task = Task {
            let error = await #expect(throws: PostgresError.self) {
                try await pool.withCancellableConnection { connection in
                    try await connection.execute(.test("select pg_sleep(600)"))
                }
            }
            #expect(error?.sqlState == "57014")
            try await pool.transaction { connection in
                try await connection.execute(.test("select 1"))
            }
        }
        task.cancel()
        try await task.value
    }

    @Test("A stream that is left early, or fails on the way, returns its connection")
    func unfinishedStream() async throws {
        let pool = try pool(limit: 1)
        func stream(_ sql: String) -> PostgresStream<Int> {
            PostgresStream(
                pool: pool, statement: .test(sql), parameters: [], rowsAtOnce: 1_000
            ) { row in try row.int("n") }
        }
        for _ in 0..<3 {
            for try await part in stream("select generate_series(1, 100000000) as n") {
                #expect(part.count == 1_000)
                if part.last == 2_000 { break }
            }
        }
        let rows = stream("select 10 / (1500 - n) as n from generate_series(1, 2000) as n")
        var iterator = rows.makeAsyncIterator()
        #expect(try await iterator.next()?.count == 1_000)
        let error = await #expect(throws: PostgresError.self) { try await iterator.next() }
        #expect(error?.sqlState == "22012")
        #expect(try await iterator.next() == nil)
        _ = try await process(pool)
    }

    private func pool(limit: Int) throws -> PostgresPool {
        PostgresPool(try TestDatabase.serverURL(), limit: limit)
    }

    private func process(_ pool: PostgresPool) async throws -> String {
        let processes = try await pool.withConnection { connection in
            try await connection.texts("select pg_backend_pid()::text as value")
        }
        return try #require(processes.first ?? nil)
    }
}
