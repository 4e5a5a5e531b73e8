/// Counts of findings, from the rows of the report.
package struct FindingTally: Hashable, Sendable {
    private(set) var byKind: [FindingKind: Int] = [:]
    private(set) var bySeverity: [Severity: Int] = [:]
    private(set) var byFile: [FindingFile: Int] = [:]
    private(set) var byLifecycle: [Lifecycle: Int] = [:]
    private(set) var lifecycleByKind: [FindingKind: [Lifecycle: Int]] = [:]
    private(set) var severityByKind: [FindingKind: [Severity: Int]] = [:]
    /// Accepted findings. The other counts include them.
    private(set) var accepted: [Severity: Int] = [:]

    package func open(_ severity: Severity) -> Int {
        (bySeverity[severity] ?? 0) - (accepted[severity] ?? 0)
    }

    /// Events are told once, so they are no part of what stands from night to night.
    var events: Int { byKind.reduce(0) { $0 + ($1.key.isEvent ? $1.value : 0) } }

    var refunds: Int { byKind.reduce(0) { $0 + ($1.key.money == .refund ? $1.value : 0) } }

    var byDirection: [Direction: Int] {
        severityByKind.reduce(into: [:]) { counts, entry in
            for (severity, count) in entry.value {
                counts[entry.key.direction(of: severity), default: 0] += count
            }
        }
    }

    package var total: Int { byKind.values.reduce(0, +) }

    mutating func add(
        _ kind: FindingKind, _ severity: Severity, _ lifecycle: Lifecycle = .new, count: Int = 1
    ) {
        if lifecycle == .accepted { accepted[severity, default: 0] += count }
        byKind[kind, default: 0] += count
        bySeverity[severity, default: 0] += count
        byFile[kind.file, default: 0] += count
        byLifecycle[lifecycle, default: 0] += count
        lifecycleByKind[kind, default: [:]][lifecycle, default: 0] += count
        severityByKind[kind, default: [:]][severity, default: 0] += count
    }
}
