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
