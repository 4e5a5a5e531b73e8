internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Instants in PostgreSQL")
struct TimestamptzTests {
    @Test(
        "An instant is stored and read back to the millisecond",
        arguments: [
            0, 1, -1, 999, 1_763_690_400_123, -1_763_690_400_123, 253_402_300_800_000,
            9_007_199_254_740_993, -62_135_596_800_001, -62_167_219_200_000,
            -210_866_803_200_000, 9_224_318_015_999_999, .max, .min,
        ] as [Int64])
    func roundTrip(milliseconds: Int64) async throws {
        #expect(try await returned(milliseconds) == milliseconds)
    }

    @Test(
        "An instant outside PostgreSQL's range is stored as infinity",
        arguments: [
            (-210_866_803_200_001, Int64.min), (9_224_318_016_000_000, .max), (.max - 1, .max),
        ] as [(Int64, Int64)])
    func clamps(milliseconds: Int64, expected: Int64) async throws {
        #expect(try await returned(milliseconds) == expected)
    }

    @Test("Microseconds are rounded down to the millisecond")
    func roundsDown() async throws {
        try await TestDatabase.connected(.ownTables) { _, database in
            let instants = try await instants(
                """
                select at::timestamptz as value from unnest(array[
                    '1970-01-01 00:00:00.001999+00', '1969-12-31 23:59:59.999001+00', null
                ]) as at
                """, database)
            #expect(instants.map(\.?.milliseconds) == [1, -1, nil])
        }
    }

    @Test("Every instant that PostgreSQL prints is read back, over the whole range")
    func random() async throws {
        try await TestDatabase.connected(.ownTables) { _, database in
            var generator = SeededGenerator(11)
            let range = PostgresTimestamp.finite.lowerBound..<PostgresTimestamp.finite.upperBound
            let expected = (0..<5_000).map { _ in Int64.random(in: range, using: &generator) }
            let texts = expected.map { "'\(Instant(milliseconds: $0).timestamptz)'" }
            let instants = try await instants(
                """
                select at::timestamptz as value
                from unnest(array[\(texts.joined(separator: ","))]) as at
                """,
                database)
            #expect(instants.map(\.?.milliseconds) == expected)
        }
    }

    @Test(
        "A fraction of up to six digits is read, in any year",
        arguments: [
            ("1970-01-01 00:00:00+00", 0), ("1970-01-01 00:00:01.5+00", 1_500),
            ("1970-01-01 00:00:00.12+00", 120), ("1970-01-01 00:00:00.123+00", 123),
            ("1970-01-01 00:00:00.1234+00", 123), ("1970-01-01 00:00:00.00099+00", 0),
            ("1970-01-01 00:00:00.999999+00", 999), ("1969-12-31 23:59:59.999999+00", -1),
            ("2026-11-21 02:00:00.123+00", 1_795_226_400_123),
            ("10000-01-01 00:00:00+00", 253_402_300_800_000),
            ("294276-12-31 23:59:59.999999+00", 9_224_318_015_999_999),
            ("0001-01-01 00:00:00+00", -62_135_596_800_000),
            ("0001-12-31 23:59:59.999+00 BC", -62_135_596_800_001),
            ("4714-11-24 00:00:00+00 BC", -210_866_803_200_000),
            ("infinity", .max), ("-infinity", .min),
        ] as [(String, Int64)])
    func reads(text: String, milliseconds: Int64) {
        #expect(Self.instant(text)?.milliseconds == milliseconds)
    }

    @Test(
        "Text that PostgreSQL does not print is refused",
        arguments: [
            "", " ", "-", "i", "inf", "infinity ", "-infinit", "now", "2026", "2026-11",
            "2026-11-21", "2026-11-21 02:00:00", "2026-11-21T02:00:00+00",
            "2026-11-21 02:00+00", "2026-11-21 02:00:00.+00", "2026-11-21 02:00:00.1234567+00",
            "2026-11-21 02:00:00.12a+00", "2026-11-21 02:00:00+01", "2026-11-21 02:00:00+00:30",
            "2026-11-21 02:00:00-00", "2026-11-21 02:00:00+00 AD", "2026-11-21 02:00:00+00 BCE",
            "2026-11-21 02:00:00+00 B", "2026-11-21 02:00:00+00\0", " 2026-11-21 02:00:00+00",
            "2026-13-01 00:00:00+00", "2026-02-29 00:00:00+00", "2026-00-10 00:00:00+00",
            "2026-11-31 00:00:00+00", "2026-11-21 25:00:00+00", "2026-11-21 02:60:00+00",
            "-2026-11-21 02:00:00+00", "11/21/2026 02:00:00 UTC",
            "99999999999999999999-01-01 00:00:00+00", "١٩٧٠-01-01 00:00:00+00",
        ])
    func refuses(text: String) {
        #expect(Self.instant(text) == nil)
    }

    private static func instant(_ text: String) -> Instant? {
        var text = text
        return text.withUTF8 { Instant(timestamptz: UnsafeRawBufferPointer($0)) }
    }

    private func returned(_ milliseconds: Int64) async throws -> Int64? {
        let text = Instant(milliseconds: milliseconds).timestamptz
        return try await TestDatabase.connected(.ownTables) { _, database in
            let instant = try await instants("select '\(text)'::timestamptz as value", database)
                .first
            return instant??.milliseconds
        }
    }

    private func instants(_ sql: String, _ database: Database) async throws -> [Instant?] {
        try await database.session.pool.withConnection { connection async throws(PostgresError) in
            try await connection.query(PostgresStatement(name: "test", text: sql)) {
                row throws(PostgresError) in try row.optionalInstant("value")
            }
        }
    }
}
