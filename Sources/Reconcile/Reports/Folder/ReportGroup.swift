internal import Glibc

package struct ReportGroup: Equatable, Sendable {
    let id: gid_t
    let name: String

    /// - Parameter name: a group name, or a number.
    /// - Throws: `unknownGroup`.
    package init(named name: String) throws(ReportError) {
        self.name = name
        if let number = gid_t(name), number != gid_t.max {
            id = number
            return
        }
        var entry = group()
        var found: UnsafeMutablePointer<group>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        var code = ERANGE
        while code == ERANGE, buffer.count <= 16 << 20 {
            code = getgrnam_r(name, &entry, &buffer, buffer.count, &found)
            if code == ERANGE { buffer = [CChar](repeating: 0, count: buffer.count * 4) }
        }
        guard code == 0, found != nil else { throw ReportError(.unknownGroup, path: name) }
        id = entry.gr_gid
    }

    /// Gives a file or folder to this group.
    /// - Throws: `cannotGive` unless this process is root, or owns the file and is in the group.
    func own(_ descriptor: Int32, at path: String) throws(ReportError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .making(path, errno) }
        guard status.st_gid != id else { return }
        guard fchown(descriptor, uid_t.max, id) == 0 else {
            throw errno == EPERM
                ? ReportError(.cannotGive(group: name), path: path) : .making(path, errno)
        }
    }
}
