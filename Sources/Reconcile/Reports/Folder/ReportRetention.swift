/// The published folders that `--keep N` removes: those older than the last N nights.
///
/// A night is a run over everything that counts: it was not retracted, and it was released if it
/// was held. Folders of other runs are removed when they are older than the oldest night that
/// stays. A folder is removed whole, and only when it holds nothing but what its manifest lists.
package struct ReportRetention {
    package struct Folder: Equatable, Sendable {
        /// The run's id, with `-trial` for a trial.
        package let name: String
        /// Why it stays although it is old; nil: it may go.
        package let reasonToKeep: String?
    }

    private let reports: ReportsDirectory

    package init(reports: ReportsDirectory) { self.reports = reports }

    /// The folders older than the newest `nights` nights, oldest first, without that of `latest`.
    /// - Parameter afterAnother: as if one more night were published, to which `latest` points.
    package func outdated(keeping nights: Int, afterAnother: Bool = false) -> [Folder] {
        let folders = RunFolder.all(in: reports)
        let count = afterAnother ? nights - 1 : nights
        // Reads no summary older than the oldest night that stays.
        let kept = Array(folders.reversed().lazy.filter(\.makesHistory).prefix(count))
        guard kept.count == count else { return [] }
        let oldest = kept.last?.name
        return folders.prefix { folder in oldest.map { folder.name < $0 } ?? true }
            .filter { afterAnother || !reports.isSame("latest", $0.name) }
            .map { Folder(name: $0.name, reasonToKeep: $0.reasonToKeep) }
    }

    /// Renames a folder to a hidden name, then removes its files. Succeeds when it is already gone.
    /// - Throws: `cannotRemove`, also for the folder of `latest`. The folder then keeps its name.
    package func remove(_ folder: Folder) throws(ReportError) {
        let path = reports.path + "/" + folder.name
        let hidden = ReportsDirectory.stagingName(for: folder.name)
        try reports.locked { () throws(ReportError) in
            guard reports.folder.contains(folder.name) else { return }
            guard !reports.isSame("latest", folder.name) else {
                throw ReportError(.cannotRemove("latest leads to it"), path: path)
            }
            try reports.rename(folder.name, to: hidden)
            reports.remove(folder: hidden)
            guard !reports.folder.contains(hidden) else {
                let reason = "its files cannot be removed"
                try reports.rename(hidden, to: folder.name)
                throw ReportError(.cannotRemove(reason), path: path)
            }
            try reports.folder.sync()
        }
    }
}
