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
        package let obstacle: String?
    }

    private let reports: ReportsDirectory

    /// - Throws: `cannotCreate` when `path` cannot be opened as a folder.
    package init(reports path: String) throws(ReportError) {
        reports = try ReportsDirectory(path: path)
    }

    /// The folders older than the newest `nights` nights, oldest first, without that of `latest`.
    /// - Parameter afterAnother: as if one more night were published, to which `latest` points.
    package func outdated(keeping nights: Int, afterAnother: Bool = false) -> [Folder] {
        let names = (ReportsDirectory.names(at: reports.path) ?? [])
            .filter { Self.isRun($0) && reports.isFolder($0) }.sorted()
        let count = afterAnother ? nights - 1 : nights
        // Reads no summary older than the oldest night that stays.
        let kept = Array(names.reversed().lazy.filter(isNight).prefix(count))
        guard kept.count == count else { return [] }
        let oldest = kept.last
        return names.prefix { name in oldest.map { name < $0 } ?? true }
            .filter { afterAnother || !reports.isSame("latest", $0) }
            .map { Folder(name: $0, obstacle: obstacle(to: $0)) }
    }

    /// Renames a folder to a hidden name, then removes its files. Succeeds when it is already gone.
    /// - Throws: `cannotRemove`, also for the folder of `latest`. The folder then keeps its name.
    package func remove(_ folder: Folder) throws(ReportError) {
        let path = reports.path + "/" + folder.name
        let hidden = ReportsDirectory.stagingName(for: folder.name)
        try reports.locked { () throws(ReportError) in
            guard reports.contains(folder.name) else { return }
            guard !reports.isSame("latest", folder.name) else {
                throw ReportError(.cannotRemove("latest leads to it"), path: path)
            }
            try reports.rename(folder.name, to: hidden)
            reports.remove(folder: hidden)
            guard !reports.contains(hidden) else {
                let reason = "its files cannot be removed"
                try reports.rename(hidden, to: folder.name)
                throw ReportError(.cannotRemove(reason), path: path)
            }
            try reports.sync()
        }
    }

    /// Whether the name is a run id, such as `20261120T020000Z-3f2a91`, or that of a trial.
    static func isRun(_ name: String) -> Bool {
        let id = name.hasSuffix(trialSuffix) ? name.dropLast(trialSuffix.count) : name[...]
        let form = "00000000T000000Z-ffffff"
        return id.utf8.count == form.utf8.count
            && zip(id, form).allSatisfy { character, kind in
                switch kind {
                case "0": ("0"..."9").contains(character)
                case "f": ("0"..."9").contains(character) || ("a"..."f").contains(character)
                default: character == kind
                }
            }
    }

    private static let trialSuffix = "-trial"
    private static let mostDocumentBytes = 16 << 20

    private func isNight(_ name: String) -> Bool {
        guard let summary = document("summary.json", in: name),
            summary["scope"] == "everything", let files = files(in: name)
        else { return false }
        let isReleased = files.contains(MarkedFolder.Mark.released.fileName)
        let isRetracted = files.contains(MarkedFolder.Mark.retracted.fileName)
        return (summary["status"] != "held" || isReleased) && !isRetracted
    }

    /// Why the folder may not be removed or replaced; nil when it may.
    func obstacle(to name: String) -> String? {
        guard let manifest = document("manifest.json", in: name),
            let id = manifest["run_id"], name == id || name == id + Self.trialSuffix,
            let files = files(in: name)
        else { return "its manifest.json cannot be read, or is another folder's" }
        let listed = Manifest.entries(in: manifest).map(\.name)
        let known = Set(listed + MarkedFolder.fileNames + ["manifest.json"])
        let extra = files.filter { !known.contains($0) || reports.isFolder(name + "/" + $0) }.min()
        return extra.map { "it also holds \($0.debugDescription)" }
    }

    private func files(in name: String) -> [String]? {
        ReportsDirectory.names(at: reports.path + "/" + name)
    }

    private func document(_ file: String, in name: String) -> PrintedPaths? {
        FileReader("\(reports.path)/\(name)/\(file)")
            .map { PrintedPaths($0.take(Self.mostDocumentBytes)) }
    }
}
