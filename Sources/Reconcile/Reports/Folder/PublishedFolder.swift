internal import Glibc

/// A run's folder under its final name, read back to check that it has the bytes that were written.
final class PublishedFolder {
    var path: String { folder.path }
    private let folder: OpenFolder

    private static let pieceBytes = 64 * 1_024

    init(_ folder: OpenFolder) { self.folder = folder }

    /// Compares the folder with the files that were written: names, byte counts and digests. No
    /// other file may exist, except the marks of a retracted or released run, and of erased users.
    /// - Throws: `contentMismatch` with the first difference.
    func require(_ files: [Manifest.Entry]) throws(ReportError) {
        for file in files { try require(file) }
        guard let names = folder.names else {
            throw mismatch("the list of its files cannot be read")
        }
        // Quoted, because another user may have chosen the name.
        let known = files.map(\.name) + MarkedFolder.fileNames
        if let extra = Set(names).subtracting(known).min() {
            throw mismatch("it also holds \(extra.debugDescription)")
        }
    }

    func holds(_ file: Manifest.Entry) -> Bool { difference(of: file) == nil }

    /// How this file differs from what was written; nil when it does not.
    func difference(of file: Manifest.Entry) -> String? {
        do throws(ReportError) {
            try require(file)
            return nil
        } catch {
            if case .contentMismatch(let difference) = error.reason { return difference }
            return error.description
        }
    }

    private func require(_ file: Manifest.Entry) throws(ReportError) {
        // Without O_NONBLOCK, opening a named pipe would block until it has a writer.
        let opened = openat(
            folder.descriptor, file.name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard opened >= 0 else { throw unreadable(file.name, errno) }
        defer { close(opened) }
        var status = stat()
        guard fstat(opened, &status) == 0 else { throw unreadable(file.name, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw mismatch("\(file.name) is not a regular file")
        }
        guard status.st_size == file.byteCount else {
            throw mismatch("\(file.name) has \(status.st_size) bytes, not \(file.byteCount)")
        }
        guard try digest(of: opened, named: file.name).hexadecimal == file.sha256 else {
            throw mismatch("\(file.name) has another SHA-256 digest")
        }
    }

    private func digest(of file: Int32, named name: String) throws(ReportError) -> Digest {
        var stream = DigestStream()
        let piece = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Self.pieceBytes, alignment: 1)
        defer { piece.deallocate() }
        while true {
            guard let count = piece.fill(from: file) else { throw unreadable(name, errno) }
            guard count > 0 else { return stream.finish() }
            stream.update(UnsafeRawBufferPointer(rebasing: piece[..<count]))
        }
    }

    private func unreadable(_ name: String, _ code: Int32) -> ReportError {
        switch code {
        case ENOENT: mismatch("\(name) is missing")
        case ELOOP: mismatch("\(name) is not a regular file")
        default: mismatch("\(name) cannot be read: \(ReportError.text(of: code))")
        }
    }

    private func mismatch(_ difference: String) -> ReportError {
        ReportError(.contentMismatch(difference), path: path)
    }
}
