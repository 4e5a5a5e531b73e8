internal import Glibc
internal import Reconcile

/// A file of secrets named by a flag. It is refused when other users can read it.
struct PrivateFile {
    /// The flag's name without the dashes.
    let flag: String
    let content: String

    /// Far more than any company's list of secrets or keys needs.
    private static let mostBytes = 1 << 20

    /// - Throws: an ending with status 78 for a file that is missing or not text, and 77 for one
    ///   that others can read. The message never contains anything from the file.
    func read(_ path: String) throws(Ending) -> String {
        // Without O_NONBLOCK, opening a named pipe would block until it has a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw unreadable(path, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Ending(
                .configuration, "--\(flag): \(path) is not a regular file. Give a file.")
        }
        try requirePrivate(path, status)
        guard let bytes = InputFile.beginning(of: descriptor, Self.mostBytes + 1),
            bytes.count <= Self.mostBytes
        else {
            throw Ending(
                .configuration, "--\(flag): \(path) is too large or broken. Check the file.")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Ending(
                .configuration, "--\(flag): \(path) is not UTF-8 text. Check the file.")
        }
        return text
    }

    private func requirePrivate(_ path: String, _ status: stat) throws(Ending) {
        guard status.st_mode & 0o077 == 0 else {
            throw Ending(
                .notPermitted, "--\(flag): others can read \(path). Run `chmod 600` on it.")
        }
        guard Self.mayUse(status.st_uid, by: geteuid()) else {
            let owner = AccountName.of(status.st_uid)
            throw Ending(
                .notPermitted,
                "--\(flag): \(path) belongs to user \(owner), who can read it. Run this as user"
                    + " \(owner), or `chown` the file.")
        }
    }

    /// Root uses the files of the service's account, whom else they had to be taken from.
    static func mayUse(_ owner: uid_t, by account: uid_t) -> Bool {
        account == 0 || owner == account || owner == 0
    }

    private func unreadable(_ path: String, _ code: Int32) -> Ending {
        guard Self.isSurelyPath(path) else {
            return Ending(
                .configuration,
                "--\(flag): no such file. The given value is not shown, because it may be a "
                    + "secret. Give the path of the file that holds the \(content).")
        }
        return Ending(
            code == EACCES || code == EPERM ? .notPermitted : .configuration,
            "--\(flag): cannot read \(path): \(String(cString: strerror(code))). "
                + "Check the path and its permissions.")
    }

    /// False for a value that may be the secret itself: it must not be printed.
    private static func isSurelyPath(_ text: String) -> Bool {
        text.contains("/") && !text.contains { $0 == "=" || $0.isWhitespace }
    }
}
