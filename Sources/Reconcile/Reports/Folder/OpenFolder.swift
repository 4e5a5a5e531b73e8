internal import Glibc

/// An open folder. Its entries are reached through its descriptor and by their names, never by a
/// path: whatever is renamed or linked meanwhile, this stays the same folder, and no link in it is
/// followed.
package final class OpenFolder: Sendable {
    /// Where it was when it was opened: for messages only.
    let path: String
    let descriptor: Int32

    private static let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC

    /// Follows links: the operator gave the path.
    init(path: String) throws(ReportError) {
        self.path = path
        descriptor = open(path, Self.flags)
        guard descriptor >= 0 else { throw .making(path, errno) }
    }

    /// - Throws: `occupied` when the name belongs to something other than a folder.
    init(_ name: String, in parent: OpenFolder) throws(ReportError) {
        path = parent.path + "/" + name
        descriptor = openat(parent.descriptor, name, Self.flags | O_NOFOLLOW)
        guard descriptor >= 0 else {
            throw [ENOTDIR, ELOOP].contains(errno)
                ? ReportError(.occupied, path: path) : .making(path, errno)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The names in the folder, without `.` and `..`; nil when it cannot be read.
    var names: [String]? {
        // Opened anew, because a duplicate would share the position.
        let own = openat(descriptor, ".", Self.flags)
        guard own >= 0 else { return nil }
        guard let stream = fdopendir(own) else {
            close(own)
            return nil
        }
        defer { closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
            errno = 0
        }
        return errno == 0 ? names : nil
    }

    /// Of the folder itself.
    func status() throws(ReportError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .making(path, errno) }
        return status
    }

    /// Gives what root has just made in the folder of another account to that account and the
    /// folder's group: else its owner could neither read nor remove it. Does nothing to what is not
    /// root's. Links need no owner.
    func giveToOwner(_ made: Int32, at path: String) throws(ReportError) {
        guard geteuid() == 0 else { return }
        let own = try status()
        var status = stat()
        guard fstat(made, &status) == 0 else { throw .making(path, errno) }
        guard status.st_uid == 0, own.st_uid != 0 else { return }
        guard fchown(made, own.st_uid, own.st_gid) == 0 else {
            throw ReportError(.cannotGiveToOwner(own.st_uid), path: path)
        }
    }

    /// Of the entry itself, also if it is a link; nil without such an entry.
    func status(of name: String) -> stat? {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    func contains(_ name: String) -> Bool { status(of: name) != nil }

    func isFolder(_ name: String) -> Bool { type(of: name) == S_IFDIR }

    func isFile(_ name: String) -> Bool { type(of: name) == S_IFREG }

    func isLink(_ name: String) -> Bool { type(of: name) == S_IFLNK }

    private func type(of name: String) -> mode_t? { status(of: name).map { $0.st_mode & S_IFMT } }

    /// Nil when the file is missing, is not a regular one, or cannot be read.
    func contents(of name: String, atMost count: Int) -> [UInt8]? {
        guard let file = FileReader(name, in: self) else { return nil }
        let bytes = file.take(count)
        return file.failure == nil ? bytes : nil
    }

    /// Removes the files and links in it. What cannot be removed stays.
    func removeFiles() {
        for name in names ?? [] { unlinkat(descriptor, name, 0) }
    }

    func sync() throws(ReportError) {
        guard fsync(descriptor) == 0 else { throw ReportError(.writeFailed(errno), path: path) }
    }
}
