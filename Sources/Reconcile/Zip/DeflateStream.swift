internal import CZlib

/// Compresses bytes as they come, as an entry of a zip file holds them (RFC 1951), with their
/// CRC-32.
final class DeflateStream {
    private(set) var checksum: UInt32 = 0
    private(set) var byteCount = 0
    private var stream = z_stream()

    private static let pieceBytes = 64 * 1_024

    init() {
        // Rows repeat themselves: the quickest level leaves a tenth, the best one a twelfth.
        let result = czlib_deflate_raw(&stream, Z_BEST_SPEED)
        precondition(result == Z_OK, "zlib has no memory left")
    }

    deinit { deflateEnd(&stream) }

    func write(_ bytes: [UInt8], to output: inout [UInt8]) {
        bytes.withUnsafeBufferPointer { buffer in
            checksum = UInt32(
                truncatingIfNeeded: crc32_z(
                    UInt(checksum), buffer.baseAddress, buffer.count))
        }
        byteCount += bytes.count
        run(bytes, Z_NO_FLUSH, to: &output)
    }

    /// Appends the rest. Nothing may be written after that.
    func finish(to output: inout [UInt8]) { run([], Z_FINISH, to: &output) }

    private func run(_ input: [UInt8], _ flush: Int32, to output: inout [UInt8]) {
        var input = input
        input.withUnsafeMutableBufferPointer { buffer in
            stream.next_in = buffer.baseAddress
            stream.avail_in = UInt32(buffer.count)
            repeat {
                output += [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) { piece, count in
                    stream.next_out = piece.baseAddress
                    stream.avail_out = UInt32(piece.count)
                    let result = deflate(&stream, flush)
                    precondition(result != Z_STREAM_ERROR, "zlib was called in a wrong state")
                    count = piece.count - Int(stream.avail_out)
                }
            } while stream.avail_out == 0
        }
    }
}
