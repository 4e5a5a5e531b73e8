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

struct RequestRecord: Hashable, Sendable {
    var production = 0
    var sandbox = 0
    /// Calls beyond the first to one environment for one receipt.
    var retries = 0
    var statuses: [Int] = []
    var httpStatuses: [Int] = []

    init() {}

    var sent: Int { production + sandbox }

    mutating func count(_ environment: StoreEnvironment, isRetry: Bool) {
        if isRetry { retries += 1 }
        switch environment {
        case .production: production += 1
        case .sandbox: sandbox += 1
        }
    }

    static func += (record: inout Self, other: Self) {
        record.production += other.production
        record.sandbox += other.sandbox
        record.retries += other.retries
        record.statuses += other.statuses
        record.httpStatuses += other.httpStatuses
    }
}

package struct RequestTally: Hashable, Sendable {
    package var sent = 0
    var production = 0
    var sandbox = 0
    var retries = 0
    var byStatus: [Int: Int] = [:]
    /// By HTTP status. Calls without an HTTP answer are not counted.
    var byHTTPStatus: [Int: Int] = [:]

    init() {}

    package var answered: Int { byHTTPStatus.values.reduce(0, +) }
}
