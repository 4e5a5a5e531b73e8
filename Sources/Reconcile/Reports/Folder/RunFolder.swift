/// A folder of a run in the reports folder, as its own files describe it.
struct RunFolder {
    let name: String
    private let reports: ReportsDirectory

    private static let trialSuffix = "-trial"
    private static let mostDocumentBytes = 16 << 20

    init(_ name: String, in reports: ReportsDirectory) {
        self.name = name
        self.reports = reports
    }

    /// The folders whose names are a run id, such as `20261120T020000Z-3f2a91`, or that of a trial,
    /// sorted.
    static func all(in reports: ReportsDirectory) -> [RunFolder] {
        (reports.folder.names ?? [])
            .filter { isRun($0) && reports.folder.isFolder($0) }.sorted()
            .map { RunFolder($0, in: reports) }
    }

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

    /// Whether its run is over everything and counts: not retracted, and released if it was held.
    var makesHistory: Bool {
        guard let summary = document("summary.json"), summary["scope"] == "everything",
            let files = folder?.names
        else { return false }
        let isReleased = files.contains(MarkedFolder.Mark.released.fileName)
        let isRetracted = files.contains(MarkedFolder.Mark.retracted.fileName)
        return (summary["status"] != "held" || isReleased) && !isRetracted
    }

    /// Why the folder must not be removed or replaced: it is not that of its name, or holds more
    /// than its manifest lists. Nil: it may be.
    var reasonToKeep: String? {
        guard let manifest = document("manifest.json"),
            let id = manifest["run_id"], name == id || name == id + Self.trialSuffix, let folder,
            let files = folder.names
        else { return "its manifest.json cannot be read, or is another folder's" }
        let listed = Manifest.entries(in: manifest).map(\.name)
        let known = Set(listed + MarkedFolder.fileNames + ["manifest.json"])
        let extra = files.filter { !known.contains($0) || folder.isFolder($0) }.min()
        return extra.map { "it also holds \($0.debugDescription)" }
    }

    private var folder: OpenFolder? { try? OpenFolder(name, in: reports.folder) }

    private func document(_ file: String) -> PrintedPaths? {
        folder?.contents(of: file, atMost: Self.mostDocumentBytes).map(PrintedPaths.init)
    }
}
