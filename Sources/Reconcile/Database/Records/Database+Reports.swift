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
                receipt: row.optionalID(0), user: row.optionalID(1), bundle: row.optionalID(2),
                cause: try row.text(3), attempts: try row.int(4),
                lastStatus: try row.optionalInt(5), lastHTTPStatus: try row.optionalInt(6),
                detail: row.optionalText(7), entitlementsAffected: try row.int(8))
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
            id: try row.text(0), finding: try Finding(row), lifecycle: try row.word(4),
            firstSeen: try row.instant(5), exposureDays: try row.optionalInt(22),
            estimatedAmount: row.optionalText(23), currency: row.optionalText(24))
    }
}

extension Finding {
    fileprivate init(_ row: borrowing PostgresRow) throws(PostgresError) {
        self.init(
            kind: try row.word(1), severity: try row.word(2), direction: try row.word(3),
            user: row.optionalID(6), explanation: try row.text(26), reference: try row.text(28))
        entitlement = row.optionalID(7)
        receipt = row.optionalID(8)
        productStored = row.optionalID(9)
        productApple = row.optionalID(10)
        originalTransaction = row.optionalID(11)
        transaction = row.optionalID(12)
        environment = try row.optionalWord(13)
        bundle = row.optionalID(14)
        ownership = try row.optionalWord(15)
        storedActive = try row.optionalBool(16)
        storedExpiresAt = try row.optionalInstant(17)
        appleState = try row.word(18)
        appleExpiresAt = try row.optionalInstant(19)
        eventAt = try row.optionalInstant(20)
        reason = row.optionalText(21)
        proposedAction = try row.word(25)
        evidenceSHA256 = row.optionalText(27)
    }
}
