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
