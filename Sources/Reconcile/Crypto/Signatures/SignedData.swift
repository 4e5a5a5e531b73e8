/// A PKCS#7 SignedData, parsed. Only `onlySigner()` checks its content.
///
/// Content, certificates and signers may be missing. Source: RFC 2315, 9.1; RFC 5652, 5.1.
struct SignedData: Sendable {
    /// The signed content in one piece; empty when there is none.
    let content: ArraySlice<UInt8>
    /// Object identifier of the content's type, in DER.
    let contentType: ArraySlice<UInt8>
    let trailingBytes: Int
    /// Whether the outermost length is indefinite, which BER allows and DER forbids.
    let isBER: Bool
    let reader: DERReader
    /// `[0]`, the certificates.
    let certificateField: DERElement?
    /// The SET OF SignerInfo.
    let signerField: DERElement

    init(_ bytes: [UInt8]) throws(DERError) {
        reader = DERReader(bytes)
        var file = reader
        let info = try file.required(.sequence)
        trailingBytes = bytes.count - file.position
        isBER = info.header.count == 2 && bytes[info.header.lowerBound + 1] == 0x80
        var fields = file.inside(info)
        let type = try fields.required(.objectIdentifier)
        guard bytes[type.content].elementsEqual(Self.signedData) else {
            throw DERError(reason: .wrongType, offset: type.header.lowerBound)
        }
        let explicit = try fields.next()
        guard let explicit, explicit.isContext(0) else {
            throw DERError(reason: .wrongType, offset: fields.position)
        }
        var wrapper = fields.inside(explicit)
        let signed = try wrapper.required(.sequence)

        var parts = wrapper.inside(signed)
        _ = try parts.required(.integer)
        _ = try parts.required(.set)
        let content = try parts.required(.sequence)
        var certificates: DERElement?
        var last: DERElement?
        while let part = try parts.next() {
            if part.isContext(0), part.isConstructed { certificates = part }
            last = part
        }
        guard let last, last.isUniversal(.set) else {
            throw DERError(reason: .wrongType, offset: parts.position)
        }
        certificateField = certificates
        signerField = last

        var inner = parts.inside(content)
        let contentType = try inner.required(.objectIdentifier)
        self.contentType = bytes[contentType.content]
        guard let explicitContent = try inner.next() else {
            self.content = []
            return
        }
        var octets = inner.inside(explicitContent)
        self.content =
            try octets.next().map { string throws(DERError) in
                try octets.octets(string)
            } ?? []
    }

    /// 1.2.840.113549.1.7.2
    static let signedData: [UInt8] = [
        0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02,
    ]
    /// 1.2.840.113549.1.7.1
    static let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
}

extension SignedData {
    /// Far more than in any receipt: Apple's have one signer and three certificates.
    private static let mostParts = 16

    func certificates() throws(DERError) -> [ArraySlice<UInt8>] {
        guard let certificateField else { return [] }
        return try parts(of: certificateField).map { reader.bytes[$0.whole] }
    }

    func signers() throws(DERError) -> [SignerInfo] {
        try parts(of: signerField).map { part throws(DERError) in
            try SignerInfo(part, in: reader)
        }
    }

    private func parts(of field: DERElement) throws(DERError) -> [DERElement] {
        var parts: [DERElement] = []
        var inner = reader.inside(field)
        while let part = try inner.next() {
            guard parts.count < Self.mostParts else {
                throw DERError(reason: .valueUnsupported, offset: part.header.lowerBound)
            }
            parts.append(part)
        }
        return parts
    }
}

extension DERReader {
    mutating func required(_ tag: DERElement.UniversalTag) throws(DERError) -> DERElement {
        let start = position
        guard let element = try next() else {
            throw DERError(reason: .truncated, offset: start)
        }
        guard element.isUniversal(tag) else {
            throw DERError(reason: .wrongType, offset: start)
        }
        return element
    }
}
