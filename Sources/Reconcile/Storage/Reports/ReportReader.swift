internal import SQL

package struct ReportReader: Sendable {
    let session: DatabaseSession

    /// The rows of one report, in the order of the report contract.
    package func findings(of run: RunID, in file: FindingFile) -> DatabaseRows<ReportedFinding> {
        let kinds = FindingKind.allCases.filter { $0.file == file }.map(\.rawValue)
        return rows(
            FindingStatement.found, [run.text, PostgresArray.text(kinds)]
        ) { row in try ReportedFinding(row) }
    }

    /// The rows of `unverified`, by user and receipt as UTF-8 bytes.
    package func unverified(of run: RunID) -> DatabaseRows<UnverifiedReceipt> {
        rows(PostgresStatement(SQL.runUnverified), [run.text]) { row in
            UnverifiedReceipt(
                receipt: try row.optionalID("receipt_id"), user: try row.optionalID("user_id"),
                bundle: try row.optionalID("bundle_id"),
                cause: try row.text("cause"), attempts: try row.int("attempts"),
                lastStatus: try row.optionalInt("last_status"),
                lastHTTPStatus: try row.optionalInt("last_http_status"),
                detail: try row.optionalText("detail"),
                entitlementsAffected: try row.int("entitlements_affected"),
                source: try row.optionalWord("source"))
        }
    }

    package func cleared(of run: RunID) -> DatabaseRows<ReportedFinding> {
        rows(FindingStatement.cleared, [run.text]) { row in try ReportedFinding(row)
        }
    }

    /// The rows of `not_reported`, by user and entitlement as UTF-8 bytes.
    package func notReported(of run: RunID) -> DatabaseRows<NotReportedRow> {
        rows(PostgresStatement(SQL.runNotReported), [run.text]) { row in
            NotReportedRow(
                user: try row.optionalID("user_id"),
                notReported: NotReported(
                    entitlement: try row.optionalID("entitlement_id"),
                    bucket: try row.word("bucket"), kind: try row.optionalWord("kind"),
                    cause: try row.word("cause")))
        }
    }

    package func findingTotals(of run: RunID) -> DatabaseRows<FindingTotal> {
        rows(PostgresStatement(SQL.sumFindings), [run.text, Self.events]) { row in
            FindingTotal(
                FindingTotal.Group(
                    eventDay: try row.optionalInstant("event_day"),
                    eventDayPacific: try row.optionalInstant("event_day_pacific"),
                    bundle: try row.optionalID("bundle_id"),
                    product: try row.optionalID("product_id"), kind: try row.word("kind"),
                    direction: try row.word("direction"), lifecycle: try row.word("lifecycle"),
                    currency: try row.optionalText("currency"),
                    amountBasis: try row.optionalWord("amount_basis"),
                    age: try row.optionalWord("age")),
                count: try row.int("findings"), amount: try row.optionalText("amount"))
        }
    }

    private static let events = PostgresArray.text(FindingKind.events.map(\.rawValue).sorted())

    private func rows<T: Sendable>(
        _ statement: PostgresStatement, _ parameters: [String?],
        decode: @escaping DatabaseSession.Decode<T>
    ) -> DatabaseRows<T> {
        DatabaseRows(rows: session.stream(statement, parameters, decode: decode))
    }
}

// MARK: Totals

extension ReportReader {
    func totals(of run: RunID) async throws(DatabaseError) -> RecordedTotals {
        let rows = try await session.query(SQL.runTotals, [run.text]) { row in
            try RecordedTotals(row)
        }
        var totals = rows.first ?? RecordedTotals()
        let requests = try await session.query(SQL.runRequests, [run.text]) { row in
            RequestCount(
                server: try row.word("server"), httpStatus: try row.optionalInt("http_status"),
                status: try row.optionalInt("status"), requests: try row.int("requests"),
                retries: try row.int("retries"))
        }
        totals.requests = RequestTally(requests)
        return totals
    }

    /// Counted from the rows of outcomes, to check `totals`.
    func countedOutcomes(of run: RunID) async throws(DatabaseError) -> Tally<ReceiptBucket> {
        let counts = try await session.query(SQL.countOutcomes, [run.text]) { row in
            (outcome: try row.text("outcome"), count: try row.int("receipts"))
        }
        return counts.reduce(into: Tally()) { tally, counted in
            tally.inScope += counted.count
            // One in no bucket lets the control not balance.
            for bucket in ReceiptBucket.allCases where bucket.name == counted.outcome {
                tally[bucket] += counted.count
            }
        }
    }

    /// Whether a receipt was not sent because `--max-runtime` had passed.
    func wentPastMaxRuntime(_ run: RunID) async throws(DatabaseError) -> Bool {
        try await session.query(SQL.wentPastMaxRuntime, [run.text]) { row in
            try row.bool("is_past")
        } == [true]
    }

    func countedFindings(of run: RunID) async throws(DatabaseError) -> FindingTally {
        let counts = try await session.query(SQL.countFindings, [run.text]) { row in
            (
                kind: try row.word("kind") as FindingKind,
                severity: try row.word("severity") as Severity,
                lifecycle: try row.word("lifecycle") as Lifecycle,
                count: try row.int("findings")
            )
        }
        return counts.reduce(into: FindingTally()) { tally, counted in
            tally.add(counted.kind, counted.severity, counted.lifecycle, count: counted.count)
        }
    }

    /// Counts stored entitlements from the findings, to check the bucket `withFinding`.
    func countedEntitlements(withFindingOf kinds: some Sequence<FindingKind>, in run: RunID)
        async throws(DatabaseError) -> Int
    {
        let names = PostgresArray.text(kinds.map(\.rawValue))
        let counts = try await session.query(SQL.countEntitlementsWithFinding, [run.text, names]) {
            row in try row.int("entitlements")
        }
        return counts.first ?? 0
    }
}
