import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Rows copied in binary form")
struct BinaryCopyTests {
    private static let rows: [@Sendable (inout BinaryCopyBuffer) -> Void] = [
        {
            $0.beginRow(columns: 9)
            $0.append(int: 1)
            $0.append("a\u{0}\té\\")
            $0.append(bytes: [0, 10, 92, 255])
            $0.append(int: -7)
            $0.append(bigint: .max)
            $0.append(timestamp: 1_795_226_400_123)
            $0.append(bigints: [.min, 0, .max])
            $0.append(ints: [-1, 21_007, .max])
            $0.append(texts: ["", "a,b", "\"é\"\n"])
        },
        {
            $0.beginRow(columns: 9)
            $0.append(int: 2)
            $0.append(nil as String?)
            $0.append(bytes: nil)
            $0.append(int: nil)
            $0.append(bigint: nil)
            $0.append(timestamp: nil)
            $0.append(bigints: [])
            $0.append(ints: [])
            $0.append(texts: [])
        },
        {
            $0.beginRow(columns: 9)
            $0.append(int: 3)
            $0.append("")
            $0.append(bytes: [0, 0xFF, 0x7A])
            $0.append(int: .max)
            $0.append(bigint: .min)
            $0.append(timestamp: .max)
            $0.append(bigints: [7])
            $0.append(ints: [.min])
            $0.append(texts: ["NULL"])
        },
    ]

    /// Instants around the ends of PostgreSQL's range, in rows of their own.
    private static let instants: [Int64] = [
        9_224_318_015_999_999, 9_224_318_016_000_000, -210_866_803_200_000, -210_866_803_200_001,
        .min,
    ]

    @Test("Rows of every type arrive unchanged: nulls, extreme values and any bytes")
    func types() async throws {
        try await TestDatabase.with(.nothing) { test in
            try await test.execute(
                """
                create table t (
                    n int, a text, b bytea, c int, d bigint, e timestamptz, f bigint[], g int[],
                    h text[]
                )
                """)
            let connection = PostgresConnection()
            try await connection.open(test.url)
            try await connection.copyIn(
                PostgresStatement(name: "copy", text: "copy t from stdin (format binary)"),
                Self.rows
            ) { row, buffer in row(&buffer) }
            let bytes = try await connection.query(
                PostgresStatement(name: "test", text: "select b from t order by n")
            ) { row throws(PostgresError) in try row.optionalBytea("b") }
            #expect(bytes == [[0, 10, 92, 255], nil, [0, 255, 0x7A]])
            await connection.close()
            let rows = try await test.texts(
                """
                select concat_ws('|', n, a, c, d, e at time zone 'UTC', f, g, h) from t order by n
                """)
            #expect(
                rows == [
                    "1|a\u{FFFD}\té\\|-7|9223372036854775807|2026-11-21 02:00:00.123"
                        + "|{-9223372036854775808,0,9223372036854775807}|{-1,21007,2147483647}"
                        + #"|{"","a,b","\"é\"\#n"}"#,
                    "2|{}|{}|{}",
                    "3||2147483647|-9223372036854775808|infinity|{7}|{-2147483648}|{\"NULL\"}",
                ])
        }
    }

    @Test("An instant beyond PostgreSQL's range is stored as an infinity")
    func instants() async throws {
        try await TestDatabase.with(.nothing) { test in
            try await test.execute("create table t (e timestamptz)")
            let connection = PostgresConnection()
            try await connection.open(test.url)
            try await connection.copyIn(
                PostgresStatement(name: "copy", text: "copy t from stdin (format binary)"),
                Self.instants
            ) { milliseconds, buffer in
                buffer.beginRow(columns: 1)
                buffer.append(timestamp: milliseconds)
            }
            await connection.close()
            let rows = try await test.texts(
                "select (e at time zone 'UTC')::text from t order by ctid")
            #expect(
                rows == [
                    "294276-12-31 23:59:59.999", "infinity", "4714-11-24 00:00:00 BC", "-infinity",
                    "-infinity",
                ])
        }
    }
}
