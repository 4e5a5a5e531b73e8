internal import CCrypto

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

extension SignedData {
    /// Whether its bytes are those that Apple would write around the same content and signature.
    ///
    /// Much of a SignedData is covered by no signature: its lengths, further certificates and
    /// attributes, bytes after its end. So it is written anew from its signed parts and compared.
    /// All real receipts have this form: DER, one signer, and the certificates of its chain.
    /// - Parameter names: of the certificates in the chain. Apple renews them under the same names.
    func hasAppleForm(withChainOf names: [String]) -> Bool {
        guard let certificates = try? certificates(), let signers = try? signers(),
            signers.count == 1,
            certificates.compactMap(Certificate.name(of:)).sorted() == names.sorted()
        else { return false }
        // OpenSSL leaves the parameters of a digest out, and Apple writes a NULL.
        return [Self.null, []].contains { parameters in
            encoding(signers[0], parameters, certificates)?.elementsEqual(reader.bytes) ?? false
        }
    }

    /// Nil for a form of signer that Apple does not use. Source: RFC 2315, 9.1 and 9.2.
    private func encoding(
        _ signer: SignerInfo, _ parameters: [UInt8], _ certificates: [ArraySlice<UInt8>]
    ) -> [UInt8]? {
        guard case .certificate(let issuer, let serial) = signer.identifier else { return nil }
        let digest = tlv(0x30, signer.digestAlgorithm + parameters)
        // They were signed under the tag of a SET.
        let attributes = signer.attributes.map { [0xA0] + $0.signedBytes.dropFirst() } ?? []
        let info = [
            Self.version, tlv(0x30, issuer + tlv(0x02, serial)), digest, attributes,
            tlv(0x30, signer.signatureAlgorithm + Self.null), tlv(0x04, signer.signature),
        ]
        let type = tlv(0x06, contentType)
        let parts = [
            Self.version, tlv(0x31, digest), tlv(0x30, type + tlv(0xA0, tlv(0x04, content))),
            tlv(0xA0, Array(certificates.joined())), tlv(0x31, tlv(0x30, Array(info.joined()))),
        ]
        let signed = tlv(0x30, Array(parts.joined()))
        return tlv(0x30, tlv(0x06, Self.signedData) + tlv(0xA0, signed))
    }

    private func tlv(_ tag: UInt8, _ content: some Collection<UInt8>) -> [UInt8] {
        DERElement.encoding(tag, content)
    }

    private static let version: [UInt8] = [0x02, 0x01, 0x01]
    private static let null: [UInt8] = [0x05, 0x00]
}

extension SignedData {
    /// The certificate of the only signer in DER. Throws unless the signature fits the bytes.
    ///
    /// Does not check who owns the certificate; `TrustedRoots` does. The number of certificates and
    /// the size of keys are bounded, and so is the cost. Clears libcrypto's error queue.
    func onlySigner(_ keys: PublicKeys) throws(SignatureError) -> ArraySlice<UInt8> {
        defer { ERR_clear_error() }
        let signers: [SignerInfo]
        let certificates: [ArraySlice<UInt8>]
        do throws(DERError) {
            signers = try self.signers()
            certificates = try self.certificates()
        } catch {
            // Unsupported values do not mean that the data is damaged.
            throw SignatureError(
                error.reason == .valueUnsupported ? .algorithmUnsupported : .unreadable)
        }
        guard let signer = signers.first else { throw SignatureError(.unsigned) }
        guard signers.count == 1 else { throw SignatureError(.severalSigners(signers.count)) }
        guard let certificate = certificates.first(where: { signer.isMade(with: $0) }) else {
            throw SignatureError(.certificateMissing)
        }
        let key = try keys.key(ofCertificate: certificate)
        try verify(signer, by: key)
        return certificate
    }

    /// All certificates in it, in DER; none when they cannot be read.
    var others: [ArraySlice<UInt8>] { (try? certificates()) ?? [] }

    private func verify(_ signer: SignerInfo, by key: PublicKey) throws(SignatureError) {
        guard let digest = SignatureDigest(signer.digestAlgorithm) else {
            throw SignatureError(.algorithmUnsupported)
        }
        let type = signer.attributes?.contentType ?? Self.data[...]
        guard type == contentType else { throw SignatureError(.doesNotFit) }
        guard let attributes = signer.attributes else {
            return try key.verify(
                signer.signature, of: content, digest, signer.signatureAlgorithm)
        }
        guard digest.value(of: content)[...] == attributes.messageDigest else {
            throw SignatureError(.doesNotFit)
        }
        try key.verify(
            signer.signature, of: attributes.signedBytes[...], digest, signer.signatureAlgorithm)
    }
}

extension SignerInfo {
    fileprivate func isMade(with certificate: ArraySlice<UInt8>) -> Bool {
        switch identifier {
        case .certificate(let issuer, let serial):
            (try? CertificateName(certificate)).map { $0.issuer == issuer && $0.serial == serial }
                ?? false
        case .keyIdentifier(let identifier):
            Certificate.keyIdentifier(of: certificate).map { $0[...] == identifier } ?? false
        }
    }
}

private struct CertificateName {
    let issuer: ArraySlice<UInt8>
    let serial: ArraySlice<UInt8>

    /// Source: RFC 5280, 4.1.
    init(_ certificate: ArraySlice<UInt8>) throws(DERError) {
        var file = DERReader(certificate)
        var outer = file.inside(try file.required(.sequence))
        var fields = outer.inside(try outer.required(.sequence))
        let first = try fields.next()
        if let first, first.isContext(0) {
            serial = certificate[try fields.required(.integer).content]
        } else if let first, first.isUniversal(.integer) {
            serial = certificate[first.content]
        } else {
            throw DERError(reason: .wrongType, offset: fields.position)
        }
        _ = try fields.required(.sequence)
        issuer = certificate[try fields.required(.sequence).whole]
    }
}
