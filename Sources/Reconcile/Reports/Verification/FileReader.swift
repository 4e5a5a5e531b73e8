internal import Glibc

/// Reads a published file from its beginning in chunks, so memory does not grow with its size.
final class FileReader {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    /// The `errno` of a failed read, after which the file seems to end.
    private(set) var failure: Int32?

    private static let pieceBytes = 64 * 1_024

    // Without O_NONBLOCK, opening a named pipe would block until it has a writer.
    private static let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK

    /// Nil when the file cannot be opened or is not a regular file.
    convenience init?(_ name: String, in folder: OpenFolder) {
        self.init(descriptor: openat(folder.descriptor, name, Self.flags))
    }

    private init?(descriptor: Int32) {
        self.descriptor = descriptor
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }

    /// The next byte, without consuming it; nil at the end.
    func peek() -> UInt8? {
        if position == buffer.count, !fill() { return nil }
        return buffer[position]
    }

    func next() -> UInt8? {
        guard let byte = peek() else { return nil }
        position += 1
        return byte
    }

    func take(_ count: Int) -> [UInt8] {
        let bytes = preview(count)
        position += bytes.count
        return bytes
    }

    /// The next `count` bytes, without consuming them.
    func preview(_ count: Int) -> [UInt8] {
        while buffer.count - position < count, fill() {}
        return Array(buffer[position..<min(position + count, buffer.count)])
    }

    private func fill() -> Bool {
        guard !isAtEnd else { return false }
        let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) { piece, count in
            let read = UnsafeMutableRawBufferPointer(piece).fill(from: descriptor)
            if read == nil { failure = errno }
            count = read ?? 0
        }
        buffer.removeFirst(position)
        position = 0
        buffer += piece
        isAtEnd = piece.isEmpty
        return !isAtEnd
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Reads the next bytes of a file. Returns 0 at its end; nil after an error: `errno`.
    package func fill(from descriptor: Int32) -> Int? {
        while true {
            let count = read(descriptor, baseAddress, self.count)
            if count >= 0 { return count }
            if errno != EINTR { return nil }
        }
    }
}
