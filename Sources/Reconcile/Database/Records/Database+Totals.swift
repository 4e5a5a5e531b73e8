internal import SQL

/// A run in numbers, summed over the results of its users.
package struct RunTotals: Hashable, Sendable {
    /// Each receipt in one bucket; the reports' `controls.receipts`.
    package var receipts = ReceiptTally()
    /// Each stored entitlement in one bucket; the reports' `controls.entitlements`.
    package var entitlements = EntitlementTally()
    /// Calls to Apple.
    package var requests = RequestTally()
    /// The earliest answer that the run judged by.
    package var oldestVerifiedAt: Instant?
    /// Batches that nobody has judged: none, in a run that went to its end.
    package var batchesLeft = 0

    package init() {}
}

extension Database {
    /// The results of the run's users, added up. A run without users is all zeros.
    package func totals(of run: RunID) async throws(DatabaseError) -> RunTotals {
        let rows = try await query(SQL.runTotals, [run.text]) { row throws(PostgresError) in
            try RunTotals(row)
        }
        var totals = rows.first ?? RunTotals()
        let statuses = try await query(SQL.runStatuses, [run.text]) { row throws(PostgresError) in
            (
                isHTTP: try row.bool("is_http"), status: try row.int("status"),
                count: try row.int("number")
            )
        }
        for status in statuses {
            if status.isHTTP {
                totals.requests.byHTTPStatus[status.status] = status.count
            } else {
                totals.requests.byStatus[status.status] = status.count
            }
        }
        return totals
    }

    /// Counted from the rows of the outcomes: the control on `totals`.
    package func countedOutcomes(of run: RunID) async throws(DatabaseError) -> ReceiptTally {
        let counts = try await query(SQL.countOutcomes, [run.text]) { row throws(PostgresError) in
            (outcome: try row.text("outcome"), count: try row.int("receipts"))
        }
        return counts.reduce(into: ReceiptTally()) { tally, counted in
            tally.inScope += counted.count
            switch counted.outcome {
            case "verified": tally.verified += counted.count
            case "rejected": tally.rejected += counted.count
            case "unusable": tally.unusable += counted.count
            case "unverified": tally.unverified += counted.count
            default: break  // In no bucket, so the control does not balance.
            }
        }
    }

    /// Whether a receipt of the run was not asked about because its time was over.
    package func wentPastMaxRuntime(_ run: RunID) async throws(DatabaseError) -> Bool {
        try await query(SQL.wentPastMaxRuntime, [run.text]) { row throws(PostgresError) in
            try row.bool("is_past")
        } == [true]
    }

    /// Counted from the rows of the findings.
    package func countedFindings(of run: RunID) async throws(DatabaseError) -> FindingTally {
        let counts = try await query(SQL.countFindings, [run.text]) { row throws(PostgresError) in
            (
                kind: try row.word("kind") as FindingKind,
                severity: try row.word("severity") as Severity,
                isAccepted: try row.bool("is_accepted"), count: try row.int("findings")
            )
        }
        return counts.reduce(into: FindingTally()) { tally, counted in
            tally.add(
                counted.kind, counted.severity, count: counted.count,
                isAccepted: counted.isAccepted)
        }
    }

    /// Summed from the rows of the findings.
    /// - Throws: `DatabaseError`, or `MoneyTally.Unsummable` for what no run of ours has written.
    package func countedMoney(of run: RunID) async throws -> MoneyTally {
        let sums = try await query(SQL.countMoney, [run.text]) { row throws(PostgresError) in
            (
                bucket: try row.word("bucket") as MoneyTally.Bucket, code: try row.text("currency"),
                amount: try row.text("amount")
            )
        }
        return try sums.reduce(into: MoneyTally()) { tally, sum in
            guard let currency = Currency(sum.code), let money = Money(sum.amount, in: currency)
            else { throw MoneyTally.Unsummable(what: "\(sum.amount) \(sum.code)") }
            try tally.add(money, to: sum.bucket)
        }
    }

    /// How many stored entitlements have a finding of one of `kinds`: the control on
    /// `EntitlementTally.withFinding`, with the kinds of SPEC §5's first table.
    package func countedEntitlements(withFindingOf kinds: some Sequence<FindingKind>, in run: RunID)
        async throws(DatabaseError) -> Int
    {
        let names = PostgresArray.text(kinds.map(\.rawValue))
        let counts = try await query(SQL.countEntitlementsWithFinding, [run.text, names]) {
            row throws(PostgresError) in try row.int("entitlements")
        }
        return counts.first ?? 0
    }
}

extension RunTotals {
    fileprivate init(_ row: borrowing PostgresRow) throws(PostgresError) {
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
