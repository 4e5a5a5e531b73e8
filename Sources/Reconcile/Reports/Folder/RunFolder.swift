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
        (ReportsDirectory.names(at: reports.path) ?? [])
            .filter { isRun($0) && reports.isFolder($0) }.sorted()
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
    var isNight: Bool {
        guard let summary = document("summary.json"), summary["scope"] == "everything", let files
        else { return false }
        let isReleased = files.contains(MarkedFolder.Mark.released.fileName)
        let isRetracted = files.contains(MarkedFolder.Mark.retracted.fileName)
        return (summary["status"] != "held" || isReleased) && !isRetracted
    }

    /// Why the folder must not be removed or replaced: it is not that of its name, or holds more
    /// than its manifest lists. Nil: it may be.
    var obstacle: String? {
        guard let manifest = document("manifest.json"),
            let id = manifest["run_id"], name == id || name == id + Self.trialSuffix, let files
        else { return "its manifest.json cannot be read, or is another folder's" }
        let listed = Manifest.entries(in: manifest).map(\.name)
        let known = Set(listed + MarkedFolder.fileNames + ["manifest.json"])
        let extra = files.filter { !known.contains($0) || reports.isFolder(name + "/" + $0) }.min()
        return extra.map { "it also holds \($0.debugDescription)" }
    }

    private var files: [String]? { ReportsDirectory.names(at: reports.path + "/" + name) }

    private func document(_ file: String) -> PrintedPaths? {
        FileReader("\(reports.path)/\(name)/\(file)")
            .map { PrintedPaths($0.take(Self.mostDocumentBytes)) }
    }
}
