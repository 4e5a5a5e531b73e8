internal import Glibc

/// The folder that holds a folder for each run, and the names in it.
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

    /// A hidden name that no other worker has, recognisable when its process is gone. Random, not
    /// made from the process id, which containers reuse.
    static func stagingName(for name: String) -> String {
        let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        let zeros = String(repeating: "0", count: 16 - digits.count)
        return "." + name + "." + zeros + digits + stagingSuffix
    }

    private static let stagingSuffix = ".partial"

    /// Runs `body` while no other process changes the names of this folder.
    func locked<Value>(
        _ body: () throws(ReportError) -> Value
    ) throws(ReportError) -> Value {
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw .making(path, errno) }
        }
        defer { flock(descriptor, LOCK_UN) }
        return try body()
    }

    /// Makes a folder for the owner only, and locks it for as long as the returned descriptor is
    /// open. Files in it will be the group's.
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

    /// Lets the group read this folder, which is new.
    func admitGroup() throws(ReportError) { try Self.admitGroup(to: descriptor, at: path) }

    /// Gives this folder to the group, which may list it from then on.
    func give(to group: ReportGroup) throws(ReportError) {
        try group.own(descriptor, at: path)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .making(path, errno) }
        let mode = status.st_mode & 0o7777 | 0o050
        guard mode == status.st_mode & 0o7777 || fchmod(descriptor, mode) == 0 else {
            throw .making(path, errno)
        }
    }

    /// Gives a new folder mode 0750, whatever the umask, and keeps the setgid bit that it has from
    /// its parent: with that bit, files in it get the parent's group.
    ///
    /// Changing the mode clears that bit when the process is not in the group (chmod(2)). So the
    /// mode is changed only if it must be, and by callers after the files are made.
    static func admitGroup(to folder: Int32, at path: String) throws(ReportError) {
        var status = stat()
        guard fstat(folder, &status) == 0 else { throw .making(path, errno) }
        let mode = 0o750 | status.st_mode & mode_t(S_ISGID)
        guard status.st_mode & 0o7777 != mode else { return }
        guard fchmod(folder, mode) != 0 else { return }
        // A hardened service may not set that bit (systemd's RestrictSUIDSGID). The files that are
        // made by now have the group.
        guard errno == EPERM, fchmod(folder, 0o750) == 0 else { throw .making(path, errno) }
    }

    /// Removes the staging folders and links of processes that are gone; to be called while
    /// `locked`. What cannot be removed is left: it is hidden and does no harm.
    func removeLeftovers() {
        for name in names(in: ".") where name.first == "." && name.hasSuffix(Self.stagingSuffix) {
            // A living process has a link of such a name only while it holds the lock.
            if isLink(name) { unlinkat(descriptor, name, 0) }
            let folder = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
            guard folder >= 0 else { continue }
            defer { close(folder) }
            if flock(folder, LOCK_EX | LOCK_NB) == 0 { remove(folder: name) }
        }
    }

    /// Removes a folder that this worker made, or a leftover; it holds files only. Each file is
    /// named by its path: under another name, the folder may be published by now.
    func remove(folder name: String) {
        for file in names(in: name) { unlinkat(descriptor, name + "/" + file, 0) }
        unlinkat(descriptor, name, AT_REMOVEDIR)
    }

    /// Whether something of this name is there, a dangling link included.
    func contains(_ name: String) -> Bool {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Whether the name is a folder's, and no link to one.
    func isFolder(_ name: String) -> Bool { type(of: name) == S_IFDIR }

    private func isLink(_ name: String) -> Bool { type(of: name) == S_IFLNK }

    /// What stat(2) calls the type of the file; nil where there is none.
    private func type(of name: String) -> mode_t? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return status.st_mode & S_IFMT
    }

    /// Fails when `new` is there, unless it is an empty folder, in which nothing is lost.
    func rename(_ old: String, to new: String) throws(ReportError) {
        guard renameat(descriptor, old, descriptor, new) == 0 else {
            throw [EEXIST, ENOTEMPTY, ENOTDIR].contains(errno)
                ? ReportError(.occupied, path: path + "/" + new) : .making(path + "/" + new, errno)
        }
    }

    /// Makes the symbolic link `name` lead to `target`, at once for every reader.
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

    /// Where the symbolic link `name` leads; nil when it is none.
    func target(of name: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = readlinkat(descriptor, name, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// Removes the symbolic link `name` if it leads to `target`; another one is left alone.
    func unlink(_ name: String, leadingTo target: String) throws(ReportError) {
        guard self.target(of: name) == target else { return }
        guard unlinkat(descriptor, name, 0) == 0 else { throw .making(path + "/" + name, errno) }
        try sync()
    }

    /// Makes the names in this folder durable.
    func sync() throws(ReportError) {
        guard fsync(descriptor) == 0 else { throw ReportError(.writeFailed(errno), path: path) }
    }

    /// The names in a folder beneath; none when it cannot be read.
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
