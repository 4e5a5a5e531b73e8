import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Rows copied in binary form")
struct BinaryCopyTests {
    @Test("arrive as they are: every type, nulls, extremes and any bytes")
    func types() async throws {
        try await TestDatabase.with(.nothing) { test in
            try await test.execute(
                "create table t (n int, a text, b bytea, c int, d bigint, e timestamptz, f jsonb)")
            var buffer = BinaryCopyBuffer()
            buffer.beginRow(columns: 7)
            buffer.append(int: 1)
            buffer.append("a\u{0}\té\\")
            buffer.append(bytes: [0, 10, 92, 255])
            buffer.append(int: -7)
            buffer.append(bigint: .max)
            buffer.append(timestamp: 1_795_226_400_123)
            buffer.append(json: #"{"0": 1}"#)
            buffer.beginRow(columns: 7)
            buffer.append(int: 2)
            buffer.append(nil as String?)
            buffer.append(bytes: nil)
            buffer.append(int: nil)
            buffer.append(bigint: nil)
            buffer.append(timestamp: nil)
            buffer.append(json: "{}")
            buffer.beginRow(columns: 7)
            buffer.append(int: 3)
            buffer.append("")
            buffer.append(hexadecimal: "00ff7a")
            buffer.append(int: .max)
            buffer.append(bigint: .min)
            buffer.append(timestamp: .max)
            buffer.append(json: "[]")
            let connection = PostgresConnection()
            try await connection.open(test.url)
            try await connection.copyIn(
                PostgresStatement(name: "copy", text: "copy t from stdin (format binary)"), buffer)
            let bytes = try await connection.query(
                PostgresStatement(name: "test", text: "select b from t order by n")
            ) { row throws(PostgresError) in try row.optionalBytea(0) }
            #expect(bytes == [[0, 10, 92, 255], nil, [0, 255, 0x7A]])
            await connection.close()
            let rows = try await test.texts(
                "select concat_ws('|', n, a, c, d, e at time zone 'UTC', f) from t order by n")
            #expect(
                rows == [
                    "1|a\u{FFFD}\té\\|-7|9223372036854775807|2026-11-21 02:00:00.123|{\"0\": 1}",
                    "2|{}",
                    "3||2147483647|-9223372036854775808|infinity|[]",
                ])
        }
    }
}
