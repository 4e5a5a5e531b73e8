enum PostgresTimestamp {
    /// Finite values in milliseconds since 1970: 4713-11-24 BC to 294276-12-31, the range that
    /// PostgreSQL documents.
    static let finite: Range<Int64> = -210_866_803_200_000..<9_224_318_016_000_000
}
