/// The totals of a run, summed over the results of its users.
struct RecordedTotals: Hashable, Sendable {
    var users = 0
    var receipts = ReceiptTally()
    var entitlements = EntitlementTally()
    var requests = RequestTally()
    var oldestVerifiedAt: Instant?
    /// Unfinished batches; zero for a complete run.
    var batchesLeft = 0

    init() {}

    var counts: ViewCounts {
        ViewCounts(
            users: users, receipts: receipts.inScope, entitlements: entitlements.inScope)
    }
}

extension RecordedTotals {
    init(_ row: borrowing PostgresRow) throws {
        users = try row.int("users")
        receipts.inScope = try row.int("receipts_in_scope")
        receipts.verified = try row.int("receipts_verified")
        receipts.rejected = try row.int("receipts_rejected")
        receipts.unusable = try row.int("receipts_unusable")
        receipts.unverified = try row.int("receipts_unverified")
        entitlements.inScope = try row.int("entitlements_in_scope")
        entitlements.consistent = try row.int("entitlements_consistent")
        entitlements.withFinding = try row.int("entitlements_with_finding")
        entitlements.settling = try row.int("entitlements_settling")
        entitlements.unverified = try row.int("entitlements_unverified")
        entitlements.notJudged = try row.int("entitlements_not_judged")
        requests.production = try row.int("requests_production")
        requests.sandbox = try row.int("requests_sandbox")
        requests.sent = requests.production + requests.sandbox
        requests.retries = try row.int("requests_retries")
        oldestVerifiedAt = try row.optionalInstant("oldest_verified_at")
        batchesLeft = try row.int("batches_left")
    }
}
