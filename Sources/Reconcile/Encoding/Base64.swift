/// Base64 (RFC 4648): repairs known damage by clients when decoding, and encodes as Apple requires.
///
/// Foundation's decoder turns `====` into a byte and, with unknown characters ignored, URL-safe
/// text into nothing. Both would corrupt a receipt.
enum Base64 {
    struct Decoded: Equatable {
        var bytes: [UInt8]
        /// Whether the text was already in the standard alphabet, padded, in one line.
        var isCanonical: Bool
    }

    /// Nil for text that is not base64 after repair of line breaks, spaces for `+`, URL-safe digits
    /// and missing padding.
    static func decode(_ text: [UInt8]) -> Decoded? {
        if text.count % 4 == 0, let bytes = decodeQuads(text, count: unpaddedCount(text)),
            endsCleanly(text)
        {
            return Decoded(bytes: bytes, isCanonical: true)
        }
        let repaired = repair(text)
        guard repaired.count % 4 != 1 else { return nil }
        return decodeQuads(repaired, count: repaired.count).map {
            Decoded(bytes: $0, isCanonical: false)
        }
    }

    /// Base64url without padding, as in a JWS (RFC 7515, 2). Nothing is repaired: nil for any other
    /// text, also for one whose last digit has bits that mean nothing.
    static func decodeURL(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var standard: [UInt8] = []
        standard.reserveCapacity(text.count + 3)
        for byte in text {
            switch byte {
            case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: standard.append(byte)
            }
        }
        while standard.count % 4 != 0 { standard.append(UInt8(ascii: "=")) }
        guard let decoded = decode(standard), decoded.isCanonical else { return nil }
        return decoded.bytes
    }

    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            let group = (0..<3).reduce(UInt32(0)) {
                $0 << 8 | ($1 < count ? UInt32(bytes[start + $1]) : 0)
            }
            for offset in 0..<4 {
                let digit = Int(group >> (18 - 6 * UInt32(offset)) & 63)
                text.append(offset <= count ? alphabet[digit] : UInt8(ascii: "="))
            }
        }
        return text
    }

    /// As in a JWS: the URL-safe alphabet without padding (RFC 7515, 2).
    static func encodeURL(_ bytes: [UInt8]) -> String {
        var text = encode(bytes)
        while text.last == UInt8(ascii: "=") { text.removeLast() }
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "+"): text[index] = UInt8(ascii: "-")
            case UInt8(ascii: "/"): text[index] = UInt8(ascii: "_")
            default: break
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func unpaddedCount(_ text: [UInt8]) -> Int {
        text.count - text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    }

    private static func endsCleanly(_ text: [UInt8]) -> Bool {
        let count = unpaddedCount(text)
        let unusedBits: UInt8 = count % 4 == 2 ? 0x0F : count % 4 == 3 ? 0x03 : 0
        return count == 0 || digitValues[Int(text[count - 1])] & unusedBits == 0
    }

    private static func repair(_ text: [UInt8]) -> [UInt8] {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        for byte in text.trimmed(where: isSpace) {
            switch byte {
            case 0x09...0x0D: break
            case 0x20, UInt8(ascii: "-"): result.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): result.append(UInt8(ascii: "/"))
            default: result.append(byte)
            }
        }
        while result.last == UInt8(ascii: "=") { result.removeLast() }
        return result
    }

    private static func decodeQuads(_ text: [UInt8], count: Int) -> [UInt8]? {
        guard count % 4 != 1 else { return nil }
        // Four digits are 24 bits. A byte that is not a digit sets higher bits, which `seen`
        // collects: one test at the end instead of one per byte.
        var seen: UInt32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count / 4 * 3 + 4) { output, size in
            text.withUnsafeBytes { text in
                quadBits.withUnsafeBufferPointer { bits in
                    seen = decode(text, count: count, bits, into: output, &size)
                }
            }
        }
        return seen >> 24 == 0 ? bytes : nil
    }

    /// Works on raw memory: bounds checks took three quarters of the time. Writes six bytes as
    /// eight, and the next ones overwrite the last two: another half less.
    private static func decode(
        _ text: UnsafeRawBufferPointer, count: Int, _ bits: UnsafeBufferPointer<UInt32>,
        into output: UnsafeMutableBufferPointer<UInt8>, _ size: inout Int
    ) -> UInt32 {
        let target = UnsafeMutableRawBufferPointer(output)
        var index = 0
        var written = 0
        var seen: UInt32 = 0
        func digit(_ offset: Int, at start: Int) -> UInt32 {
            bits[offset << 8 | Int(text[start &+ offset])]
        }
        func quad(at start: Int) -> UInt32 {
            let quad =
                digit(0, at: start) | digit(1, at: start) | digit(2, at: start)
                | digit(3, at: start)
            seen |= quad
            return quad
        }
        while index &+ 8 <= count {
            let six = UInt64(quad(at: index)) << 40 | UInt64(quad(at: index &+ 4)) << 16
            target.storeBytes(of: six.bigEndian, toByteOffset: written, as: UInt64.self)
            index &+= 8
            written &+= 6
        }
        if index + 4 <= count {
            target.storeBytes(
                of: (quad(at: index) << 8).bigEndian, toByteOffset: written, as: UInt32.self)
            index += 4
            written += 3
        }
        if index + 2 <= count {
            let rest =
                digit(0, at: index) | digit(1, at: index)
                | (index + 3 == count ? digit(2, at: index) : 0)
            seen |= rest
            target.storeBytes(of: (rest << 8).bigEndian, toByteOffset: written, as: UInt32.self)
            written += count - index - 1
        }
        size = written
        return seen
    }

    /// The bits of each byte in each place of a 24-bit group; for other bytes, higher bits are set.
    private static let quadBits: [UInt32] = (0..<4).flatMap { offset in
        digitValues.map { $0 == 255 ? .max << 24 : UInt32($0) << (18 - 6 * UInt32(offset)) }
    }

    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static let digitValues: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()
}

extension [UInt8] {
    func trimmed(where isSpace: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        self[...].trimmed(where: isSpace)
    }
}

extension ArraySlice<UInt8> {
    func trimmed(where isSpace: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        var slice = drop(while: isSpace)
        while let last = slice.last, isSpace(last) { slice.removeLast() }
        return slice
    }
}
