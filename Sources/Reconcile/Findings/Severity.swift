/// How soon an operator should look. The most severe comes first.
package enum Severity: String, Hashable, Sendable, CaseIterable {
    case critical, high, medium, low, info

    /// 0 for `critical`; the order of rows in a report.
    package var rank: Int {
        switch self {
        case .critical: 0
        case .high: 1
        case .medium: 2
        case .low: 3
        case .info: 4
        }
    }
}
