/// Finds report folders whose runs the database does not have: it was restored from a backup, or a
/// failover undid the last run. Later runs report the events of these folders again.
///
/// Only where `latest` names such a run; a folder that several databases use is left alone.
package struct OrphanedFolders: Sendable {
    /// The run of `latest`; nil without a link of that name to a run's folder.
    package let latest: RunID?
    /// The folders of runs over everything that count, oldest first.
    let nights: [RunID]
}

extension OrphanedFolders {
    package init(reports: ReportsDirectory) {
        let target = reports.target(of: "latest").flatMap { RunFolder.isRun($0) ? $0 : nil }
        latest = target.map { RunID(text: $0) }
        nights =
            target == nil
            ? [] : RunFolder.all(in: reports).filter(\.makesHistory).map { RunID(text: $0.name) }
    }

    /// - Parameters:
    ///   - standing: the runs among `latest` and the nights that the database has, and neither
    ///     failed nor abandoned.
    ///   - newest: the newest published run of the database. Older folders are left alone.
    /// - Returns: oldest first; empty while the run of `latest` stands.
    package func orphans(standing: Set<RunID>, newest: RunID?) -> [RunID] {
        guard let latest, !standing.contains(latest) else { return [] }
        let later = nights.filter { night in
            newest.map { $0.text < night.text } ?? false && !standing.contains(night)
        }
        return later.filter { $0 != latest } + [latest]
    }

    /// The runs whose standing `orphans` asks for.
    package var runs: [RunID] { nights + (latest.map { [$0] } ?? []) }
}
