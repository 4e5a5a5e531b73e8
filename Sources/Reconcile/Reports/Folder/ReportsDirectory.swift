internal import Glibc

/// The folder that holds a folder for each run. A command opens it once, and keeps it open to its
/// end, whatever gets its name or that of a parent meanwhile. Only this account may write in it;
/// for root, only its owner.
package final class ReportsDirectory: Sendable {
    let folder: OpenFolder

    package var path: String { folder.path }
    private var descriptor: Int32 { folder.descriptor }

    /// - Throws: `ownedByAnother` or `writableByOthers` when another account may write in it:
    ///   sticky or not, it could put a folder or a link in the place of a run's.
    package init(path: String) throws(ReportError) {
        folder = try OpenFolder(path: path)
        let status = try folder.status()
        if let error = Self.ownershipError(status, for: geteuid()) {
            throw ReportError(error, path: path)
        }
    }

    /// For commands that change nothing in it, which other accounts may run too.
    package init(reading path: String) throws(ReportError) { folder = try OpenFolder(path: path) }

    /// Nil when only `account` and root may write in a folder: an owner can always do so. Root may
    /// work in any account's folder: it is that account's reports which the owner could replace.
    static func ownershipError(_ status: stat, for account: uid_t) -> ReportError.Reason? {
        guard account == 0 || status.st_uid == account || status.st_uid == 0 else {
            return .ownedByAnother(status.st_uid)
        }
        guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            return .writableByOthers(mode: status.st_mode & 0o7777)
        }
        return nil
    }

    /// - Throws: `replaced` or `removed` when `path` does not lead to the folder of the start. A
    ///   reader would not find there what is published here.
    private func requireInPlace() throws(ReportError) {
        let own = try folder.status()
        guard own.st_nlink > 0 else { throw ReportError(.removed, path: path) }
        var found = stat()
        let code = stat(path, &found) == 0 ? 0 : errno
        guard [0, ENOENT, ENOTDIR].contains(code) else { throw .making(path, code) }
        guard code == 0, found.st_dev == own.st_dev, found.st_ino == own.st_ino else {
            throw ReportError(.replaced, path: path)
        }
    }

    /// A hidden name for a staging folder, unique to this worker. Random rather than made from the
    /// process id, which containers reuse.
    static func stagingName(for name: String) -> String {
        let digits = (0..<8).map { _ in UInt8.random(in: 0...UInt8.max) }.hexadecimal
        return "." + name + "." + digits + stagingSuffix
    }

    private static let stagingSuffix = ".partial"

    /// - Throws: what `body` throws, `replaced` and `removed`.
    func locked<Value>(
        _ body: () throws(ReportError) -> Value
    ) throws(ReportError) -> Value {
        try requireInPlace()
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw .making(path, errno) }
        }
        defer { flock(descriptor, LOCK_UN) }
        return try body()
    }

    /// Creates a folder for the owner only, and locks it while it is open. New files in it get the
    /// group.
    func makeLockedFolder(
        _ name: String, for group: ReportGroup? = nil
    ) throws(ReportError) -> OpenFolder {
        guard mkdirat(descriptor, name, 0o700) == 0 else {
            throw .making(path + "/" + name, errno)
        }
        do throws(ReportError) {
            let made = try OpenFolder(name, in: folder)
            guard flock(made.descriptor, LOCK_EX | LOCK_NB) == 0 else {
                throw .making(made.path, errno)
            }
            try folder.giveToOwner(made.descriptor, at: made.path)
            try group?.own(made.descriptor, at: made.path)
            return made
        } catch {
            unlinkat(descriptor, name, AT_REMOVEDIR)
            throw error
        }
    }

    func admitGroup() throws(ReportError) { try Self.admitGroup(to: folder) }

    func give(to group: ReportGroup) throws(ReportError) {
        try group.own(descriptor, at: path)
        let status = try folder.status()
        let mode = status.st_mode & 0o7777 | 0o050
        guard mode == status.st_mode & 0o7777 || fchmod(descriptor, mode) == 0 else {
            throw .making(path, errno)
        }
    }

    /// Sets a new folder's mode to 0750, whatever the umask, and keeps the setgid bit that it
    /// inherited from its parent, so that files in it get the parent's group. chmod(2) clears that
    /// bit when the process is not in the group. So callers do this after the files are created.
    static func admitGroup(to folder: OpenFolder) throws(ReportError) {
        let status = try folder.status()
        let mode = 0o750 | status.st_mode & mode_t(S_ISGID)
        guard status.st_mode & 0o7777 != mode else { return }
        guard fchmod(folder.descriptor, mode) != 0 else { return }
        // A hardened service may not set that bit (systemd's RestrictSUIDSGID). By now the files
        // have the group, so the bit is not needed.
        guard errno == EPERM, fchmod(folder.descriptor, 0o750) == 0 else {
            throw .making(folder.path, errno)
        }
    }

    /// Removes the staging folders, files and links of dead processes. Call it under `locked`. What
    /// cannot be removed stays: it is hidden and harmless.
    func removeLeftovers() {
        for name in folder.names ?? []
        where name.first == "." && name.hasSuffix(Self.stagingSuffix) {
            // A live process has a link or a file of such a name only while it holds the lock.
            let isOurFile = folder.isFile(name) && name.hasPrefix(".\(SignOffFile.fileName).")
            if folder.isLink(name) || isOurFile { unlinkat(descriptor, name, 0) }
            guard let leftover = try? OpenFolder(name, in: folder) else { continue }
            // No other process renames it: publishing takes the same lock.
            if flock(leftover.descriptor, LOCK_EX | LOCK_NB) == 0 { remove(leftover, named: name) }
        }
    }

    /// Removes a folder and its files. Call it under `locked`. What cannot be removed stays.
    func remove(folder name: String) {
        guard let open = try? OpenFolder(name, in: folder) else { return }
        remove(open, named: name)
    }

    /// Removes the files of `open`, whatever its name is now, and the empty folder `name`.
    func remove(_ open: OpenFolder, named name: String) {
        open.removeFiles()
        unlinkat(descriptor, name, AT_REMOVEDIR)
    }

    /// Puts the folder `name` in the place of `old`, and gives the former one a hidden name, which
    /// it returns. Between the two renames neither is visible; `restoreFormer` undoes the first.
    func replace(_ old: String, by name: String) throws(ReportError) -> String {
        let former = "." + old + Self.formerSuffix
        try rename(old, to: former)
        do throws(ReportError) {
            try rename(name, to: old)
        } catch {
            try rename(former, to: old)
            throw error
        }
        try folder.sync()
        return former
    }

    private static let formerSuffix = ".former"

    /// Finishes what a killed process began: a former folder gets its name back, or goes when the
    /// new one is there. Call it under `locked`.
    func restoreFormer() throws(ReportError) {
        for hidden in folder.names ?? []
        where hidden.first == "." && hidden.hasSuffix(Self.formerSuffix) && folder.isFolder(hidden)
        {
            let name = String(hidden.dropFirst().dropLast(Self.formerSuffix.count))
            guard RunFolder.isRun(name) || RangeName.isRange(name) else { continue }
            if folder.contains(name) {
                remove(folder: hidden)
            } else {
                try rename(hidden, to: name)
            }
        }
    }

    /// Whether two names lead to the same folder, also through links.
    func isSame(_ one: String, _ other: String) -> Bool {
        var first = stat()
        var second = stat()
        return fstatat(descriptor, one, &first, 0) == 0
            && fstatat(descriptor, other, &second, 0) == 0
            && first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Nil when the group cannot be read.
    func group(of name: String) -> ReportGroup? {
        folder.status(of: name).flatMap { try? ReportGroup(named: String($0.st_gid)) }
    }

    /// Throws when `new` exists, unless it is an empty folder.
    func rename(_ old: String, to new: String) throws(ReportError) {
        guard renameat(descriptor, old, descriptor, new) == 0 else {
            throw [EEXIST, ENOTEMPTY, ENOTDIR].contains(errno)
                ? ReportError(.occupied, path: path + "/" + new) : .making(path + "/" + new, errno)
        }
    }

    // MARK: Links

    /// Points the symbolic link `name` to `target`, by an atomic rename.
    func link(_ name: String, to target: String) throws(ReportError) {
        if let code = relink(name, to: target) { throw .making(path + "/" + name, code) }
        try folder.sync()
    }

    /// Makes a link and renames another one over it, as publishing does with `latest`. Removes it.
    /// - Throws: `noLinks` when the file system cannot do one of them.
    func requireLinks() throws(ReportError) {
        let probe = Self.stagingName(for: "probe-link")
        defer { unlinkat(descriptor, probe, 0) }
        for target in ["first", "second"] {
            guard let code = relink(probe, to: target) else { continue }
            throw ReportError.isFileSystem(code)
                ? ReportError(.noLinks(code), path: path) : .making(path, code)
        }
        guard target(of: probe) == "second" else { throw ReportError(.noLinks(EIO), path: path) }
    }

    /// Returns nil, or the `errno` of the failed step.
    private func relink(_ name: String, to target: String) -> Int32? {
        let temporary = Self.stagingName(for: name)
        guard symlinkat(target, descriptor, temporary) == 0 else { return errno }
        guard renameat(descriptor, temporary, descriptor, name) == 0 else {
            let code = errno
            unlinkat(descriptor, temporary, 0)
            return code
        }
        return nil
    }

    /// The target of the symbolic link `name`; nil when it is not a link.
    func target(of name: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = readlinkat(descriptor, name, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }

    func unlink(_ name: String, leadingTo target: String) throws(ReportError) {
        guard self.target(of: name) == target else { return }
        guard unlinkat(descriptor, name, 0) == 0 else { throw .making(path + "/" + name, errno) }
        try folder.sync()
    }
}
