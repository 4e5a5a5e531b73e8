internal import Glibc

/// Writes a folder that is about days and not of a run, whole, in place of an earlier one of the
/// same name: beside it, then exchanged. A reader sees the former files or the new ones.
package final class RangeFolder {
    private let name: RangeName
    private let reports: ReportsDirectory
    private let staging: StagingFolder
    private var files: [Manifest.Entry] = []

    /// Where it is written, before it has its name.
    var path: String { staging.folder.path }

    /// - Parameters:
    ///   - reports: as `ReportFolder.check` has returned it.
    ///   - group: the group that may read the folder; nil: the group that new files get.
    package init(
        reports: ReportsDirectory, named name: RangeName, group: ReportGroup? = nil
    ) throws(ReportError) {
        self.name = name
        self.reports = reports
        staging = try StagingFolder(reports: reports, named: name.text, group: group)
    }

    /// Call `add` with what its `finish` returns.
    func table<Row>(
        _ table: String, _ columns: [Column<Row>], sheet: TableSheet<Row>? = nil,
        note: @escaping (Row) -> Void = { _ in }
    ) throws(ReportError) -> ReportTable<Row> {
        try ReportTable(
            named: table, columns: columns, of: .none, .plain, in: staging.folder, sheet: sheet,
            note: note)
    }

    func file(_ name: String) throws(ReportError) -> ReportFile {
        try ReportFile(named: name, in: staging.folder)
    }

    func add(_ name: String, _ bytes: [UInt8]) throws(ReportError) {
        files.append(try staging.add(name, bytes))
    }

    func add(_ entries: [Manifest.Entry]) { files += entries }

    /// Adds `manifest.json` and `SHA256SUMS` and gives the folder its name.
    ///
    /// Whatever else was in an earlier folder goes, but `SIGNOFF.json` stays, and what else is
    /// beside its manifest where the manifest is the same.
    /// - Returns: its path.
    /// - Throws: `occupied` when the name belongs to what is not such a folder.
    func publish(codeVersion: String) throws(ReportError) -> String {
        defer { staging.discard() }
        files.append(try staging.add(Manifest.sumsName, Manifest.sums(files)))
        let manifest = try staging.add(
            RangeManifest.fileName,
            RangeManifest(
                kind: name.kind, days: name.days, codeVersion: codeVersion, files: files
            ).json)
        if let standing = try? OpenFolder(name.text, in: reports.folder) {
            // A signature stands for the bytes that were signed, also when others replace them.
            let isSame = PublishedFolder(standing).holds(manifest)
            for mark in isSame ? MarkedFolder.fileNames : [SignOffFile.fileName] {
                try staging.keep(mark)
            }
        }
        try staging.seal()
        return try staging.replace(files, manifest: manifest) { isReplaceable($0) }
    }

    /// Whether it is an earlier folder of this kind, without folders in it.
    private func isReplaceable(_ standing: OpenFolder) -> Bool {
        let manifest = standing.contents(of: RangeManifest.fileName, atMost: Self.mostBytes)
            .flatMap { RangeManifest($0) }
        guard manifest?.kind == name.kind, let names = standing.names else { return false }
        return !names.contains(where: standing.isFolder)
    }

    private static let mostBytes = 1 << 20
}

extension RangeFolder {
    /// Makes the reports folder and its parents where they are missing, and checks it as `run`
    /// does, which makes no parents: its folder must not be a misspelt one every night, but this
    /// command's is seen at once.
    package static func reports(
        _ path: String, group: ReportGroup? = nil
    ) throws(ReportError) -> ReportsDirectory {
        for index in path.indices.dropFirst() where path[index] == "/" {
            // What cannot be made is named by the check.
            mkdir(String(path[..<index]), 0o750)
        }
        return try ReportFolder.check(path, group: group)
    }
}

extension RowStamp {
    /// Of a table whose rows are of several runs, or of none.
    static let none = RowStamp(id: "", asOf: .distantPast, scope: nil)
}
