/// A cursor over DER, and over BER as far as PKCS#7 files have it: elements side by side.
///
/// Nothing is copied and nothing is trusted: any bytes give elements or a `DERError`. Lengths need
/// not be minimal, since OpenSSL, which judges signatures, takes such too.
/// Source: ITU-T X.690, 8.1.
struct DERReader: Sendable {
    /// How many indefinite lengths, or pieces of pieces, may stand within one another.
    static let maxDepth = 8

    let bytes: ArraySlice<UInt8>
    private(set) var position: Int

    /// Reads what `bytes` holds; offsets are the slice's own.
    init(_ bytes: ArraySlice<UInt8>) { (self.bytes, position) = (bytes, bytes.startIndex) }

    /// Reads that part of `bytes`, of which what lies outside does not exist.
    init(_ bytes: [UInt8], in range: Range<Int>) {
        self.init(bytes[range.clamped(to: bytes.indices)])
    }

    init(_ bytes: [UInt8]) { self.init(bytes[...]) }

    var isAtEnd: Bool { position == bytes.endIndex }

    /// The next element, after which the cursor stands; nil at the end.
    ///
    /// An error leaves the cursor where it was.
    mutating func next() throws(DERError) -> DERElement? {
        guard !isAtEnd else { return nil }
        let head = try head(at: position)
        guard !head.isEndOfContents else {
            throw DERError(reason: .endOfContentsUnexpected, offset: position)
        }
        let content: Range<Int>
        let end: Int
        if let length = head.length {
            content = head.end..<head.end + length
            end = content.upperBound
        } else {
            content = head.end..<(try endOfContents(from: head.end))
            end = content.upperBound + 2
        }
        let element = DERElement(
            tagClass: head.tagClass, tagNumber: head.tagNumber, isConstructed: head.isConstructed,
            header: position..<head.end, content: content, whole: position..<end)
        position = end
        return element
    }

    /// A reader of what stands within `element`, which this reader has returned.
    func inside(_ element: DERElement) -> DERReader {
        DERReader(bytes[element.content.clamped(to: bytes.indices)])
    }

    /// Where the end-of-contents stands that closes an indefinite length begun just before
    /// `start`. A loop that counts, so that depth costs no stack.
    private func endOfContents(from start: Int) throws(DERError) -> Int {
        var depth = 1
        var place = start
        while true {
            let head = try head(at: place)
            if head.isEndOfContents {
                depth -= 1
                if depth == 0 { return place }
                place = head.end
            } else if let length = head.length {
                place = head.end + length
            } else {
                depth += 1
                guard depth <= Self.maxDepth else {
                    throw DERError(reason: .nestedTooDeep, offset: place)
                }
                place = head.end
            }
        }
    }
}

/// A tag and a length.
private struct Head {
    let tag: UInt8
    /// Nil when indefinite. Otherwise known to end within the bytes.
    let length: Int?
    let end: Int

    var tagClass: DERElement.TagClass {
        switch tag >> 6 {
        case 0: .universal
        case 1: .application
        case 2: .context
        default: .private
        }
    }
    var tagNumber: UInt8 { tag & 0x1f }
    var isConstructed: Bool { tag & 0x20 != 0 }
    var isEndOfContents: Bool { tag == 0 && length == 0 }
}

extension DERReader {
    private func head(at start: Int) throws(DERError) -> Head {
        guard bytes.endIndex - start >= 2 else {
            throw DERError(reason: .truncated, offset: bytes.endIndex)
        }
        let tag = bytes[start]
        guard tag & 0x1f != 0x1f else { throw DERError(reason: .tagUnsupported, offset: start) }
        let first = bytes[start + 1]
        var end = start + 2
        var length = Int(first)
        switch first {
        case 0..<0x80: break
        case 0x80:
            guard tag & 0x20 != 0 else {
                throw DERError(reason: .indefinitePrimitive, offset: start)
            }
            return Head(tag: tag, length: nil, end: end)
        case 0x81...0x84:
            let count = Int(first & 0x7f)
            guard bytes.endIndex - end >= count else {
                throw DERError(reason: .truncated, offset: bytes.endIndex)
            }
            length = bytes[end..<end + count].reduce(0) { $0 << 8 | Int($1) }
            end += count
        default: throw DERError(reason: .lengthUnsupported, offset: start + 1)
        }
        guard length <= bytes.endIndex - end else {
            throw DERError(reason: .overrun, offset: start)
        }
        return Head(tag: tag, length: length, end: end)
    }
}
