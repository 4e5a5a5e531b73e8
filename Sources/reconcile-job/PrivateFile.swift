internal import Glibc

/// A file of secrets that an operator names with a flag, and who else may read it.
struct PrivateFile {
    /// Without the dashes.
    let flag: String
    /// The content of the file.
    let content: String

    /// A page of an app each is far beyond any company's number of apps.
    private static let mostBytes: Int64 = 1 << 20

    /// - Throws: status 78 for a file that is missing or is no text, 77 for one that others can
    ///   read. The message never holds anything of the file.
    func read(_ path: String) throws(Ending) -> String {
        // A pipe without a writer must not hang the night: O_NONBLOCK.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw unreadable(path, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Ending(
                .configuration, "--\(flag): \(path) is not a regular file. Name a file.")
        }
        try requirePrivate(path, status)
        guard Int64(status.st_size) <= Self.mostBytes, let bytes = Self.contents(of: descriptor)
        else {
            throw Ending(
                .configuration, "--\(flag): \(path) is too large or broken. Check the file.")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Ending(
                .configuration, "--\(flag): \(path) is not text in UTF-8. Check the file.")
        }
        return text
    }

    private func requirePrivate(_ path: String, _ status: stat) throws(Ending) {
        guard status.st_mode & 0o077 == 0 else {
            throw Ending(
                .notPermitted, "--\(flag): others can read \(path). Run `chmod 600` on it.")
        }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw Ending(
                .notPermitted,
                "--\(flag): \(path) belongs to another user, who can read it. "
                    + "Run `chown` on it.")
        }
    }

    private func unreadable(_ path: String, _ code: Int32) -> Ending {
        guard Self.isSurelyPath(path) else {
            return Ending(
                .configuration,
                "--\(flag): there is no such file. What was given is not shown, since it may be a "
                    + "secret. Name the file that holds the \(content).")
        }
        return Ending(
            code == EACCES || code == EPERM ? .notPermitted : .configuration,
            "--\(flag): cannot read \(path): \(String(cString: strerror(code))). "
                + "Check the path and its rights.")
    }

    /// Whether what is no file may be repeated: somebody may have given the secrets themselves.
    private static func isSurelyPath(_ text: String) -> Bool {
        text.contains("/") && !text.contains { $0 == "=" || $0.isWhitespace }
    }

    private static func contents(of descriptor: Int32) -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while bytes.count <= Int(mostBytes) {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count == 0 { return bytes }
            if count < 0 && errno != EINTR { return nil }
            bytes.append(contentsOf: piece[..<max(0, count)])
        }
        return nil
    }
}
