/// Receipts in scope, each in exactly one bucket.
package struct ReceiptTally: Hashable, Sendable {
    package var inScope = 0
    package var verified = 0
    package var rejected = 0
    package var unusable = 0
    package var unverified = 0

    package init() {}

    /// All buckets together: as many as are in scope, when all is well.
    package var buckets: Int { verified + rejected + unusable + unverified }

    package var isBalanced: Bool { inScope == buckets }

    package static func += (tally: inout Self, other: Self) {
        tally.inScope += other.inScope
        tally.verified += other.verified
        tally.rejected += other.rejected
        tally.unusable += other.unusable
        tally.unverified += other.unverified
    }
}

/// Calls to Apple, counted as they were sent.
package struct RequestTally: Hashable, Sendable {
    package var sent = 0
    package var production = 0
    package var sandbox = 0
    /// Calls beyond the first to one environment for one receipt.
    package var retries = 0
    /// By Apple's `status`.
    package var byStatus: [Int: Int] = [:]
    /// By HTTP status; calls that brought no HTTP answer are in none.
    package var byHTTPStatus: [Int: Int] = [:]

    package init() {}

    /// HTTP answers of any kind.
    package var answered: Int { byHTTPStatus.values.reduce(0, +) }

    package static func += (tally: inout Self, other: Self) {
        tally.sent += other.sent
        tally.production += other.production
        tally.sandbox += other.sandbox
        tally.retries += other.retries
        tally.byStatus.merge(other.byStatus, uniquingKeysWith: +)
        tally.byHTTPStatus.merge(other.byHTTPStatus, uniquingKeysWith: +)
    }
}
