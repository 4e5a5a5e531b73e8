internal import CCrypto

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
