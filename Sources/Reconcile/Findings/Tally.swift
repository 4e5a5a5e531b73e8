/// Counts of things in scope, each of which is in exactly one bucket.
package struct Tally<Bucket>: Sendable
where Bucket: CaseIterable & RawRepresentable<Int> & Sendable {
    /// Counted apart from the buckets, so that the controls can compare both.
    package var inScope = 0
    /// By raw value; no bucket has more cases. Inline, because every user has two tallies.
    private var counts = InlineArray<5, Int>(repeating: 0)

    package init() {}

    package subscript(_ bucket: Bucket) -> Int {
        get { counts[bucket.rawValue] }
        set { counts[bucket.rawValue] = newValue }
    }

    /// The sum of the buckets.
    var buckets: Int { Bucket.allCases.reduce(0) { $0 + self[$1] } }

    var isBalanced: Bool { inScope == buckets }

    mutating func add(_ count: Int = 1, to bucket: Bucket) {
        inScope += count
        self[bucket] += count
    }

    static func += (tally: inout Self, other: Self) {
        tally.inScope += other.inScope
        for bucket in Bucket.allCases { tally[bucket] += other[bucket] }
    }
}

extension Tally: Hashable {
    package static func == (left: Self, right: Self) -> Bool {
        left.inScope == right.inScope && Bucket.allCases.allSatisfy { left[$0] == right[$0] }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(inScope)
        for bucket in Bucket.allCases { hasher.combine(self[bucket]) }
    }
}
