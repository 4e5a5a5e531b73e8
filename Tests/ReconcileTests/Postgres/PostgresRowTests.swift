internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A database row")
struct PostgresRowTests {
    @Test("Each type is decoded, and so is null")
    func decodes() async throws {
        try await withConnection { connection in
            let text = """
                select 'é' as text, 9223372036854775807 as most, -9223372036854775808 as least,
                    true as yes, false as no, null as absent
                """
            struct Decoded: Equatable {
                let text: String, bytes: [UInt8], most: Int64, least: Int64
                let yes: Bool, no: Bool, absent: String?, absentInt: Int?
            }
            let rows = try await connection.query(.test(text)) { row throws(PostgresError) in
                Decoded(
                    text: try row.text("text"), bytes: try row.bytes("text"),
                    most: try row.int64("most"), least: try row.int64("least"),
                    yes: try row.bool("yes"), no: try row.bool("no"),
                    absent: try row.optionalText("absent"),
                    absentInt: try row.optionalInt("absent"))
            }
            let expected = Decoded(
                text: "é", bytes: Array("é".utf8), most: .max, least: .min, yes: true, no: false,
                absent: nil, absentInt: nil)
            #expect(rows == [expected])
        }
    }

    @Test(
        "A value of another type than requested is refused",
        arguments: ["9223372036854775808", "-", "", "1.5", "x"])
    func refuses(value: String) async throws {
        try await withConnection { connection in
            await #expect(throws: PostgresError.self) {
                try await connection.query(.test("select $1 as n"), [value]) {
                    row throws(PostgresError) in try row.int64("n")
                }
            }
            await #expect(throws: PostgresError.self) {
                try await connection.query(.test("select null as n")) {
                    row throws(PostgresError) in try row.text("n")
                }
            }
        }
    }

    @Test("An error names the column that is missing or has another type")
    func namesColumn() async throws {
        try await withConnection { connection in
            for text in ["select 1 as user_id, 2 as use", "select 'x' as user"] {
                let error = await #expect(throws: PostgresError.self) {
                    try await connection.query(.test(text)) {
                        row throws(PostgresError) in try row.int("user")
                    }
                }
                #expect(error == .undecodable(column: "user", statement: "test"))
                #expect(error?.message == "column user is missing or not of the expected type")
            }
        }
    }

    @Test("Columns may be read in any order")
    func anyOrder() async throws {
        try await withConnection { connection in
            let sums = try await connection.query(
                .test("select n as first, 10 * n as second, -n as fir from generate_series(1, 3) n")
            ) { row throws(PostgresError) in
                try row.int("second") + row.int("first") + 100 * row.int("fir")
            }
            #expect(sums == [-89, -178, -267])
        }
    }
}
