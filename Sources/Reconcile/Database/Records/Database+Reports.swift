internal import SQL

extension Database {
    /// The lines of one report, in its order (SPEC §6).
    package func findings(of run: RunID, in file: FindingFile) -> DatabaseRows<ReportedFinding> {
        let kinds = FindingKind.allCases.filter { $0.file == file }.map(\.rawValue)
        return rows(SQL.runFindings, [run.text, PostgresArray.text(kinds)]) {
            row throws(PostgresError) in try ReportedFinding(row)
        }
    }

    /// The lines of `unverified`: by user and receipt, as UTF-8 bytes.
    package func unverified(of run: RunID) -> DatabaseRows<UnverifiedReceipt> {
        rows(SQL.runUnverified, [run.text]) { row throws(PostgresError) in
            UnverifiedReceipt(
                receipt: try row.optionalID("receipt_id"), user: try row.optionalID("user_id"),
                bundle: try row.optionalID("bundle_id"),
                cause: try row.text("cause"), attempts: try row.int("attempts"),
                lastStatus: try row.optionalInt("last_status"),
                lastHTTPStatus: try row.optionalInt("last_http_status"),
                detail: try row.optionalText("detail"),
                entitlementsAffected: try row.int("entitlements_affected"))
        }
    }

    /// The lines of `cleared`, in its order.
    package func cleared(of run: RunID) -> DatabaseRows<ReportedFinding> {
        rows(SQL.runCleared, [run.text]) { row throws(PostgresError) in try ReportedFinding(row) }
    }

    private func rows<T: Sendable>(
        _ statement: Statement, _ parameters: [String?], decode: @escaping Decode<T>
    ) -> DatabaseRows<T> {
        DatabaseRows(
            rows: PostgresStream(
                pool: pool, statement: PostgresStatement(statement), parameters: parameters,
                rowsAtOnce: 500, decode: decode))
    }
}

extension ReportedFinding {
    /// The columns of `run_findings`.
    init(_ row: borrowing PostgresRow) throws(PostgresError) {
        self.init(
            id: try row.text("finding_id"), finding: try Finding(row),
            lifecycle: try row.word("lifecycle"),
            firstSeen: try row.instant("first_seen"),
            exposureDays: try row.optionalInt("exposure_days"),
            estimatedAmount: try row.optionalText("estimated_amount"),
            currency: try row.optionalText("currency"))
    }
}

extension Finding {
    fileprivate init(_ row: borrowing PostgresRow) throws(PostgresError) {
        self.init(
            kind: try row.word("kind"), severity: try row.word("severity"),
            direction: try row.word("direction"),
            user: try row.optionalID("user_id"), explanation: try row.text("explanation"),
            reference: try row.text("reference"))
        entitlement = try row.optionalID("entitlement_id")
        receipt = try row.optionalID("receipt_id")
        productStored = try row.optionalID("product_stored")
        productApple = try row.optionalID("product_apple")
        originalTransaction = try row.optionalID("original_transaction_id")
        transaction = try row.optionalID("transaction_id")
        environment = try row.optionalWord("environment")
        bundle = try row.optionalID("bundle_id")
        ownership = try row.optionalWord("ownership")
        storedActive = try row.optionalBool("stored_active")
        storedExpiresAt = try row.optionalInstant("stored_expires_at")
        appleState = try row.word("apple_state")
        appleExpiresAt = try row.optionalInstant("apple_expires_at")
        eventAt = try row.optionalInstant("event_at")
        reason = try row.optionalText("reason")
        proposedAction = try row.word("proposed_action")
        evidenceSHA256 = try row.optionalText("evidence_sha256")
    }
}
