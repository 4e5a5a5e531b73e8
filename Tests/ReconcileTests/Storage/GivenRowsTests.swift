import Testing

@testable import Reconcile
@testable import SQL
@testable import TestSupport

@Suite("The list of columns of rows that are given as arrays")
struct GivenRowsTests {
    private static let statement = Statement.all(
        in: Array(
            """
            -- name: add_prices, long
            -- Adds prices.
            insert into reconcile.price (run_id, {columns})
            select $1, {values}
            from {given}
            where $2::int = any({amount})
            """.utf8))[0]

    private static let table = GivenRows<Int>(
        statement,
        [
            .int("amount") { $0 },
            .text("currency") { $0 > 1 ? "\"EUR\"" : nil },
        ])

    @Test("The statement names the columns, and numbers the arrays after its own parameters")
    func names() {
        let lines = Self.table.statement.text.split(separator: "\n").map(String.init)
        #expect(
            lines.suffix(4) == [
                "insert into reconcile.price (run_id, amount, currency)",
                "select $1, given.amount, given.currency",
                "from unnest($3::int[], $4::text[]) as given (amount, currency)",
                "where $2::int = any($3::int[])",
            ])
    }

    @Test("The arrays have the order of the list, with one element for each row")
    func order() {
        #expect(Self.table.arrays(of: [1, 2]) == [#"{"1","2"}"#, #"{null,"\"EUR\""}"#])
        #expect(Self.table.arrays(of: []) == ["{}", "{}"])
    }

    @Test("The statement keeps its name and its length")
    func keeps() {
        #expect(Self.table.statement.name == "add_prices")
        #expect(Self.table.statement.isLong)
    }

    @Test("PostgreSQL reads from the arrays the values that rows have, of each type")
    func types() async throws {
        let columns: [TypedColumn<Int>] = [
            .text("text") { _ in "a'b" },
            .int("int") { $0 },
            .rareInt("rare") { $0 - 7 },
            .bigint("bigint") { $0 << 40 },
            .boolean("boolean") { $0 == 7 },
            .bytea("bytea") { [UInt8($0), 255] },
            .timestamp("time") { _ in Instant(milliseconds: 1_700_000_000_123) },
            .jsonb("json") { _ in Array(#"{"a":"b"}"#.utf8) },
            .texts("texts") { _ in ["x", "y,z"] },
        ]
        let read = """
            -- name: read_rows
            -- Reads rows.
            select
                given.text || given.int || (given.rare is null) || given.bigint || given.boolean
                || encode(given.bytea, 'hex') || extract(epoch from given.time)
                || (given.json ->> 'a') || (given.texts::text[])[2] as joined
            from {given}
            """
        let given = GivenRows(Statement.all(in: Array(read.utf8))[0], columns)
        let connection = try await PostgresConnection.opened()
        let joined = try await connection.query(given.statement, given.arrays(of: [7])) { row in
            try row.text("joined")
        }
        #expect(joined == ["a'b7true7696581394432true07ff1700000000.123000by,z"])
    }
}
