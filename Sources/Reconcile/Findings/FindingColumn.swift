/// The only list of columns: reports print by it, COPY writes and SELECT reads by it.
/// CONTRIBUTING.md lists what else a new column needs.
struct FindingColumn: Sendable {
    /// Where the column is.
    enum Scope: Sendable {
        case tableAndReports
        case reportsOnly
        case tableOnly
    }

    let key: StaticString
    let scope: Scope
    let value: @Sendable (ReportedFinding, RowStamp) -> Cell
    /// Stores a value that was read; false for a value that the column cannot have.
    let take: @Sendable (inout ReportedFinding, Cell) -> Bool
    let type: Cell

    var name: String { key.description }

    /// In the order of the report contract. New columns come last; none is moved or renamed.
    static let all = identity + storedSide + appleSide + judgement + additions

    private static let identity = [
        FindingColumn("finding_id", \.id),
        FindingColumn("kind", \.finding.kind),
        FindingColumn("severity", \.finding.severity),
        FindingColumn("direction", \.finding.direction),
        FindingColumn("lifecycle", \.lifecycle),
        FindingColumn("first_seen", \.firstSeen),
        FindingColumn("user_id", \.finding.user),
        FindingColumn("entitlement_id", \.finding.entitlement),
        FindingColumn("receipt_id", \.finding.receipt),
    ]

    private static let storedSide = [
        FindingColumn("product_stored", \.finding.productStored),
        FindingColumn("product_apple", \.finding.productApple),
        FindingColumn("original_transaction_id", \.finding.originalTransaction),
        FindingColumn("transaction_id", \.finding.transaction),
        FindingColumn("environment", \.finding.environment),
        FindingColumn("bundle_id", \.finding.bundle),
        FindingColumn("ownership", \.finding.ownership),
        FindingColumn("stored_active", \.finding.storedActive),
        FindingColumn("stored_expires_at", \.finding.storedExpiresAt),
    ]

    private static let appleSide = [
        FindingColumn("apple_state", \.finding.appleState),
        FindingColumn("apple_expires_at", \.finding.appleExpiresAt),
        FindingColumn("event_at", \.finding.eventAt),
        FindingColumn("reason", \.finding.reason),
    ]

    private static let judgement = [
        FindingColumn("exposure_days", \.exposureDays),
        FindingColumn(
            "estimated_amount", .decimal(nil), value: { .decimal($0.estimatedAmount) },
            take: { row, cell in
                guard case .decimal(let digits) = cell else { return false }
                row.estimatedAmount = digits
                return true
            }),
        FindingColumn("currency", \.currency),
        FindingColumn("proposed_action", \.finding.proposedAction),
        FindingColumn("explanation", \.finding.explanation),
        FindingColumn(
            "evidence_sha256", .digest(nil), value: { .digest($0.finding.evidenceSHA256) },
            take: { row, cell in
                guard case .digest(let digits) = cell else { return false }
                row.finding.evidenceSHA256 = digits
                return true
            }),
        FindingColumn("run_id", ofRun: { .text($0.id) }),
        FindingColumn("as_of", ofRun: { .instant($0.asOf) }),
    ]

    private static let additions = [
        FindingColumn("money_bucket", derived: { .text($0.finding.moneyBucket?.rawValue) }),
        FindingColumn("evidence_signed", \.finding.evidenceSigned),
        FindingColumn("scope", ofRun: { .text($0.scope) }),
        FindingColumn("reference", \.finding.reference),
        FindingColumn("no_amount", \.noAmount, in: .tableOnly),
        FindingColumn(
            "is_unclaimed", derived: { .boolean($0.finding.isUnclaimed) }, in: .tableOnly),
        FindingColumn(
            "severity_rank", derived: { .integer($0.finding.severity.rank) }, in: .tableOnly),
    ]

    static let reported = all.filter { $0.scope != .tableOnly }
    /// The columns of `reconcile.finding`, except `run_id`.
    static let stored = all.filter { $0.scope != .reportsOnly }
}

extension FindingColumn {
    /// A column of one value, which is written and read as its type says.
    init<Value: CellValue>(
        _ name: StaticString, _ path: any WritableKeyPath<ReportedFinding, Value> & Sendable,
        in scope: Scope = .tableAndReports
    ) {
        self.init(
            name, in: scope, Value.empty, value: { $0[keyPath: path].cell },
            take: { row, cell in
                guard let value = Value(cell: cell) else { return false }
                row[keyPath: path] = value
                return true
            })
    }

    /// A column computed from others, which is not read back.
    init(
        _ name: StaticString, derived value: @escaping @Sendable (ReportedFinding) -> Cell,
        in scope: Scope = .tableAndReports
    ) {
        self.init(name, in: scope, .text(nil), value: value, take: { _, _ in true })
    }

    init(_ name: StaticString, ofRun value: @escaping @Sendable (RowStamp) -> Cell) {
        key = name
        scope = .reportsOnly
        type = .text(nil)
        self.value = { _, run in value(run) }
        take = { _, _ in false }
    }

    private init(
        _ name: StaticString, in scope: Scope = .tableAndReports, _ type: Cell,
        value: @escaping @Sendable (ReportedFinding) -> Cell,
        take: @escaping @Sendable (inout ReportedFinding, Cell) -> Bool
    ) {
        key = name
        self.scope = scope
        self.type = type
        self.value = { row, _ in value(row) }
        self.take = take
    }
}

extension ReportedFinding {
    /// A row to read columns into; every value is replaced.
    static var blank: ReportedFinding {
        let kind = FindingKind.allCases[0]
        return ReportedFinding(
            id: "", finding: Finding(kind: kind, weight: kind.weight, user: nil, explanation: ""),
            firstSeen: .distantPast)
    }
}

struct RowStamp: Sendable {
    let id: String
    let asOf: Instant
    /// The column `scope`: nil for a run over everything.
    let scope: String?
}
