internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Instants in PostgreSQL")
struct TimestamptzTests: DatabaseSuite {
    private static let exact: [Int64] = [
        0, 1, -1, 999, 1_763_690_400_123, -1_763_690_400_123, 253_402_300_800_000,
        9_007_199_254_740_993, -62_135_596_800_001, -62_167_219_200_000, -210_866_803_200_000,
        9_224_318_015_999_999, .max, .min,
    ]
    /// Outside PostgreSQL's range.
    private static let clamped: [(Int64, Int64)] = [
        (-210_866_803_200_001, .min), (9_224_318_016_000_000, .max), (.max - 1, .max),
    ]
    private static let random: [Int64] = {
        var generator = SeededGenerator(11)
        let range = PostgresTimestamp.finite.lowerBound..<PostgresTimestamp.finite.upperBound
        return (0..<5_000).map { _ in Int64.random(in: range, using: &generator) }
    }()

    @Test(
        "An instant is stored to the millisecond, and as an infinity outside PostgreSQL's range",
        .database(.ownTables))
    func roundTrip() async throws {
        let sent = Self.exact + Self.clamped.map(\.0) + Self.random
        let read = try await returned(sent.map { Instant(milliseconds: $0).timestamptz })
        #expect(read == Self.exact + Self.clamped.map(\.1) + Self.random)
    }

    @Test("Microseconds are rounded down to the millisecond", .database(.ownTables))
    func roundsDown() async throws {
        let read = try await returned(
            ["1970-01-01 00:00:00.001999+00", "1969-12-31 23:59:59.999001+00", nil])
        #expect(read == [1, -1, nil])
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
            "2026-11-21", "2026-11-21 02:00:00", "2026-11-21T02:00:00+00", "2026-11-21 02:00+00",
            "2026-11-21 02:00:00.+00", "2026-11-21 02:00:00.1234567+00",
            "2026-11-21 02:00:00.12a+00", "2026-11-21 02:00:00+01", "2026-11-21 02:00:00+00:30",
            "2026-11-21 02:00:00-00", "2026-11-21 02:00:00+00 AD", "2026-11-21 02:00:00+00 BCE",
            "2026-11-21 02:00:00+00 B", "2026-11-21 02:00:00+00\0", " 2026-11-21 02:00:00+00",
            "2026-13-01 00:00:00+00", "2026-02-29 00:00:00+00", "2026-00-10 00:00:00+00",
            "2026-11-31 00:00:00+00", "2026-11-21 25:00:00+00", "2026-11-21 02:60:00+00",
            "-2026-11-21 02:00:00+00", "11/21/2026 02:00:00 UTC",
            "99999999999999999999-01-01 00:00:00+00", "١٩٧٠-01-01 00:00:00+00",
        ])
    func refuses(text: String) { #expect(Self.instant(text) == nil) }

    private static func instant(_ text: String) -> Instant? {
        var text = text
        return text.withUTF8 { Instant(timestamptz: UnsafeRawBufferPointer($0)) }
    }

    /// The milliseconds of these texts, as read from PostgreSQL.
    private func returned(_ texts: [String?]) async throws -> [Int64?] {
        let sql = "select at as value from unnest($1::timestamptz[]) as at"
        return try await database.session.pool.withConnection {
            connection async throws(PostgresError) in
            try await connection.query(.test(sql), [PostgresArray.nullable(texts)]) {
                row throws(PostgresError) in try row.optionalInstant("value")?.milliseconds
            }
        }
    }
}
