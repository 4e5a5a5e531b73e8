/// One signature of a SignedData. Source: RFC 2315, 9.2; RFC 5652, 5.3.
struct SignerInfo: Sendable {
    enum Identifier: Sendable {
        /// The issuer's name as a whole element, and the serial number without its tag.
        case certificate(issuer: ArraySlice<UInt8>, serial: ArraySlice<UInt8>)
        case keyIdentifier(ArraySlice<UInt8>)
    }

    let identifier: Identifier
    /// Object identifiers as whole elements.
    let digestAlgorithm: ArraySlice<UInt8>
    let signatureAlgorithm: ArraySlice<UInt8>
    /// Attributes that are signed in place of the content, if present.
    let attributes: SignedAttributes?
    let signature: ArraySlice<UInt8>

    init(_ element: DERElement, in reader: DERReader) throws(DERError) {
        guard element.isUniversal(.sequence) else {
            throw DERError(reason: .wrongType, offset: element.header.lowerBound)
        }
        var fields = reader.inside(element)
        _ = try fields.required(.integer)
        identifier = try Self.identifier(&fields)
        digestAlgorithm = try Self.algorithm(&fields)
        var rest = fields
        if let next = try rest.next(), next.isContext(0) {
            attributes = try SignedAttributes(next, in: fields)
            fields = rest
        } else {
            attributes = nil
        }
        signatureAlgorithm = try Self.algorithm(&fields)
        signature = try fields.octets(try fields.required(.octetString))
    }

    private static func identifier(_ fields: inout DERReader) throws(DERError) -> Identifier {
        let start = fields.position
        guard let element = try fields.next() else {
            throw DERError(reason: .truncated, offset: start)
        }
        if element.isContext(0) { return .keyIdentifier(fields.bytes[element.content]) }
        guard element.isUniversal(.sequence) else {
            throw DERError(reason: .wrongType, offset: start)
        }
        var parts = fields.inside(element)
        let issuer = try parts.required(.sequence)
        let serial = try parts.required(.integer)
        return .certificate(
            issuer: fields.bytes[issuer.whole], serial: fields.bytes[serial.content])
    }

    private static func algorithm(_ fields: inout DERReader) throws(DERError) -> ArraySlice<UInt8> {
        let sequence = try fields.required(.sequence)
        var parts = fields.inside(sequence)
        return fields.bytes[try parts.required(.objectIdentifier).whole]
    }
}

/// Signed together with the content's digest. Apple's receipts have none; OpenSSL writes them.
struct SignedAttributes: Sendable {
    /// The signed bytes: the attributes under the tag of a SET.
    let signedBytes: [UInt8]
    let contentType: ArraySlice<UInt8>
    /// The content's digest according to the signer.
    let messageDigest: ArraySlice<UInt8>

    init(_ element: DERElement, in reader: DERReader) throws(DERError) {
        signedBytes = DERElement.encoding(0x31, reader.bytes[element.content])
        var attributes = reader.inside(element)
        var contentType: ArraySlice<UInt8>?
        var messageDigest: ArraySlice<UInt8>?
        while let attribute = try attributes.next() {
            var fields = attributes.inside(attribute)
            let type = try fields.required(.objectIdentifier)
            var values = fields.inside(try fields.required(.set))
            guard let value = try values.next() else { continue }
            switch reader.bytes[type.content] {
            case Self.contentTypeAttribute: contentType = reader.bytes[value.content]
            case Self.messageDigestAttribute: messageDigest = reader.bytes[value.content]
            default: break
            }
        }
        guard let contentType, let messageDigest else {
            throw DERError(reason: .valueUnsupported, offset: element.header.lowerBound)
        }
        self.contentType = contentType
        self.messageDigest = messageDigest
    }

    /// 1.2.840.113549.1.9.3
    private static let contentTypeAttribute: ArraySlice<UInt8> = [
        0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x03,
    ]
    /// 1.2.840.113549.1.9.4
    private static let messageDigestAttribute: ArraySlice<UInt8> = [
        0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x04,
    ]
}
