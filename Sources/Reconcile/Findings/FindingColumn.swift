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
        FindingColumn("finding_id", text: \.id),
        FindingColumn("kind", word: \.finding.kind),
        FindingColumn("severity", word: \.finding.severity),
        FindingColumn("direction", word: \.finding.direction),
        FindingColumn("lifecycle", word: \.lifecycle),
        FindingColumn("first_seen", instant: \.firstSeen),
        FindingColumn("user_id", id: \.finding.user),
        FindingColumn("entitlement_id", id: \.finding.entitlement),
        FindingColumn("receipt_id", id: \.finding.receipt),
    ]

    private static let storedSide = [
        FindingColumn("product_stored", id: \.finding.productStored),
        FindingColumn("product_apple", id: \.finding.productApple),
        FindingColumn("original_transaction_id", id: \.finding.originalTransaction),
        FindingColumn("transaction_id", id: \.finding.transaction),
        FindingColumn("environment", optionalWord: \.finding.environment),
        FindingColumn("bundle_id", id: \.finding.bundle),
        FindingColumn("ownership", optionalWord: \.finding.ownership),
        FindingColumn("stored_active", boolean: \.finding.storedActive),
        FindingColumn("stored_expires_at", optionalInstant: \.finding.storedExpiresAt),
    ]

    private static let appleSide = [
        FindingColumn("apple_state", word: \.finding.appleState),
        FindingColumn("apple_expires_at", optionalInstant: \.finding.appleExpiresAt),
        FindingColumn("event_at", optionalInstant: \.finding.eventAt),
        FindingColumn("reason", optionalText: \.finding.reason),
    ]

    private static let judgement = [
        FindingColumn("exposure_days", integer: \.exposureDays),
        FindingColumn("estimated_amount", decimal: \.estimatedAmount),
        FindingColumn("currency", optionalText: \.currency),
        FindingColumn("proposed_action", word: \.finding.proposedAction),
        FindingColumn("explanation", text: \.finding.explanation),
        FindingColumn("evidence_sha256", digest: \.finding.evidenceSHA256),
        FindingColumn("run_id", ofRun: { .text($0.id) }),
        FindingColumn("as_of", ofRun: { .instant($0.asOf) }),
    ]

    private static let additions = [
        FindingColumn("money_bucket", derived: { .text($0.finding.moneyBucket?.rawValue) }),
        FindingColumn("evidence_signed", boolean: \.finding.evidenceSigned),
        FindingColumn("scope", ofRun: { .text($0.scope) }),
        FindingColumn("reference", text: \.finding.reference),
        FindingColumn("no_amount", optionalWord: \.noAmount, in: .tableOnly),
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
    init(
        _ name: StaticString, in scope: Scope, _ type: Cell,
        value: @escaping @Sendable (ReportedFinding) -> Cell,
        take: @escaping @Sendable (inout ReportedFinding, Cell) -> Bool
    ) {
        key = name
        self.scope = scope
        self.type = type
        self.value = { row, _ in value(row) }
        self.take = take
    }

    init(_ name: StaticString, ofRun value: @escaping @Sendable (RowStamp) -> Cell) {
        key = name
        scope = .reportsOnly
        type = .text(nil)
        self.value = { _, run in value(run) }
        take = { _, _ in false }
    }

    /// A column computed from others, which is not read back.
    init(
        _ name: StaticString, derived value: @escaping @Sendable (ReportedFinding) -> Cell,
        in scope: Scope = .tableAndReports
    ) {
        self.init(name, in: scope, .text(nil), value: value, take: { _, _ in true })
    }

    typealias Path<Value> = any WritableKeyPath<ReportedFinding, Value> & Sendable

    init(_ name: StaticString, text path: Path<String>, in scope: Scope = .tableAndReports) {
        self.init(
            name, in: scope, .text(nil), value: { .text($0[keyPath: path]) },
            take: { row, cell in
                guard case .text(let text?) = cell else { return false }
                row[keyPath: path] = text
                return true
            })
    }

    init(_ name: StaticString, optionalText path: Path<String?>) {
        self.init(
            name, in: .tableAndReports, .text(nil), value: { .text($0[keyPath: path]) },
            take: { row, cell in
                guard case .text(let text) = cell else { return false }
                row[keyPath: path] = text
                return true
            })
    }

    init<Tag>(_ name: StaticString, id path: Path<Identifier<Tag>?>) {
        self.init(
            name, in: .tableAndReports, .text(nil), value: { .text($0[keyPath: path]?.text) },
            take: { row, cell in
                guard case .text(let text) = cell else { return false }
                row[keyPath: path] = text.map { Identifier($0) }
                return true
            })
    }

    init<Word: RawRepresentable<String> & SendableMetatype>(
        _ name: StaticString, word path: Path<Word>
    ) {
        self.init(
            name, in: .tableAndReports, .text(nil), value: { .text($0[keyPath: path].rawValue) },
            take: { row, cell in
                guard case .text(let text?) = cell, let word = Word(rawValue: text) else {
                    return false
                }
                row[keyPath: path] = word
                return true
            })
    }

    init<Word: RawRepresentable<String> & SendableMetatype>(
        _ name: StaticString, optionalWord path: Path<Word?>, in scope: Scope = .tableAndReports
    ) {
        self.init(
            name, in: scope, .text(nil), value: { .text($0[keyPath: path]?.rawValue) },
            take: { row, cell in
                guard case .text(let text) = cell else { return false }
                let word = text.flatMap(Word.init)
                row[keyPath: path] = word
                return text == nil || word != nil
            })
    }

    init(_ name: StaticString, instant path: Path<Instant>) {
        self.init(
            name, in: .tableAndReports, .instant(nil), value: { .instant($0[keyPath: path]) },
            take: { row, cell in
                guard case .instant(let instant?) = cell else { return false }
                row[keyPath: path] = instant
                return true
            })
    }

    init(_ name: StaticString, optionalInstant path: Path<Instant?>) {
        self.init(
            name, in: .tableAndReports, .instant(nil), value: { .instant($0[keyPath: path]) },
            take: { row, cell in
                guard case .instant(let instant) = cell else { return false }
                row[keyPath: path] = instant
                return true
            })
    }

    init(_ name: StaticString, boolean path: Path<Bool?>) {
        self.init(
            name, in: .tableAndReports, .boolean(nil), value: { .boolean($0[keyPath: path]) },
            take: { row, cell in
                guard case .boolean(let truth) = cell else { return false }
                row[keyPath: path] = truth
                return true
            })
    }

    init(_ name: StaticString, integer path: Path<Int?>) {
        self.init(
            name, in: .tableAndReports, .integer(nil), value: { .integer($0[keyPath: path]) },
            take: { row, cell in
                guard case .integer(let number) = cell else { return false }
                row[keyPath: path] = number
                return true
            })
    }

    init(_ name: StaticString, decimal path: Path<String?>) {
        self.init(
            name, in: .tableAndReports, .decimal(nil), value: { .decimal($0[keyPath: path]) },
            take: { row, cell in
                guard case .decimal(let digits) = cell else { return false }
                row[keyPath: path] = digits
                return true
            })
    }

    init(_ name: StaticString, digest path: Path<String?>) {
        self.init(
            name, in: .tableAndReports, .digest(nil), value: { .digest($0[keyPath: path]) },
            take: { row, cell in
                guard case .digest(let digits) = cell else { return false }
                row[keyPath: path] = digits
                return true
            })
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
