/// A cursor over sibling elements in DER, and in the subset of BER that PKCS#7 files use. Source:
/// ITU-T X.690, 8.1.
///
/// Any input gives elements or a `DERError`. Lengths need not be minimal, because OpenSSL, which
/// checks the signatures, accepts such lengths too.
struct DERReader: Sendable {
    static let maxDepth = 8

    let bytes: ArraySlice<UInt8>
    private(set) var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    init(_ bytes: [UInt8], in range: Range<Int>) {
        self.init(bytes[range.clamped(to: bytes.indices)])
    }

    init(_ bytes: [UInt8]) { self.init(bytes[...]) }

    var isAtEnd: Bool { position == bytes.endIndex }

    /// Returns the next element and moves behind it; nil at the end. Does not move on an error.
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

    func inside(_ element: DERElement) -> DERReader {
        DERReader(bytes[element.content.clamped(to: bytes.indices)])
    }

    /// Finds the end-of-contents octets of an indefinite length whose content begins at `start`.
    /// Counts depth in a loop, so that nesting does not use the stack.
    private func endOfContents(from start: Int) throws(DERError) -> Int {
        var depth = 1
        var offset = start
        while true {
            let head = try head(at: offset)
            if head.isEndOfContents {
                depth -= 1
                if depth == 0 { return offset }
                offset = head.end
            } else if let length = head.length {
                offset = head.end + length
            } else {
                depth += 1
                guard depth <= Self.maxDepth else {
                    throw DERError(reason: .nestedTooDeep, offset: offset)
                }
                offset = head.end
            }
        }
    }
}

private struct Head {
    let tag: UInt8
    /// Nil for an indefinite length. Otherwise checked to end within the bytes.
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

extension DERReader {
    /// The value of an INTEGER of at most eight bytes.
    func integer(_ element: DERElement) throws(DERError) -> Int64 {
        guard element.isUniversal(.integer), !element.isConstructed else {
            throw DERError(reason: .wrongType, offset: element.header.lowerBound)
        }
        let content = bytes[element.content]
        guard let first = content.first, content.count <= 8 else {
            throw DERError(reason: .valueUnsupported, offset: element.header.lowerBound)
        }
        return content.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
    }

    /// The text of a primitive UTF8String, IA5String or PrintableString.
    func string(_ element: DERElement) throws(DERError) -> String {
        let content = try characters(element)
        // Fast path: nearly all text is ASCII and needs no validation.
        if content.allSatisfy({ $0 < 0x80 }) { return String(decoding: content, as: UTF8.self) }
        guard element.isUniversal(.utf8String),
            let text = String(validating: content, as: UTF8.self)
        else { throw DERError(reason: .valueUnsupported, offset: element.header.lowerBound) }
        return text
    }

    /// The bytes of a UTF8String, IA5String or PrintableString, even when invalid for the type.
    func characters(_ element: DERElement) throws(DERError) -> ArraySlice<UInt8> {
        let isText =
            element.isUniversal(.utf8String) || element.isUniversal(.ia5String)
            || element.isUniversal(.printableString)
        guard isText, !element.isConstructed else {
            throw DERError(reason: .wrongType, offset: element.header.lowerBound)
        }
        return bytes[element.content]
    }

    /// The bytes of an OCTET STRING: a slice, or a joined copy when BER splits it into parts.
    func octets(_ element: DERElement) throws(DERError) -> ArraySlice<UInt8> {
        guard element.isUniversal(.octetString) else {
            throw DERError(reason: .wrongType, offset: element.header.lowerBound)
        }
        guard element.isConstructed else { return bytes[element.content] }
        var joined: [UInt8] = []
        joined.reserveCapacity(element.content.count)
        try append(piecesOf: element, to: &joined, depth: 1)
        return joined[...]
    }

    private func append(
        piecesOf element: DERElement, to joined: inout [UInt8], depth: Int
    ) throws(DERError) {
        guard depth <= Self.maxDepth else {
            throw DERError(reason: .nestedTooDeep, offset: element.header.lowerBound)
        }
        var pieces = inside(element)
        while let piece = try pieces.next() {
            guard piece.isUniversal(.octetString) else {
                throw DERError(reason: .wrongType, offset: piece.header.lowerBound)
            }
            if piece.isConstructed {
                try append(piecesOf: piece, to: &joined, depth: depth + 1)
            } else {
                joined.append(contentsOf: bytes[piece.content])
            }
        }
    }
}
