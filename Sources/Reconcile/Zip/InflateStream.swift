internal import CZlib

/// Decompresses a gzip file (RFC 1952) as it comes: one member, or several one after another.
final class InflateStream {
    enum State: Equatable {
        /// At the end of a member: the file may end here.
        case complete
        case inMember
        /// A checksum is wrong, or something else than a member follows.
        case damaged
    }

    private(set) var state = State.inMember
    private var stream = z_stream()
    private var piece = [UInt8](repeating: 0, count: pieceBytes)

    private static let pieceBytes = 64 * 1_024

    init() {
        let result = czlib_inflate_gzip(&stream)
        precondition(result == Z_OK, "zlib has no memory left")
    }

    deinit { inflateEnd(&stream) }

    /// Whether bytes begin as a gzip file does.
    static func isGzip(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B
    }

    /// Passes what the next bytes of the file hold to `take`, at most 64 KiB at once. Stops where
    /// the file is damaged.
    func read<Failure: Error>(
        _ input: UnsafeRawBufferPointer,
        _ take: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        stream.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.avail_in = UInt32(input.count)
        var isFull = false
        while state != .damaged, stream.avail_in > 0 || isFull {
            if state == .complete {
                inflateReset(&stream)
                state = .inMember
            }
            let count = inflateOnce()
            isFull = state == .inMember && count == piece.count
            try piece.withUnsafeBufferPointer { (bytes) throws(Failure) in
                try take(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<count]))
            }
        }
    }

    /// Fills `piece` with at most as many bytes as it has room for.
    private func inflateOnce() -> Int {
        piece.withUnsafeMutableBufferPointer { buffer in
            stream.next_out = buffer.baseAddress
            stream.avail_out = UInt32(buffer.count)
            switch inflate(&stream, Z_NO_FLUSH) {
            // Z_BUF_ERROR: nothing to do until there is more input.
            case Z_OK, Z_BUF_ERROR: break
            case Z_STREAM_END: state = .complete
            default: state = .damaged
            }
            return buffer.count - Int(stream.avail_out)
        }
    }
}
