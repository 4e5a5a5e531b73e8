/// Signed strings (JWS), each ended by a line feed, as they are kept: of a string whose header is
/// that of the one before, only what follows the header, from its dot on. The header holds Apple's
/// certificates, three quarters of a string, and seldom changes within an answer.
struct SignedLines: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Of the last header that was written.
    private var header = 0..<0

    private static let dot = UInt8(ascii: ".")
    private static let lineFeed = UInt8(ascii: "\n")

    mutating func append(_ text: ArraySlice<UInt8>) {
        let dot = text.firstPosition(of: Self.dot) ?? text.endIndex
        if bytes[header].hasSameBytes(as: text[..<dot]), !header.isEmpty {
            bytes += text[dot...]
        } else {
            header = bytes.count..<(bytes.count + dot - text.startIndex)
            bytes += text
        }
        bytes.append(Self.lineFeed)
    }

    /// Calls `take` with the parts of the whole strings, in order.
    static func forEachPart(of bytes: [UInt8], _ take: (ArraySlice<UInt8>) -> Void) {
        var header = bytes[0..<0]
        var start = 0
        while start < bytes.count {
            let rest = bytes[start...]
            let end = rest.firstPosition(of: lineFeed).map { $0 + 1 } ?? bytes.count
            let line = bytes[start..<end]
            if line.first == dot {
                take(header)
            } else {
                header = line[..<(line.firstPosition(of: dot) ?? line.endIndex)]
            }
            take(line)
            start = end
        }
    }

    /// The whole strings, each ended by a line feed.
    static func whole(_ bytes: [UInt8]) -> [UInt8] {
        var whole: [UInt8] = []
        forEachPart(of: bytes) { whole += $0 }
        return whole
    }
}
