package struct DifferenceReport: Sendable {
    private let isJSON: Bool
    package private(set) var count = 0

    package init(isJSON: Bool) { self.isJSON = isJSON }

    package mutating func bytes(_ difference: FindingDifference) -> [UInt8] {
        defer { count += 1 }
        guard isJSON else { return Array(Self.lines(difference).utf8) }
        var bytes: [UInt8] = Array((count == 0 ? "[\n" : ",\n").utf8)
        bytes.append(contentsOf: Self.json(difference).compact)
        return bytes
    }

    package var end: [UInt8] {
        guard isJSON else { return [] }
        return Array((count == 0 ? "[]\n" : "\n]\n").utf8)
    }

    private static func lines(_ difference: FindingDifference) -> String {
        let row = difference.finding
        let sign: String
        var lines: [String] = []
        switch difference {
        case .added:
            sign = "+"
            lines = [row.finding.explanation]
        case .gone:
            sign = "-"
            lines = [row.finding.explanation]
        case .changed(_, let changes):
            sign = "~"
            lines = changes.map { "\($0.name): \($0.old.orNothing) → \($0.new.orNothing)" }
        }
        let who = [row.finding.user?.text, row.finding.entitlement?.text].compactMap(\.self)
        let head = ([sign, row.id, row.finding.kind.rawValue] + who).joined(separator: " ")
        let body = lines.flatMap { $0.escapingControls().wrapped(to: 96) }.map { "    " + $0 }
        return ([head.escapingControls()] + body).map { $0 + "\n" }.joined()
    }

    private static func json(_ difference: FindingDifference) -> PrintedJSON {
        let finding = difference.finding.finding
        let change: (String, PrintedJSON)
        switch difference {
        case .added: change = ("added", .null)
        case .gone: change = ("gone", .null)
        case .changed(_, let changes):
            change = (
                "changed",
                .object(
                    changes.map {
                        ($0.name, .object([("old", .string($0.old)), ("new", .string($0.new))]))
                    })
            )
        }
        return .object([
            ("change", .string(change.0)), ("finding_id", .string(difference.finding.id)),
            ("kind", .string(finding.kind.rawValue)),
            ("severity", .string(finding.severity.rawValue)),
            ("user_id", PrintedJSON(finding.user?.text)),
            ("entitlement_id", PrintedJSON(finding.entitlement?.text)),
            ("explanation", .string(finding.explanation)), ("columns", change.1),
        ])
    }
}

extension String {
    fileprivate var orNothing: String { isEmpty ? "(nothing)" : self }
}
