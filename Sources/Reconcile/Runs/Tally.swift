/// Receipts in scope, each in exactly one bucket.
package struct ReceiptTally: Hashable, Sendable {
    package var inScope = 0
    var verified = 0
    var rejected = 0
    var unusable = 0
    package var unverified = 0

    init() {}

    var buckets: Int { verified + rejected + unusable + unverified }

    mutating func count(_ validation: Validation) {
        inScope += 1
        switch validation {
        case .verified: verified += 1
        case .rejected: rejected += 1
        case .unusable: unusable += 1
        case .unverified: unverified += 1
        }
    }

    var isBalanced: Bool { inScope == buckets }

    static func += (tally: inout Self, other: Self) {
        tally.inScope += other.inScope
        tally.verified += other.verified
        tally.rejected += other.rejected
        tally.unusable += other.unusable
        tally.unverified += other.unverified
    }
}
