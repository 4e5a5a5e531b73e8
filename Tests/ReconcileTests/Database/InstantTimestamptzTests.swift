internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("An instant in PostgreSQL")
struct InstantTimestamptzTests {
    @Test(
        "goes there and comes back to the millisecond",
        arguments: [
            0, 1, -1, 999, 1_763_690_400_123, -1_763_690_400_123, 253_402_300_800_000,
            9_007_199_254_740_993, -62_135_596_800_001, -62_167_219_200_000,
            -210_866_803_200_000, 9_224_318_015_999_999, .max, .min,
        ] as [Int64])
    func roundTrip(milliseconds: Int64) async throws {
        #expect(try await returned(milliseconds) == milliseconds)
    }

    @Test(
        "is infinite where PostgreSQL has no such day",
        arguments: [
            (-210_866_803_200_001, Int64.min), (9_224_318_016_000_000, .max), (.max - 1, .max),
        ] as [(Int64, Int64)])
    func clamps(milliseconds: Int64, expected: Int64) async throws {
        #expect(try await returned(milliseconds) == expected)
    }

    @Test("loses what is below a millisecond, downwards")
    func roundsDown() async throws {
        let texts = try await TestDatabase.with(.ownTables) { test in
            try await test.texts(
                """
                select reconcile.milliseconds(at) from unnest(array[
                    '1970-01-01 00:00:00.001999+00', '1969-12-31 23:59:59.999001+00', null
                ]::timestamptz[]) as at
                """)
        }
        #expect(texts == ["1", "-1", nil])
    }

    private func returned(_ milliseconds: Int64) async throws -> Int64? {
        let text = Instant(milliseconds: milliseconds).timestamptz
        return try await TestDatabase.with(.ownTables) { test in
            try await test.texts("select reconcile.milliseconds('\(text)')")
        }.first??.wholeNumber
    }
}

extension String {
    fileprivate var wholeNumber: Int64? { Int64(self) }
}
