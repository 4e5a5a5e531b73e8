internal import Glibc

final class ReportsDirectory {
    let path: String
    private let descriptor: Int32

    init(path: String) throws(ReportError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .making(path, errno) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// A hidden name for a staging folder, unique to this worker. Random rather than made from the
    /// process id, which containers reuse.
    static func stagingName(for name: String) -> String {
        let digits = (0..<8).map { _ in UInt8.random(in: 0...UInt8.max) }.hexadecimal
        return "." + name + "." + digits + stagingSuffix
    }

    private static let stagingSuffix = ".partial"

    func locked<Value>(
        _ body: () throws(ReportError) -> Value
    ) throws(ReportError) -> Value {
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw .making(path, errno) }
        }
        defer { flock(descriptor, LOCK_UN) }
        return try body()
    }

    /// Creates a folder for the owner only, and locks it while the returned descriptor is open. New
    /// files in it get the group.
    func makeLockedFolder(
        _ name: String, for group: ReportGroup? = nil
    ) throws(ReportError) -> Int32 {
        let folderPath = path + "/" + name
        guard mkdirat(descriptor, name, 0o700) == 0 else { throw .making(folderPath, errno) }
        let folder = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard folder >= 0, flock(folder, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            if folder >= 0 { close(folder) }
            remove(folder: name)
            throw .making(folderPath, code)
        }
        do throws(ReportError) {
            try group?.own(folder, at: folderPath)
        } catch {
            close(folder)
            remove(folder: name)
            throw error
        }
        return folder
    }

    func admitGroup() throws(ReportError) { try Self.admitGroup(to: descriptor, at: path) }

    func give(to group: ReportGroup) throws(ReportError) {
        try group.own(descriptor, at: path)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .making(path, errno) }
        let mode = status.st_mode & 0o7777 | 0o050
        guard mode == status.st_mode & 0o7777 || fchmod(descriptor, mode) == 0 else {
            throw .making(path, errno)
        }
    }

    /// Sets a new folder's mode to 0750, whatever the umask, and keeps the setgid bit that it
    /// inherited from its parent, so that files in it get the parent's group. chmod(2) clears that
    /// bit when the process is not in the group. So callers do this after the files are created.
    static func admitGroup(to folder: Int32, at path: String) throws(ReportError) {
        var status = stat()
        guard fstat(folder, &status) == 0 else { throw .making(path, errno) }
        let mode = 0o750 | status.st_mode & mode_t(S_ISGID)
        guard status.st_mode & 0o7777 != mode else { return }
        guard fchmod(folder, mode) != 0 else { return }
        // A hardened service may not set that bit (systemd's RestrictSUIDSGID). By now the files
        // have the group, so the bit is not needed.
        guard errno == EPERM, fchmod(folder, 0o750) == 0 else { throw .making(path, errno) }
    }

    /// Removes the staging folders and links of dead processes. Call it under `locked`. What cannot
    /// be removed stays: it is hidden and harmless.
    func removeLeftovers() {
        for name in names(in: ".") where name.first == "." && name.hasSuffix(Self.stagingSuffix) {
            // A live process has a link of such a name only while it holds the lock.
            if isLink(name) { unlinkat(descriptor, name, 0) }
            let folder = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
            guard folder >= 0 else { continue }
            defer { close(folder) }
            if flock(folder, LOCK_EX | LOCK_NB) == 0 { remove(folder: name) }
        }
    }

    /// Removes a staging folder and its files. Each file is removed by its path, because the folder
    /// may have been renamed, and thus published, meanwhile. A link stays, and what it leads to.
    func remove(folder name: String) {
        guard isFolder(name) else { return }
        for file in names(in: name) { unlinkat(descriptor, name + "/" + file, 0) }
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
        try sync()
        return former
    }

    private static let formerSuffix = ".former"

    /// Finishes what a killed process began: a former folder gets its name back, or goes when the
    /// new one is there. Call it under `locked`.
    func restoreFormer() throws(ReportError) {
        for hidden in names(in: ".")
        where hidden.first == "." && hidden.hasSuffix(Self.formerSuffix) && isFolder(hidden) {
            let name = String(hidden.dropFirst().dropLast(Self.formerSuffix.count))
            guard RunFolder.isRun(name) else { continue }
            if contains(name) { remove(folder: hidden) } else { try rename(hidden, to: name) }
        }
    }

    func contains(_ name: String) -> Bool {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
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
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return try? ReportGroup(named: String(status.st_gid))
    }

    func isFolder(_ name: String) -> Bool { type(of: name) == S_IFDIR }

    private func isLink(_ name: String) -> Bool { type(of: name) == S_IFLNK }

    private func type(of name: String) -> mode_t? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return status.st_mode & S_IFMT
    }

    /// Throws when `new` exists, unless it is an empty folder.
    func rename(_ old: String, to new: String) throws(ReportError) {
        guard renameat(descriptor, old, descriptor, new) == 0 else {
            throw [EEXIST, ENOTEMPTY, ENOTDIR].contains(errno)
                ? ReportError(.occupied, path: path + "/" + new) : .making(path + "/" + new, errno)
        }
    }

    /// Points the symbolic link `name` to `target`, by an atomic rename.
    func link(_ name: String, to target: String) throws(ReportError) {
        let temporary = Self.stagingName(for: name)
        guard symlinkat(target, descriptor, temporary) == 0 else {
            throw .making(path + "/" + name, errno)
        }
        guard renameat(descriptor, temporary, descriptor, name) == 0 else {
            let code = errno
            unlinkat(descriptor, temporary, 0)
            throw .making(path + "/" + name, code)
        }
        try sync()
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
        try sync()
    }

    func sync() throws(ReportError) {
        guard fsync(descriptor) == 0 else { throw ReportError(.writeFailed(errno), path: path) }
    }

    /// The names in a subfolder; empty when it cannot be read.
    private func names(in folder: String) -> [String] { Self.names(at: path + "/" + folder) ?? [] }

    /// The names in a folder, without `.` and `..`; nil when it cannot be read.
    static func names(at path: String) -> [String]? {
        guard let directory = opendir(path) else { return nil }
        defer { closedir(directory) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
            errno = 0
        }
        return errno == 0 ? names : nil
    }
}
