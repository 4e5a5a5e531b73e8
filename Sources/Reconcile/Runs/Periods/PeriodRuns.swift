/// The runs of a period, and the one that it opens with.
package struct PeriodRuns: Equatable, Sendable {
    package struct Night: Equatable, Sendable {
        let run: RunID
        let asOf: Instant
        /// Its rows were removed.
        let isPruned: Bool
    }

    /// Why a period cannot be added up.
    package struct Missing: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// The last run before the period; nil without one: all begins at 0.
    let opening: Night?
    /// At least one, by `as_of`.
    let inside: [Night]
    /// No run is as of the end or later.
    let isOpen: Bool

    var closing: Night { inside[inside.count - 1] }

    /// Of `days`, up to that of the closing run: what came and went between two runs is not known.
    func daysWithoutRun(in days: PacificDays) -> [Instant] {
        let covered = Set(inside.map(\.asOf.pacificDay))
        let last = isOpen ? closing.asOf.pacificDay : days.last
        return days.all.filter { $0 <= last && !covered.contains($0) }
    }
}

extension PeriodRuns {
    /// - Parameter history: the runs that count, by `as_of`.
    package init(of days: PacificDays, in history: [Night]) throws(Missing) {
        let instants = days.instants
        let inside = history.filter { instants.contains($0.asOf) }
        guard !inside.isEmpty else {
            throw Missing(
                description: "No published run over everything is as of \(days.firstText) to"
                    + " \(days.lastText) (Pacific time).\(Self.extent(of: history))")
        }
        opening = history.last { $0.asOf < instants.lowerBound }
        self.inside = inside
        isOpen = !history.contains { $0.asOf >= instants.upperBound }
        let needed = (opening.map { [$0] } ?? []) + inside
        if let pruned = needed.first(where: \.isPruned) {
            let oldest = history.first { !$0.isPruned }
            throw Missing(
                description: "The rows of run \(pruned.run), as of \(pruned.asOf), were removed"
                    + " (prune), so the period cannot be added up."
                    + (oldest.map { " The oldest run left is \($0.run), as of \($0.asOf)." } ?? ""))
        }
    }

    private static func extent(of history: [Night]) -> String {
        guard let first = history.first, let last = history.last else {
            return " There is none at all: run reconcile-job run first."
        }
        return " There are runs from \(first.asOf.pacificDay.dayText) to"
            + " \(last.asOf.pacificDay.dayText); reconcile-job runs lists them."
    }
}
