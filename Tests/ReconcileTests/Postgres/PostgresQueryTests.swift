internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A database row")
struct PostgresRowTests {
    private let connection: PostgresConnection

    init() async throws { connection = try await .opened() }

    @Test("Each type is decoded, and so is null")
    func decodes() async throws {
        let sql = """
            select 'é' as text, 9223372036854775807 as most, -9223372036854775808 as least,
                true as yes, false as no, null as absent
            """
        let rows = try await connection.query(.test(sql)) { row throws(PostgresError) in
            let texts = [try row.text("text"), try row.optionalText("absent")]
            let bytes = [try row.bytes("text"), try row.optionalBytes("absent")]
            let numbers = [try row.int64("most"), try row.int64("least")]
            let absent = try row.optionalInt("absent")
            let truths = [try row.bool("yes"), try row.bool("no")]
            return "\(texts) \(bytes) \(numbers) \(String(describing: absent)) \(truths)"
        }
        #expect(
            rows == [
                #"[Optional("é"), nil] [Optional([195, 169]), nil] "#
                    + "[9223372036854775807, -9223372036854775808] nil [true, false]"
            ])
    }

    @Test(
        "A missing column, and a value that is null or of another type, is refused by its name",
        arguments: [
            "9223372036854775808 as user", "'-' as user", "'' as user", "1.5 as user",
            "'x' as user", "null as user", "1 as user_id, 2 as use",
        ])
    func refuses(columns: String) async throws {
        let error = try await postgresError {
            try await connection.query(.test("select " + columns)) { row throws(PostgresError) in
                try row.int64("user")
            }
        }
        #expect(error == .undecodable(column: "user", statement: "test"))
        #expect(error.message == "column user is missing or not of the expected type")
        let asText = try await postgresError {
            try await connection.query(.test("select null as user")) { row throws(PostgresError) in
                try row.text("user")
            }
        }
        #expect(asText == error)
    }

    @Test("Columns may be read in any order")
    func anyOrder() async throws {
        let sums = try await connection.query(
            .test("select n as first, 10 * n as second, -n as fir from generate_series(1, 3) n")
        ) { row throws(PostgresError) in
            try row.int("second") + row.int("first") + 100 * row.int("fir")
        }
        #expect(sums == [-89, -178, -267])
    }
}

@Suite("Prepared statements of a connection")
struct PostgresPlanTests: DatabaseSuite {
    @Test("A statement that is repeated is prepared, and others are not")
    func plans() async throws {
        let connection = try await PostgresConnection.opened()
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
        .database(.nothing),
        arguments: [
            ("deallocate all", "1"),
            ("drop view public.v; create view public.v as select 'a' as value", "a"),
        ])
    func plansAnew(change: String, result: String) async throws {
        try await execute("create view public.v as select 1 as value")
        let connection = try await session()
        func texts() async throws -> [String?] {
            try await connection.texts("select value from public.v")
        }
        for _ in 1...3 { #expect(try await texts() == ["1"]) }
        try await connection.script(change)
        let error = try await postgresError { try await texts() }
        #expect(DatabaseError(error, touching: .tables).isConflict)
        for _ in 1...3 { #expect(try await texts() == [result]) }
    }
}

@Suite("A stream of rows")
struct PostgresStreamTests {
    private let pool: PostgresPool

    init() throws { pool = PostgresPool(try TestDatabase.serverURL(), limit: 1) }

    @Test(
        "Every row arrives once, in order, in parts",
        arguments: [(0, []), (2_500, [1_000, 1_000, 500])])
    func whole(rows: Int, sizes: [Int]) async throws {
        var parts: [[Int]] = []
        for try await part in stream("select generate_series(1, \(rows)) as n") {
            parts.append(part)
        }
        #expect(parts.map(\.count) == sizes)
        #expect(parts.flatMap { $0 } == Array(1..<(rows + 1)))
    }

    @Test("A stream that is left early returns its connection")
    func abandoned() async throws {
        for _ in 0..<3 {
            var taken = 0
            for try await part in stream("select generate_series(1, 100000000) as n") {
                taken += part.count
                if taken >= 2_000 { break }
            }
            #expect(taken == 2_000)
        }
        try await expectFree()
    }

    @Test("An error on the way is thrown, and the connection is returned")
    func failing() async throws {
        let rows = stream("select 10 / (1500 - n) as n from generate_series(1, 2000) as n")
        var iterator = rows.makeAsyncIterator()
        #expect(try await iterator.next()?.count == 1_000)
        let error = await #expect(throws: PostgresError.self) { try await iterator.next() }
        #expect(error?.sqlState == "22012")
        #expect(try await iterator.next() == nil)
        try await expectFree()
    }

    private func stream(_ sql: String) -> PostgresStream<Int> {
        PostgresStream(
            pool: pool, statement: .test(sql), parameters: [], rowsAtOnce: 1_000
        ) { row throws(PostgresError) in try row.int("n") }
    }

    private func expectFree() async throws {
        try await pool.withConnection { connection async throws(PostgresError) in
            try await connection.execute(.test("select 1"))
        }
    }
}
