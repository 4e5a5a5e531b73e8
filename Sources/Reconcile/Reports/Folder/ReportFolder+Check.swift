internal import Glibc

extension ReportFolder {
    /// Checks before the first request whether reports can be written. Creates the folder (0750,
    /// setgid under a setgid parent) if it is missing, but not its parents, because that would hide
    /// a misspelt path. Removes what killed processes left in it. Then performs every step of
    /// publishing with a probe: create, write, sync, rename, remove, and link.
    /// - Parameter leavesNothing: removes the folder again if this call created it; an existing one
    ///   keeps its group.
    /// - Returns: the open folder, in which the command works to its end.
    /// - Throws: `cannotCreate`, `writableByOthers`, `ownedByAnother`, `noLinks` or `occupied`;
    ///   `writeFailed` for a full or broken disk.
    @discardableResult
    package static func check(
        _ path: String, group: ReportGroup? = nil, leavesNothing: Bool = false
    ) throws(ReportError) -> ReportsDirectory {
        let isMade = try makeFolder(path)
        // rmdir removes only an empty folder.
        defer { if isMade, leavesNothing { rmdir(path) } }
        let reports = try ReportsDirectory(path: path)
        if let group, isMade || !leavesNothing { try reports.give(to: group) }
        // The last step of publishing would fail.
        guard !reports.folder.contains("latest") || reports.folder.isLink("latest") else {
            throw ReportError(.occupied, path: path + "/latest")
        }
        let probe = ReportsDirectory.stagingName(for: "probe")
        let moved = ReportsDirectory.stagingName(for: "probe-moved")
        try reports.locked { () throws(ReportError) in
            reports.removeLeftovers()
            let folder = try reports.makeLockedFolder(probe, for: group)
            defer { for name in [probe, moved] { reports.remove(folder, named: name) } }
            let file = try ReportFile(named: "probe", in: folder)
            try file.write { $0.append(contentsOf: "probe\n".utf8) }
            _ = try file.finish(rows: nil)
            try ReportsDirectory.admitGroup(to: folder)
            try reports.rename(probe, to: moved)
            try reports.requireLinks()
            try reports.folder.sync()
        }
        return reports
    }

    /// - Returns: false when the folder already exists.
    private static func makeFolder(_ path: String) throws(ReportError) -> Bool {
        guard mkdir(path, 0o750) != 0 else {
            try ReportsDirectory(path: path).admitGroup()
            return true
        }
        guard errno == EEXIST else { throw ReportError(.cannotCreate(errno), path: path) }
        return false
    }
}
