/// The totals of a run, summed over the results of its users.
struct RecordedTotals: Hashable, Sendable {
    var users = 0
    var receipts = Tally<ReceiptBucket>()
    var entitlements = Tally<EntitlementBucket>()
    var requests = RequestTally()
    var oldestVerifiedAt: Instant?
    var sourcesAgree = 0
    var sourcesDiffer = 0
    var statusesAgree = 0
    var statusesDiffer = 0
    /// Unfinished batches; zero for a complete run.
    var batchesLeft = 0

    var counts: ViewCounts {
        ViewCounts(
            users: users, receipts: receipts.inScope, entitlements: entitlements.inScope)
    }
}

extension RecordedTotals {
    init(_ row: borrowing PostgresRow) throws {
        users = try row.int("users")
        receipts.inScope = try row.int("receipts_in_scope")
        for bucket in ReceiptBucket.allCases {
            receipts[bucket] = try row.int(bucket.column)
        }
        entitlements.inScope = try row.int("entitlements_in_scope")
        for bucket in EntitlementBucket.allCases {
            entitlements[bucket] = try row.int(bucket.column)
        }
        oldestVerifiedAt = try row.optionalInstant("oldest_verified_at")
        sourcesAgree = try row.int("sources_agree")
        sourcesDiffer = try row.int("sources_differ")
        statusesAgree = try row.int("statuses_agree")
        statusesDiffer = try row.int("statuses_differ")
        batchesLeft = try row.int("batches_left")
    }
}

extension ReceiptBucket {
    fileprivate var column: StaticString {
        switch self {
        case .verified: "receipts_verified"
        case .rejected: "receipts_rejected"
        case .unusable: "receipts_unusable"
        case .unverified: "receipts_unverified"
        }
    }
}

extension EntitlementBucket {
    fileprivate var column: StaticString {
        switch self {
        case .consistent: "entitlements_consistent"
        case .withFinding: "entitlements_with_finding"
        case .settling: "entitlements_settling"
        case .unverified: "entitlements_unverified"
        case .notJudged: "entitlements_not_judged"
        }
    }
}
