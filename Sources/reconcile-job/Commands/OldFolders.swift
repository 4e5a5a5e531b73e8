internal import Reconcile

/// `--keep N`: removes or lists the published folders that are older than the last N nights.
struct OldFolders: Sendable {
    let nights: Int
    private let directory: ReportsDirectory

    private var reports: String { directory.path }

    /// Nil without `--keep`.
    init?(_ configuration: Configuration, in reports: ReportsDirectory) {
        guard let nights = configuration.keptNights else { return nil }
        self.nights = nights
        directory = reports
    }

    /// Returns the removed folders, and with the reason those that stay although they are old.
    func remove() throws(ReportError) -> (removed: [String], kept: [String]) {
        let retention = ReportRetention(reports: directory)
        var removed: [String] = []
        var kept: [String] = []
        for folder in retention.outdated(keeping: nights) {
            if let reason = folder.reasonToKeep {
                kept.append("\(reports)/\(folder.name): \(reason)")
            } else {
                try retention.remove(folder)
                removed.append("\(reports)/\(folder.name)")
            }
        }
        return (removed, kept)
    }

    /// What `remove` would do, also as if one more night were published; one line per folder.
    func list(afterAnother: Bool = false) -> [String] {
        let retention = ReportRetention(reports: directory)
        return retention.outdated(keeping: nights, afterAnother: afterAnother).map { folder in
            let path = "\(reports)/\(folder.name)"
            return folder.reasonToKeep.map { "stays    \(path): \($0)" } ?? "removes  \(path)"
        }
    }
}
