/// What a `timestamptz` of PostgreSQL's can be.
enum PostgresTimestamp {
    /// Milliseconds since 1970 that are no infinity: 4713-11-24 BC to 294276-12-31, the ends that
    /// PostgreSQL documents for the type.
    static let finite: Range<Int64> = -210_866_803_200_000..<9_224_318_016_000_000
}
