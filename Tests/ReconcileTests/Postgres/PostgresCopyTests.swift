import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Rows copied in binary form", .database(.nothing))
struct BinaryCopyTests: DatabaseSuite {
    private struct Row: Sendable {
        let number: Int, text: String?, bytes: [UInt8]?, int: Int?, bigint: Int?
        let timestamp: Int64?, bigints: [Int], ints: [Int], texts: [String]
    }

    private static let rows = [
        Row(
            number: 1, text: "a\u{0}\té\\", bytes: [0, 10, 92, 255], int: -7, bigint: .max,
            timestamp: 1_795_226_400_123, bigints: [.min, 0, .max], ints: [-1, 21_007, .max],
            texts: ["", "a,b", "\"é\"\n"]),
        Row(
            number: 2, text: nil, bytes: nil, int: nil, bigint: nil, timestamp: nil, bigints: [],
            ints: [], texts: []),
        Row(
            number: 3, text: "", bytes: [0, 0xFF, 0x7A], int: .max, bigint: .min, timestamp: .max,
            bigints: [7], ints: [.min], texts: ["NULL"]),
    ]

    @Test("Rows of every type arrive unchanged: nulls, extreme values and any bytes")
    func types() async throws {
        try await execute(
            """
            create table t (n int, a text, b bytea, c int, d bigint, e timestamptz, f bigint[],
                g int[], h text[])
            """)
        let connection = try await session()
        try await connection.copyIn(.test("copy t from stdin (format binary)"), Self.rows) {
            $1.beginRow(columns: 9)
            $1.append(int: $0.number)
            $1.append($0.text)
            $1.append(bytes: $0.bytes)
            $1.append(int: $0.int)
            $1.append(bigint: $0.bigint)
            $1.append(timestamp: $0.timestamp)
            $1.append(bigints: $0.bigints)
            $1.append(ints: $0.ints)
            $1.append(texts: $0.texts)
        }
        let bytes = try await connection.query(.test("select b from t order by n")) {
            row throws(PostgresError) in try row.optionalBytea("b")
        }
        #expect(bytes == [[0, 10, 92, 255], nil, [0, 255, 0x7A]])
        let rows = try await texts(
            "select concat_ws('|', n, a, c, d, e at time zone 'UTC', f, g, h) from t order by n")
        #expect(
            rows == [
                "1|a\u{FFFD}\té\\|-7|9223372036854775807|2026-11-21 02:00:00.123"
                    + "|{-9223372036854775808,0,9223372036854775807}|{-1,21007,2147483647}"
                    + #"|{"","a,b","\"é\"\#n"}"#,
                "2|{}|{}|{}",
                "3||2147483647|-9223372036854775808|infinity|{7}|{-2147483648}|{\"NULL\"}",
            ])
    }

    @Test("An instant beyond PostgreSQL's range is stored as an infinity")
    func instants() async throws {
        try await execute("create table t (e timestamptz)")
        let ends: [Int64] = [
            9_224_318_015_999_999, 9_224_318_016_000_000, -210_866_803_200_000,
            -210_866_803_200_001, .min,
        ]
        try await session().copyIn(.test("copy t from stdin (format binary)"), ends) {
            $1.beginRow(columns: 1)
            $1.append(timestamp: $0)
        }
        let stored = try await texts("select (e at time zone 'UTC')::text from t order by ctid")
        #expect(
            stored == [
                "294276-12-31 23:59:59.999", "infinity", "4714-11-24 00:00:00 BC", "-infinity",
                "-infinity",
            ])
    }
}

@Suite("A buffer for COPY")
struct CopyBufferTests: DatabaseSuite {
    static let naughty = [
        "", " ", "\\", "\\N", "\\.", "\\\\.\n\\.", "\t", "\n", "\r\n", "a\tb\nc\rd\\e", "\"",
        "'; drop table x --", "‹…›", "👩‍👩‍👧‍👦", "é", "e\u{301}", "\u{FEFF}x", "\u{7F}\u{1}\u{1F}",
        "$1", "{a,b}", "NULL",
    ]

    @Test("Columns are separated by tabs and rows by newlines")
    func layout() {
        var buffer = CopyBuffer()
        buffer.append("a")
        buffer.append(-1)
        buffer.append(true)
        buffer.append(nil as String?)
        buffer.endRow()
        buffer.append(nil as Int?)
        buffer.append(nil as Bool?)
        buffer.append(hexadecimal: "00ff")
        buffer.endRow()
        let text = String(decoding: buffer.bytes, as: UTF8.self)
        #expect(text == "a\t-1\tt\t\\N\n\\N\t\\N\t\\\\x00ff\n")
    }

    @Test(
        "Any text arrives unchanged, but for a NUL, which PostgreSQL cannot store",
        .database(.nothing))
    func roundTrip() async throws {
        try await execute("create table sent (position int, body text)")
        var buffer = CopyBuffer()
        for (position, text) in (Self.naughty + ["a\0b"]).enumerated() {
            buffer.append(position)
            buffer.append(text)
            buffer.endRow()
        }
        try await session().copyIn(.test("copy sent from stdin"), buffer)
        let received = try await texts("select body from sent order by position")
        let expected = Self.naughty + ["a\u{FFFD}b"]
        #expect(received.map { $0.map { Array($0.utf8) } } == expected.map { Array($0.utf8) })
    }
}

@Suite("A bytea in PostgreSQL's hexadecimal form")
struct PostgresByteaTests {
    private func bytes(_ text: String) -> [UInt8]? {
        Array(text.utf8).withUnsafeBytes { PostgresBytea.bytes($0) }
    }

    @Test("Bytes of any length and value are read as they were written")
    func both() {
        for count in 0...40 {
            let some = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + count) }
            #expect(bytes(PostgresBytea.text(some)) == some)
        }
        let all = (0...UInt8.max).map { $0 }
        #expect(bytes(PostgresBytea.text(all)) == all)
        #expect(PostgresBytea.text([0, 0x9F, 0xFF]) == "\\x009fff")
        #expect(PostgresBytea.text("é") == "\\xc3a9")
    }

    @Test(
        "Anything but lower-case hexadecimal digits is refused, wherever it is",
        arguments: [1, 8, 12])
    func wrong(count: Int) {
        for place in 0..<2 * count {
            for byte in UInt8.min...UInt8.max where !"0123456789abcdef".utf8.contains(byte) {
                var text = Array("\\x".utf8) + Array(repeating: UInt8(ascii: "7"), count: 2 * count)
                text[2 + place] = byte
                #expect(text.withUnsafeBytes { PostgresBytea.bytes($0) } == nil)
            }
        }
        for text in ["", "\\", "\\X00", "x00", "\\x0", "00"] { #expect(bytes(text) == nil) }
    }
}
