internal import Glibc
internal import Reconcile

/// Reads a file that a command names, or stdin.
enum InputFile {
    /// The folder that `path` leads to, with symbolic links resolved; nil when there is none.
    static func folder(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        var status = stat()
        guard stat(resolved, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
        return String(cString: resolved)
    }

    /// Reads the file, or stdin for `-`. Refuses one of more than `limit` bytes with `status`.
    /// - Throws: an ending with status 74 when the file cannot be read.
    static func read(
        _ path: String, limit: Int, describedAs what: String,
        orRefuseWith status: ExitCode = .unreadableData
    ) throws(Ending) -> [UInt8] {
        let descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { if descriptor != 0 { close(descriptor) } }
        guard let bytes = beginning(of: descriptor, limit + 1) else { throw failure(path) }
        guard bytes.count <= limit else {
            throw Ending(
                status,
                "The \(what) has more than \(limit >> 20) MiB, so it cannot be one. Check the"
                    + " file.")
        }
        return bytes
    }

    /// Passes the bytes of a file to `take`, 256 KiB at once but for the last.
    /// - Throws: what `take` throws; an ending with status 74 when the file cannot be read.
    static func forEachPiece(
        of path: String, _ take: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { piece.deallocate() }
        while true {
            var count = 0
            while count < piece.count {
                let room = UnsafeMutableRawBufferPointer(rebasing: piece[count...])
                guard let read = room.fill(from: descriptor) else { throw failure(path) }
                if read == 0 { break }
                count += read
            }
            guard count > 0 else { return }
            try take(UnsafeRawBufferPointer(rebasing: piece[..<count]))
        }
    }

    /// The first `count` bytes of a file; fewer when it is shorter, is no regular file or cannot be
    /// read. A pipe is not waited for.
    static func beginning(of path: String, _ count: Int) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return [] }
        return beginning(of: descriptor, count) ?? []
    }

    /// The next `count` bytes; fewer at the end of the file. Nil when it cannot be read: `errno`.
    static func beginning(of descriptor: Int32, _ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: min(count, 1 << 16))
        while bytes.count < count {
            let wanted = min(piece.count, count - bytes.count)
            let read = piece.withUnsafeMutableBytes { buffer in
                UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]).fill(from: descriptor)
            }
            guard let read else { return nil }
            if read == 0 { break }
            bytes += piece[..<read]
        }
        return bytes
    }

    static func words(of code: Int32) -> String { String(cString: strerror(code)) }

    private static func failure(_ path: String) -> Ending {
        let name = path == "-" ? "stdin" : path
        return Ending(
            .inputOutput,
            "Cannot read \(name): \(words(of: errno)). Check the path and its permissions.")
    }
}
