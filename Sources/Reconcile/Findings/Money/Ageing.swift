/// The findings that lose somebody something, by how long they do: each direction by kind and by
/// product. Accepted ones are counted and carry no money, as in `totals`.
struct Ageing: Hashable, Sendable {
    struct Part: Hashable, Sendable {
        var findings = 0
        var money: [Currency: Money] = [:]
    }

    /// Of one kind or product, by age; nil: it is unknown since when.
    typealias Parts = [Age?: Part]

    private(set) var parts: [Direction: [MoneyBreakdown.Dimension: [String: Parts]]] = [:]

    static let directions: [Direction] = [.leak, .owed]
    static let dimensions: [MoneyBreakdown.Dimension] = [.kind, .product]
    /// In the order of columns.
    static let ages: [Age?] = Age.allCases + [nil]

    /// - Parameter name: of the kind, or of the product; empty when it is unknown.
    mutating func add(
        _ findings: Int, _ money: Money? = nil, aged age: Age?, _ direction: Direction,
        by dimension: MoneyBreakdown.Dimension, _ name: String
    ) throws(MoneyTally.Unsummable) {
        var part = parts[direction]?[dimension]?[name]?[age] ?? Part()
        part.findings += findings
        if let money {
            let sum = part.money[money.currency]?.minorUnits ?? 0
            let (total, overflows) = sum.addingReportingOverflow(money.minorUnits)
            guard !overflows else {
                throw MoneyTally.Unsummable(what: "the \(direction.rawValue) of \(name) overflows")
            }
            part.money[money.currency] = Money(minorUnits: total, in: money.currency)
        }
        parts[direction, default: [:]][dimension, default: [:]][name, default: [:]][age] = part
    }

    mutating func add(_ row: ReportedFinding, asOf: Instant) throws(MoneyTally.Unsummable) {
        let finding = row.finding
        guard Self.directions.contains(finding.direction) else { return }
        let money = row.currency.flatMap(Currency.init).flatMap { currency in
            row.estimatedAmount.flatMap { Money($0, in: currency) }
        }
        let age = Age(of: finding, asOf: asOf)
        let product = (finding.productApple ?? finding.productStored)?.text ?? ""
        for (dimension, name) in [
            (MoneyBreakdown.Dimension.kind, finding.kind.rawValue), (.product, product),
        ] {
            try add(1, money, aged: age, finding.direction, by: dimension, name)
        }
    }

    /// The names of a dimension, those with most findings first; equal ones by name.
    func names(_ direction: Direction, by dimension: MoneyBreakdown.Dimension) -> [String] {
        let counts = (parts[direction]?[dimension] ?? [:]).mapValues { parts in
            parts.values.reduce(0) { $0 + $1.findings }
        }
        return counts.sorted { left, right in
            left.value == right.value
                ? left.key.bytesPrecede(right.key) : left.value > right.value
        }.map(\.key)
    }

    /// All of a direction that is so old.
    func sum(_ direction: Direction, _ age: Age?, in currency: Currency) -> Money {
        let parts = (parts[direction]?[.kind] ?? [:]).values.compactMap { $0[age]?.money[currency] }
        return Money(minorUnits: parts.reduce(0) { $0 + $1.minorUnits }, in: currency)
    }

    func part(
        _ direction: Direction, by dimension: MoneyBreakdown.Dimension, _ name: String, _ age: Age?
    ) -> Part {
        parts[direction]?[dimension]?[name]?[age] ?? Part()
    }
}

extension Ageing {
    /// The key of an age in `summary.json`.
    static func key(of age: Age?) -> String { age?.rawValue ?? "unknown" }

    static func title(of age: Age?) -> String { age?.title ?? "not known" }
}
