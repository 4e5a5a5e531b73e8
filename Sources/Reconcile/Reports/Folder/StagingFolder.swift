internal import Glibc

/// A hidden folder of one worker beside its final name, which it gets by one rename.
///
/// It is locked while its process lives, so that another can tell what a killed one left behind.
/// Order on the way out: each file is synced by its writer, then this folder, then the rename,
/// then the parent, then the symbolic link: after a power cut no name leads to missing bytes.
/// Everything is read again before the link moves.
final class StagingFolder {
    let path: String
    let descriptor: Int32
    private let reports: ReportsDirectory
    private let name: String
    private let finalName: String
    /// Whether the folder is there under its hidden name, for this worker to remove.
    private var isStaged = true

    /// - Parameter group: that may read it; nil: the one that new files get here.
    init(
        reports path: String, named finalName: String, group: ReportGroup? = nil
    ) throws(ReportError) {
        let reports = try ReportsDirectory(path: path)
        let name = ReportsDirectory.stagingName(for: finalName)
        self.reports = reports
        self.name = name
        self.finalName = finalName
        self.path = path + "/" + name
        // The last property: when this throws, there is no `deinit`, and nothing is removed that
        // this worker did not make.
        descriptor = try reports.locked { () throws(ReportError) in
            reports.removeLeftovers()
            return try reports.makeLockedFolder(name, for: group)
        }
    }

    deinit {
        discard()
        close(descriptor)
    }

    /// Removes the folder with its files, unless it has its final name.
    func discard() {
        guard isStaged else { return }
        isStaged = false
        reports.remove(folder: name)
    }

    /// Writes a whole file.
    func add(_ name: String, _ bytes: [UInt8]) throws(ReportError) -> Manifest.Entry {
        let file = try ReportFile(named: name, in: descriptor, at: path)
        try file.write { $0.append(contentsOf: bytes) }
        return try file.finish(rows: nil)
    }

    /// Lets the group read the folder, whose files are all written, and makes their names durable.
    func seal() throws(ReportError) {
        try ReportsDirectory.admitGroup(to: descriptor, at: path)
        guard fsync(descriptor) == 0 else { throw ReportError(.writeFailed(errno), path: path) }
    }

    /// Gives the folder its final name, and reads it again to prove that it holds `files`.
    ///
    /// A folder that has that name already is never replaced. With this `manifest` it should be
    /// this very publication, by a worker that was killed before it moved `latest` or that was
    /// faster; its whole content must prove that.
    /// - Throws: `occupied` when it is something else; `contentMismatch` when a file differs.
    func publish(
        _ files: [Manifest.Entry], manifest: Manifest.Entry
    ) throws(ReportError) -> String {
        // In one step for workers that publish the same run: the first renames, the others see it.
        try reports.locked { () throws(ReportError) in
            guard !reports.contains(finalName) else { return }
            try reports.rename(name, to: finalName)
            isStaged = false
        }
        try sync()
        let published = try PublishedFolder(path: reports.path + "/" + finalName)
        if isStaged && !published.holds(manifest) {
            throw ReportError(.occupied, path: published.path)
        }
        try published.require(files + [manifest])
        return published.path
    }

    /// To be called once the folder has its final name.
    func moveLatest() throws(ReportError) {
        try standing { () throws(ReportError) in
            try reports.locked { () throws(ReportError) in
                try reports.link("latest", to: finalName)
            }
        }
    }

    private func sync() throws(ReportError) {
        try standing { () throws(ReportError) in try reports.sync() }
    }

    /// What fails from here on leaves the folder under its final name.
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
