/// Statements write to schema `reconcile` and to temporary tables, and only read the team's tables.
enum SchemaRule {
    /// Builds schema `app`, the reference receipt service.
    static let exempt: Set = ["sql/reference_app.sql"]
    /// Statements that fill schema `app`, or belong to the receipt validation service.
    static let exemptFolders = ["sql/reference/", "sql/service/"]
    /// The roles that the job creates.
    static let roles: Set = [
        "reconcile_job", "reconcile_service", "reconcile_reader", "reconcile_evidence",
        "reconcile_receipts",
    ]

    private static func isExempt(_ path: String) -> Bool {
        exempt.contains(path) || exemptFolders.contains { path.hasPrefix($0) }
    }

    static func violations(in files: [SourceFile]) -> [Violation] {
        let writes = files.filter { $0.isSQL && !isExempt($0.path) }.flatMap { file in
            SQLWrite.all(in: SQLScanner(file.text).tokens).map { (file.path, $0) }
        }
        let temporary = Set(writes.filter(\.1.isTemporary).map(\.1.target))
        return writes.compactMap { path, write in
            guard !write.isTemporary, !write.target.isOurs, !temporary.contains(write.target) else {
                return nil
            }
            return Violation(
                path: path, line: write.line, rule: .arrow(.writingToTheApplication),
                what: "`\(write.verb)` writes to \(write.target)")
        }
    }
}

extension SQLWrite.Target: CustomStringConvertible {
    fileprivate var isOurs: Bool {
        switch self {
        case .relation(let schema, _): schema == "reconcile" || schema == "pg_temp"
        case .schema(let name): name == "reconcile"
        case .role(let name): SchemaRule.roles.contains(name)
        case .other: false
        }
    }

    var description: String {
        switch self {
        case .relation(let schema?, let name): "`\(schema).\(name)`"
        case .relation(nil, let name): "`\(name)`, which names no schema"
        case .schema(let name): "schema `\(name)`"
        case .role(let name): "role `\(name)`"
        case .other(let kind): "`\(kind)`, which lies in no schema"
        }
    }
}
