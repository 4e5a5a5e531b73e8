internal import Glibc

/// A worker's hidden folder, which gets its final name by an atomic rename.
///
/// It is locked while its process lives, so that other processes recognize leftovers. Sync order:
/// each file, this folder, the rename, the parent, then the symbolic link. After a power failure no
/// name points to missing bytes. Everything is read back before the link moves.
final class StagingFolder {
    let folder: OpenFolder
    private let reports: ReportsDirectory
    private let name: String
    private let finalName: String
    /// Whether the folder still has its hidden name and is this worker's to remove.
    private var isStaged = true

    init(
        reports: ReportsDirectory, named finalName: String, group: ReportGroup? = nil
    ) throws(ReportError) {
        let name = ReportsDirectory.stagingName(for: finalName)
        self.reports = reports
        self.name = name
        self.finalName = finalName
        // Must be the last property: if this throws, `deinit` does not run and removes nothing that
        // this worker did not create.
        folder = try reports.locked { () throws(ReportError) in
            try reports.restoreFormer()
            reports.removeLeftovers()
            return try reports.makeLockedFolder(name, for: group)
        }
    }

    deinit { discard() }

    func discard() {
        guard isStaged else { return }
        isStaged = false
        reports.remove(folder, named: name)
    }

    func add(_ name: String, _ bytes: [UInt8]) throws(ReportError) -> Manifest.Entry {
        let file = try ReportFile(named: name, in: folder)
        try file.write { $0.append(contentsOf: bytes) }
        return try file.finish(rows: nil)
    }

    /// Lets the group read the folder and syncs it. All files must be written.
    func seal() throws(ReportError) {
        try ReportsDirectory.admitGroup(to: folder)
        try folder.sync()
    }

    /// What becomes of a folder of the same run with another manifest.
    enum OtherFolder {
        /// It is replaced: its run is not recorded, since a failover undid that after the rename.
        case isReplaced
        case isKept
    }

    /// Renames the folder to its final name and reads it back to check that it contains `files`.
    ///
    /// If a folder with the same `manifest` exists, another worker published this run, perhaps
    /// without moving `latest`; then its content must match.
    /// - Returns: the path, and whether a folder with another manifest was replaced.
    /// - Throws: `occupied` when its manifest differs, and it is kept or not the run's alone;
    ///   `contentMismatch` when another file differs.
    func publish(
        _ files: [Manifest.Entry], manifest: Manifest.Entry, other: OtherFolder
    ) throws(ReportError) -> (path: String, replacesOther: Bool) {
        var replacesOther = false
        // The first worker of a run renames its folder; the others find the folder.
        try reports.locked { () throws(ReportError) in
            if reports.folder.contains(finalName) {
                let standing = try OpenFolder(finalName, in: reports.folder)
                guard !PublishedFolder(standing).holds(manifest) else { return }
                guard other == .isReplaced, RunFolder(finalName, in: reports).reasonToKeep == nil
                else { throw ReportError(.occupied, path: standing.path) }
                replacesOther = true
            }
            try takeFinalName()
        }
        try sync()
        let published = PublishedFolder(try OpenFolder(finalName, in: reports.folder))
        try published.require(files + [manifest])
        return (published.path, replacesOther)
    }

    /// A folder that has the name goes.
    private func takeFinalName() throws(ReportError) {
        guard reports.folder.contains(finalName) else {
            try reports.rename(name, to: finalName)
            isStaged = false
            return
        }
        let former = try reports.replace(finalName, by: name)
        isStaged = false
        reports.remove(folder: former)
    }

    /// Copies a file of the folder with the final name, if it has it.
    func keep(_ name: String) throws(ReportError) {
        let standing = try OpenFolder(finalName, in: reports.folder)
        guard let bytes = standing.contents(of: name, atMost: Self.mostMarkBytes) else { return }
        _ = try add(name, bytes)
    }

    private static let mostMarkBytes = 1 << 20

    /// Puts the folder in the place of the one with the final name, reads it back, and removes the
    /// former one.
    /// - Throws: `contentMismatch` when a file differs, `occupied` when the standing folder may not
    ///   be replaced or is none; what stands then keeps its name.
    func replace(
        _ files: [Manifest.Entry], manifest: Manifest.Entry,
        where mayReplace: (OpenFolder) -> Bool = { _ in true }
    ) throws(ReportError) -> String {
        try PublishedFolder(folder).require(files + [manifest])
        try reports.locked { () throws(ReportError) in
            if reports.folder.contains(finalName) {
                let standing = try OpenFolder(finalName, in: reports.folder)
                guard mayReplace(standing) else {
                    throw ReportError(.occupied, path: standing.path)
                }
            }
            try takeFinalName()
        }
        try sync()
        return reports.path + "/" + finalName
    }

    /// Call it after the folder has its final name.
    func moveLatest() throws(ReportError) {
        try standing { () throws(ReportError) in
            try reports.locked { () throws(ReportError) in
                try reports.link("latest", to: finalName)
            }
        }
    }

    private func sync() throws(ReportError) {
        try standing { () throws(ReportError) in try reports.folder.sync() }
    }

    /// Adds the published folder's path to errors after the rename.
    private func standing(_ step: () throws(ReportError) -> Void) throws(ReportError) {
        do throws(ReportError) {
            try step()
        } catch {
            var failure = error
            failure.standing = reports.path + "/" + finalName
            throw failure
        }
    }
}
