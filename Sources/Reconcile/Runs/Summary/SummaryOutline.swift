/// The numbers of a summary, once for all that show them: `summary.json` with `--output json`, the
/// text on the terminal, the page, the workbook and the metrics.
///
/// A row has the name of its member in `summary.json` and is found by the path of such names, which
/// the page prints beside each figure. `SummaryRows.swift` lists the rows: a new number is added
/// there.
package struct SummaryOutline: Sendable {
    struct Row: Sendable {
        let name: String
        /// What it is called where people read it.
        let label: String
        let value: Value
        var metric: Metric?

        init(_ name: String, _ label: String, _ value: Value, metric: Metric? = nil) {
            self.name = name
            self.label = label
            self.value = value
            self.metric = metric
        }

        /// A row that is called by its name.
        init(_ name: String, _ value: Value, metric: Metric? = nil) {
            self.init(name, name, value, metric: metric)
        }
    }

    indirect enum Value: Sendable {
        case none
        case text(String?)
        case texts([String])
        case truth(Bool)
        /// A number of things.
        case count(Int)
        case instant(Instant?)
        case amount(Money)
        case rows([Row])
        /// A total in scope and the buckets that must add up to it.
        case sum(Int, [Row])
        case list([[Row]])
    }

    /// A family of metrics. The rows of one with a label are its samples.
    struct Metric: Equatable, Sendable {
        let name: String
        let help: String
        /// What the names of the rows are the values of.
        var label: String?
    }

    let rows: [Row]
    /// The findings by kind, in the order of the rules: kinds with findings or cleared ones.
    let kinds: [KindCounts]

    struct KindCounts: Sendable {
        let kind: FindingKind
        let total: Int
        /// In the order of `Lifecycle`, which is that of the columns.
        let lifecycles: [Row]
        let severities: [Severity: Int]
        let cleared: Int
    }
}

extension SummaryOutline {
    /// The row at a path; nil where `summary.json` has no such member.
    func row(_ path: [String]) -> Row? {
        var rows = rows
        var found: Row?
        for (depth, name) in path.enumerated() {
            if case .list(let elements) = found?.value {
                guard let index = Int(name), elements.indices.contains(index) else { return nil }
                found = Row(name, .rows(elements[index]))
            } else {
                found = (depth == 0 ? rows : found?.value.rows ?? []).first { $0.name == name }
            }
            rows = found?.value.rows ?? []
        }
        return found
    }

    /// The rows at a path.
    func rows(_ path: String...) -> [Row] { row(path)?.value.rows ?? [] }

    /// Zero where there is no such number.
    func count(_ path: String...) -> Int { row(path)?.value.count ?? 0 }
}

extension SummaryOutline.Value {
    var rows: [SummaryOutline.Row] {
        switch self {
        case .rows(let rows): rows
        case .sum(let total, let parts): [.inScope(total)] + parts
        default: []
        }
    }

    var count: Int? { if case .count(let count) = self { count } else { nil } }

    var amount: Money? { if case .amount(let money) = self { money } else { nil } }

    var instant: Instant? { if case .instant(let instant) = self { instant } else { nil } }
}

extension SummaryOutline.Row {
    var count: Int { value.count ?? 0 }

    static func inScope(_ total: Int) -> Self { Self("in_scope", .count(total)) }
}
