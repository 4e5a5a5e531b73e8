internal import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a test with a `pool` of some limit, and tasks that want its connections.
@Suite("The connection pool")
struct PostgresPoolTests: DatabaseSuite {
    @Test("The pool never lends more connections than its limit, and serves every task")
    func limit() async throws {
        let pool = try pool(limit: 2)
        let inside = Shared(0)
        let seen = Shared<[Int]>([])
        try await forEach(in: Array(0..<40), atMost: 40) { _ in
            try await pool.withConnection { connection in
                let count = inside.update { $0 += 1 }
                seen.update { $0.append(count) }
                try await connection.script("select 1")
                inside.update { $0 -= 1 }
            }
        }
        #expect(seen.current.count == 40)
        #expect(seen.current.allSatisfy { $0 <= 2 })
    }

    @Test("A working connection is kept, one that the server closed is replaced, a failure is not")
    func replaces() async throws {
        for limit in [1, 2] {
            let pool = try pool(limit: limit)
            let first = try #require(try await process(pool))
            #expect(try await process(pool) == first)
            try await TestDatabase.onServer("select pg_terminate_backend(\(first), 5000)")
            #expect(try await process(pool) != first)
        }
        // The next waiting task may try to open one.
        let pool = PostgresPool("postgresql://u@127.0.0.1:1/x", limit: 1)
        for _ in 0..<3 { _ = try await postgresError { try await process(pool) } }
    }

    /// Many rounds: the request must not be lost when it overtakes the statement.
    @Test("A cancelled task ends its read once, and may write afterwards", arguments: 1...30)
    func cancellation(round: Int) async throws {
        let pool = try pool(limit: 1)
        let connection = try await process(pool)
        let sleep = "select pg_sleep(600)"
        let task = Task {
            let error = try await postgresError {
                try await pool.withCancellableConnection { try await $0.script(sleep) }
            }
            #expect(error.sqlState == "57014")
            try await pool.transaction { try await $0.script("select 1") }
        }
        task.cancel()
        try await task.value
        #expect(try await process(pool) == connection)
    }

    @Test("A stream that is left early, or fails on the way, returns its connection")
    func unfinishedStream() async throws {
        let pool = try pool(limit: 1)
        func stream(_ sql: String) -> PostgresStream<Int> {
            PostgresStream(pool: pool, statement: .test(sql), parameters: [], rowsAtOnce: 1_000) {
                try $0.int("n")
            }
        }
        for _ in 0..<3 {
            let rows = stream("select generate_series(1, 100000000) as n")
            #expect(try await rows.first { $0.last == 2_000 }?.count == 1_000)
        }
        let rows = stream("select 10 / (1500 - n) as n from generate_series(1, 2000) as n")
        var iterator = rows.makeAsyncIterator()
        #expect(try await iterator.next()?.count == 1_000)
        #expect(try await postgresError { try await iterator.next() }.sqlState == "22012")
        #expect(try await iterator.next() == nil)
        _ = try await process(pool)
    }

    private func pool(limit: Int) throws -> PostgresPool {
        PostgresPool(try TestDatabase.serverURL(), limit: limit)
    }

    private func process(_ pool: PostgresPool) async throws -> String? {
        try await pool.withConnection { try await $0.texts("select pg_backend_pid() as value")[0] }
    }
}

/// To add a case: a text in `naughty`, or a `Row` with what is read back of it in `binary`.
@Suite("Values that PostgreSQL stores", .database(.nothing))
struct PostgresCopyTests: DatabaseSuite {
    private static let naughty = [
        "", " ", "\\", "\\N", "\\.", "\\\\.\n\\.", "\t", "\n", "\r\n", "a\tb\nc\rd\\e", "\"",
        "'; drop table x --", "‹…›", "👩‍👩‍👧‍👦", "é", "e\u{301}", "\u{FEFF}x", "\u{7F}\u{1}\u{1F}",
        "$1", "{a,b}", "NULL",
    ]

    @Test("Any text arrives unchanged as a parameter and in arrays, and but for a NUL by COPY")
    func text() async throws {
        try await execute("create table sent (position int, body text, yes bool, bytes bytea)")
        var buffer = CopyBuffer()
        let sent: [String?] = Self.naughty + ["a\0b", nil]
        for (position, text) in sent.enumerated() {
            buffer.append(text == nil ? nil : -position)
            buffer.append(text)
            buffer.append(text == nil ? nil : true)
            buffer.append(hexadecimal: "00ff")
            buffer.endRow()
        }
        let connection = try await session()
        try await connection.copyIn(.test("copy sent from stdin"), buffer)
        let received = try await texts("select body from sent order by position desc nulls last")
        #expect(received.map(\.?.bytes) == (Self.naughty + ["a\u{FFFD}b"]).map(\.bytes) + [nil])
        let rest: [SentRow] = try await test.rows(
            "select yes, bytes from sent where position = -1 or yes is null")
        let bytes = #"\x00ff"#
        #expect(rest == [SentRow(yes: true, bytes: bytes), SentRow(yes: nil, bytes: bytes)])
        let all = "select unnest(array[$1::text] || $2::text[]) as value"
        for text in Self.naughty {
            let back = try await connection.texts(all, text, PostgresArray.text([text, "x", text]))
            #expect(back.map(\.?.bytes) == [text.bytes, text.bytes, "x".bytes, text.bytes])
        }
    }

    private struct SentRow: Equatable, Decodable {
        let yes: Bool?
        let bytes: String
    }

    private struct Row: Sendable {
        var text: String?, bytes: [UInt8]?, int: Int?, bigint: Int?, timestamp: Int64?
        var texts: [String] = []
        var yes: Bool?
    }

    private static let rows =
        [
            Row(),
            Row(
                text: "a\u{0}\té\\", bytes: Array(0...255), int: -7, bigint: .max,
                timestamp: 1_795_226_400_123, texts: ["", "a,b", "\"é\"\n"], yes: true),
            Row(
                text: "", bytes: [0, 0xFF, 0x7A], int: .max, bigint: .min, timestamp: .max,
                texts: ["NULL"], yes: false),
        ]
        + [beyond[1] - 1, beyond[1], beyond[0] + 1, beyond[0], .min].map { Row(timestamp: $0) }
        + (0...40).map { Row(bytes: Array(7..<7 + $0)) }

    /// The first milliseconds that PostgreSQL cannot store.
    private static let beyond: [Int64] = [-210_866_803_200_001, 9_224_318_016_000_000]

    @Test("In binary form nulls, extreme values and any bytes arrive unchanged or at their limit")
    func binary() async throws {
        let columns = "a text, b bytea, c int, d int8, e timestamptz, f text[], g bool"
        try await execute("create table t (\(columns))")
        let connection = try await session()
        try await connection.copyIn(.test("copy t from stdin (format binary)"), Self.rows) {
            $1.beginRow(columns: 7)
            $1.append($0.text)
            $1.append(bytes: $0.bytes)
            $1.append(int: $0.int)
            $1.append(bigint: $0.bigint)
            $1.append(timestamp: $0.timestamp)
            $1.append(texts: $0.texts)
            $1.append($0.yes)
        }
        let all = PostgresStatement.test("select b from t order by ctid")
        let bytes = try await connection.query(all) { try $0.optionalBytea("b") }
        #expect(bytes == Self.rows.map(\.bytes))
        let received: [ReceivedRow] = try await test.rows(
            "select a, c, d, (e at time zone 'UTC')::text as e, f, g from t order by ctid")
        let instants = [
            "294276-12-31 23:59:59.999", "infinity", "4714-11-24 00:00:00 BC", "-infinity",
            "-infinity",
        ].map { ReceivedRow(e: $0) }
        #expect(
            received == [
                ReceivedRow(),
                ReceivedRow(
                    a: "a\u{FFFD}\té\\", c: -7, d: .max, e: "2026-11-21 02:00:00.123",
                    f: ["", "a,b", "\"é\"\n"], g: true),
                ReceivedRow(
                    a: "", c: Int(Int32.max), d: .min, e: "infinity", f: ["NULL"], g: false),
            ] + instants + Array(repeating: ReceivedRow(), count: 41))
    }

    private struct ReceivedRow: Equatable, Decodable {
        var a: String?
        var c: Int?
        var d: Int?
        var e: String?
        var f: [String] = []
        var g: Bool?
    }

    @Test("An instant is stored to the millisecond, outside PostgreSQL's range as an infinity")
    func instants() async throws {
        var generator = SeededGenerator(11)
        let range = PostgresTimestamp.finite.lowerBound..<PostgresTimestamp.finite.upperBound
        let exact: [Int64] =
            [
                0, 1, -1, 999, 1_763_690_400_123, -1_763_690_400_123, 253_402_300_800_000,
                9_007_199_254_740_993, -62_135_596_800_001, -62_167_219_200_000,
                Self.beyond[0] + 1, Self.beyond[1] - 1, .max, .min,
            ] + (0..<5_000).map { _ in .random(in: range, using: &generator) }
        let sent = (exact + Self.beyond + [.max - 1]).map { Instant(milliseconds: $0).timestamptz }
        // As PostgreSQL prints them. Microseconds are rounded down.
        let printed: [(String, Int64)] = [
            ("1970-01-01 00:00:00+00", 0), ("1970-01-01 00:00:01.5+00", 1_500),
            ("1970-01-01 00:00:00.12+00", 120), ("2026-11-21 02:00:00.123+00", 1_795_226_400_123),
            ("1970-01-01 00:00:00.1234+00", 123), ("1970-01-01 00:00:00.00099+00", 0),
            ("1970-01-01 00:00:00.999999+00", 999), ("1969-12-31 23:59:59.999001+00", -1),
            ("1969-12-31 23:59:59.999999+00", -1), ("10000-01-01 00:00:00+00", 253_402_300_800_000),
            ("294276-12-31 23:59:59.999999+00", 9_224_318_015_999_999),
            ("0001-01-01 00:00:00+00", -62_135_596_800_000),
            ("0001-12-31 23:59:59.999+00 BC", -62_135_596_800_001), ("infinity", .max),
            ("4714-11-24 00:00:00+00 BC", -210_866_803_200_000), ("-infinity", .min),
        ]
        let texts = [PostgresArray.nullable(sent + printed.map(\.0) + [nil])]
        let sql = PostgresStatement.test("select unnest($1::timestamptz[]) as value")
        let read = try await database.session.pool.withConnection {
            try await $0.query(sql, texts) { try $0.optionalInstant("value")?.milliseconds }
        }
        #expect(read == exact + [.min, .max, .max] + printed.map(\.1) + [nil])
    }

    @Test("Text that PostgreSQL does not print is no instant, and is not bytes")
    func unprintable() {
        for count in [1, 8, 12] {
            for index in 0..<2 * count {
                for byte in UInt8.min...UInt8.max where !"0123456789abcdef".utf8.contains(byte) {
                    var text = Array("\\x".utf8) + Array(repeating: 0x37, count: 2 * count)
                    text[2 + index] = byte
                    #expect(text.withUnsafeBytes { PostgresBytea.bytes($0) } == nil)
                }
            }
        }
        for text in ["", "\\", "\\X00", "x00", "\\x0", "00"] {
            #expect(Array(text.utf8).withUnsafeBytes { PostgresBytea.bytes($0) } == nil)
        }
        let endings = [
            "", ".+00", ".1234567+00", ".12a+00", "+01", "+00:30", "-00", "+00 AD", "+00 BCE",
            "+00 B", "+00\0",
        ]
        for var text in endings.map({ "2026-11-21 02:00:00" + $0 }) + [
            "", "-", "inf", "infinity ", "-infinit", "now", "2026-11-21", "2026-11-21T02:00:00+00",
            "2026-11-21 02:00+00", " 2026-11-21 02:00:00+00", "2026-13-01 00:00:00+00",
            "2026-02-29 00:00:00+00", "2026-00-10 00:00:00+00", "2026-11-31 00:00:00+00",
            "2026-11-21 25:00:00+00", "2026-11-21 02:60:00+00", "-2026-11-21 02:00:00+00",
            "11/21/2026 02:00:00 UTC", "99999999999999999999-01-01 00:00:00+00",
            "١٩٧٠-01-01 00:00:00+00",
        ] {
            let instant = text.withUTF8 { Instant(timestamptz: UnsafeRawBufferPointer($0)) }
            #expect(instant == nil, "\(text)")
        }
    }
}

extension String {
    var bytes: [UInt8] { Array(utf8) }
}
