internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Prepared statements of a connection")
struct PostgresPlanTests {
    @Test("A statement that is repeated is prepared, and others are not")
    func plans() async throws {
        try await withConnection { connection in
            let often = [
                PostgresStatement.test("select $1::int + 1 as n"), .test("select $1::int + 2 as n"),
            ]
            for number in 1...5 {
                for (place, statement) in often.enumerated() {
                    let sums = try await connection.query(statement, [String(number)]) {
                        row throws(PostgresError) in try row.int("n")
                    }
                    #expect(sums == [number + place + 1])
                }
            }
            let planned = try await connection.query(
                .test("select statement from pg_prepared_statements order by statement")
            ) { row throws(PostgresError) in try row.text("statement") }
            #expect(planned == often.map(\.text))
        }
    }

    @Test("A statement is prepared again when the server has discarded it")
    func forgotten() async throws {
        try await withConnection { connection in
            let often = PostgresStatement.test("select 1")
            for _ in 1...3 { try await connection.execute(often) }
            try await connection.execute(.test("deallocate all"))
            let error = await #expect(throws: PostgresError.self) {
                try await connection.execute(often)
            }
            #expect(DatabaseError(try #require(error), touching: .tables).isConflict)
            for _ in 1...3 { try await connection.execute(often) }
        }
    }

    @Test("A statement is prepared again when the types of a view have changed")
    func plansAnew() async throws {
        try await TestDatabase.with(.nothing) { test in
            try await test.execute("create view public.v as select 1 as n")
            let connection = PostgresConnection()
            try await connection.open(test.url)
            let read = PostgresStatement.test("select n from public.v")
            func texts() async throws -> [String] {
                try await connection.query(read) { row throws(PostgresError) in try row.text("n") }
            }
            for _ in 1...3 { #expect(try await texts() == ["1"]) }
            try await test.execute("drop view public.v; create view public.v as select 'a' as n")
            let error = await #expect(throws: PostgresError.self) { try await texts() }
            let failure = DatabaseError(try #require(error), touching: .tables)
            #expect(failure.isConflict)
            for _ in 1...3 { #expect(try await texts() == ["a"]) }
            await connection.close()
        }
    }
}
