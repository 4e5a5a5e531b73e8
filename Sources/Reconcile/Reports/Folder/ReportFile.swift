internal import Glibc

/// A report file being written: buffered, hashed, and synced when it is finished.
final class ReportFile {
    let name: String
    private let path: String
    private var descriptor: Int32
    private var buffer: [UInt8] = []
    /// Nil when the file is finished.
    private var digest: DigestStream? = DigestStream()
    private var byteCount = 0

    /// Large enough to write a page of rows in a few calls, small enough for one buffer per file.
    private static let bufferBytes = 64 * 1_024

    /// Creates the file, readable by owner and group only, whatever the umask. Gives it the
    /// folder's group if this process may, or that of the folder it is `for`.
    init(
        named name: String, in folder: OpenFolder, for other: OpenFolder? = nil
    ) throws(ReportError) {
        self.name = name
        path = folder.path + "/" + name
        descriptor = openat(folder.descriptor, name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .making(path, errno) }
        try folder.giveToOwner(descriptor, at: path)
        var of = stat()
        var file = stat()
        if fstat((other ?? folder).descriptor, &of) == 0, fstat(descriptor, &file) == 0,
            of.st_gid != file.st_gid
        {
            fchown(descriptor, uid_t.max, of.st_gid)
        }
        guard fchmod(descriptor, 0o640) == 0 else { throw .making(path, errno) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func write(_ append: (inout [UInt8]) -> Void) throws(ReportError) {
        append(&buffer)
        if buffer.count >= Self.bufferBytes { try flush() }
    }

    /// Writes the rest of the buffer and syncs the file.
    func finish(rows: Int?) throws(ReportError) -> Manifest.Entry {
        try flush()
        guard fsync(descriptor) == 0 else { throw ReportError(.writeFailed(errno), path: path) }
        let result = close(descriptor)
        descriptor = -1
        guard result == 0, let digest = digest.take() else {
            throw ReportError(.writeFailed(errno), path: path)
        }
        return Manifest.Entry(
            name: name, rows: rows, byteCount: byteCount, sha256: digest.finish().hexadecimal)
    }

    private func flush() throws(ReportError) {
        let failure = buffer.withUnsafeBytes { bytes -> Int32? in
            digest?.update(bytes)
            return writeAll(bytes)
        }
        if let failure { throw ReportError(.writeFailed(failure), path: path) }
        byteCount += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }

    /// Returns nil, or the `errno` of the failed write.
    private func writeAll(_ bytes: UnsafeRawBufferPointer) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = Glibc.write(
                descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if written < 0 {
                if errno == EINTR { continue }
                return errno
            }
            rest = rest.dropFirst(written)
        }
        return nil
    }
}
