/// Receipts in scope, each in exactly one bucket.
package struct ReceiptTally: Hashable, Sendable {
    package var inScope = 0
    package var verified = 0
    package var rejected = 0
    package var unusable = 0
    package var unverified = 0

    package init() {}

    /// The sum of all buckets. Must equal `inScope`.
    package var buckets: Int { verified + rejected + unusable + unverified }

    package mutating func count(_ validation: Validation) {
        inScope += 1
        switch validation {
        case .verified: verified += 1
        case .rejected: rejected += 1
        case .unusable: unusable += 1
        case .unverified: unverified += 1
        }
    }

    package var isBalanced: Bool { inScope == buckets }

    package static func += (tally: inout Self, other: Self) {
        tally.inScope += other.inScope
        tally.verified += other.verified
        tally.rejected += other.rejected
        tally.unusable += other.unusable
        tally.unverified += other.unverified
    }
}

/// The calls to Apple for some receipts.
package struct RequestRecord: Hashable, Sendable {
    package var production = 0
    package var sandbox = 0
    /// Calls beyond the first to one environment for one receipt.
    package var retries = 0
    /// Apple's `status` of each answer that had one.
    package var statuses: [Int] = []
    package var httpStatuses: [Int] = []

    package init() {}

    package var sent: Int { production + sandbox }

    package mutating func count(_ environment: StoreEnvironment, isRetry: Bool) {
        if isRetry { retries += 1 }
        switch environment {
        case .production: production += 1
        case .sandbox: sandbox += 1
        }
    }

    package static func += (record: inout Self, other: Self) {
        record.production += other.production
        record.sandbox += other.sandbox
        record.retries += other.retries
        record.statuses += other.statuses
        record.httpStatuses += other.httpStatuses
    }
}

/// Totals of the calls of a run to Apple.
package struct RequestTally: Hashable, Sendable {
    package var sent = 0
    package var production = 0
    package var sandbox = 0
    /// Calls beyond the first to one environment for one receipt.
    package var retries = 0
    package var byStatus: [Int: Int] = [:]
    /// By HTTP status. Calls without an HTTP answer are not counted.
    package var byHTTPStatus: [Int: Int] = [:]

    package init() {}

    package var answered: Int { byHTTPStatus.values.reduce(0, +) }
}
