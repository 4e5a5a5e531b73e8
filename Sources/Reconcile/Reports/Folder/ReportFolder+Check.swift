internal import Glibc

extension ReportFolder {
    /// Tells before the first request, rather than after the last, whether reports can be written.
    ///
    /// Makes the folder (0750, setgid under a setgid parent) if it is missing, but not its parents,
    /// which would hide a misspelt path. Removes what killed processes left in it. Then does all
    /// that publishing does, with a probe: make, write, sync, rename, remove.
    /// - Throws: `cannotCreate` or `occupied` (73); `writeFailed` for a full or a broken disk (74).
    package static func check(_ path: String) throws(ReportError) {
        try makeFolder(path)
        let reports = try ReportsDirectory(path: path)
        try requireLink(path + "/latest")
        let probe = ReportsDirectory.stagingName(for: "probe")
        let moved = ReportsDirectory.stagingName(for: "probe-moved")
        try reports.locked { () throws(ReportError) in
            reports.removeLeftovers()
            let folder = try reports.makeLockedFolder(probe)
            defer { close(folder) }
            defer { for name in [probe, moved] { reports.remove(folder: name) } }
            let file = try ReportFile(named: "probe", in: folder, at: path + "/" + probe)
            try file.write { $0.append(contentsOf: "probe\n".utf8) }
            _ = try file.finish(rows: nil)
            try ReportsDirectory.admitGroup(to: folder, at: path + "/" + probe)
            try reports.rename(probe, to: moved)
            try reports.sync()
        }
    }

    private static func makeFolder(_ path: String) throws(ReportError) {
        if mkdir(path, 0o750) == 0 {
            try ReportsDirectory(path: path).admitGroup()
        } else if errno != EEXIST {
            throw ReportError(.cannotCreate(errno), path: path)
        }
    }

    /// `latest` must be free or a link, or the last step of publishing would fail.
    private static func requireLink(_ path: String) throws(ReportError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFLNK else {
            throw ReportError(.occupied, path: path)
        }
    }
}
