struct ExplainLive: Sendable {
    struct Change: Sendable {
        /// `group:NAME`, `product:NAME`, or a kind of finding.
        let subject: String
        /// Nil: not present.
        let before: String?
        let now: String?
        let sentence: String?
    }

    let changes: [Change]

    init(_ live: CustomerFile.Live, since file: CustomerFile) {
        changes = Self.rights(live, file) + Self.findings(live, file)
    }

    /// Matches rights by name and row id.
    private static func rights(_ live: CustomerFile.Live, _ file: CustomerFile) -> [Change] {
        func key(_ right: JudgedRight) -> [String] { [right.right, right.row?.id.text ?? ""] }
        let before = Dictionary(
            (file.rights ?? []).map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
        let now = Set(live.rights.map(key))
        let changed = live.rights.compactMap { right -> Change? in
            let earlier = before[key(right)]
            guard earlier.map(words) != words(right) else { return nil }
            return Change(
                subject: right.right, before: earlier.map(words), now: words(right),
                sentence: right.sentence(asOf: live.at, among: live.findings))
        }
        let gone = (file.rights ?? []).filter { !now.contains(key($0)) }.map { right in
            Change(subject: right.right, before: words(right), now: nil, sentence: nil)
        }
        return changed + gone
    }

    private static func words(_ right: JudgedRight) -> String {
        let kind = right.kind.map { " \($0.rawValue)" } ?? ""
        let apple = right.apple.map { apple in
            let end = apple.endsAt.map { " until \($0)" } ?? ""
            return ", Apple: \(apple.state.rawValue)\(end)"
        }
        return right.outcome.rawValue + kind + (apple ?? "")
    }

    private static func findings(_ live: CustomerFile.Live, _ file: CustomerFile) -> [Change] {
        let kinds = Set(((file.rights ?? []) + live.rights).compactMap(\.kind))
        func others(_ rows: [ReportedFinding]) -> [ReportedFinding] {
            rows.filter { !kinds.contains($0.finding.kind) && !$0.finding.kind.isEvent }
        }
        let before = Set(file.findings.map(\.id))
        let now = Set(live.findings.map(\.id))
        return others(live.findings).filter { !before.contains($0.id) }.map { row in
            Change(
                subject: row.finding.kind.rawValue, before: nil, now: "found",
                sentence: row.finding.explanation)
        }
            + others(file.findings).filter { !now.contains($0.id) }.map { row in
                Change(
                    subject: row.finding.kind.rawValue, before: "found", now: nil, sentence: nil)
            }
    }
}
