/// Steps over untrusted DER, element by element, without recursion.
struct DERCursor {
    private let bytes: [UInt8]
    private(set) var position: Int
    private let end: Int

    init(_ bytes: [UInt8]) { self.init(bytes, 0..<bytes.count) }

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// The content of the next element; nil when its tag is not `tag` or it is truncated.
    mutating func content(of tag: UInt8) -> Range<Int>? {
        guard let (found, content) = next(), found == tag else { return nil }
        return content
    }

    mutating func next() -> (tag: UInt8, content: Range<Int>)? {
        guard end - position >= 2 else { return nil }
        let tag = bytes[position]
        var length = Int(bytes[position + 1])
        var start = position + 2
        if length >= 0x80 {
            let count = length & 0x7F
            guard (1...4).contains(count), end - start >= count else { return nil }
            length = bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
            start += count
        }
        guard end - start >= length else { return nil }
        position = start + length
        return (tag, start..<position)
    }

    func inside(_ range: Range<Int>) -> DERCursor { DERCursor(bytes, range) }
}
