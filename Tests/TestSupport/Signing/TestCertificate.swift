/// A certificate of a test authority, encoded in DER (RFC 5280, 4.1).
struct TestCertificate: Sendable {
    let key: SigningKey
    let serial: [UInt8]
    let subject: [UInt8]
    let issuer: [UInt8]
    let der: [UInt8]

    /// - Parameters:
    ///   - issuer: nil for a self-signed certificate.
    ///   - days: the first and the last day of its validity, `yymmdd`.
    ///   - isMarked: has 1.2.840.113635.100.6.11.1, as Apple's signers of receipts do.
    init(
        _ name: String, serial: UInt8, key: SigningKey, by issuer: TestCertificate? = nil,
        days: (String, String) = ("080101", "491231"), isAuthority: Bool = false,
        isMarked: Bool = false, digest: SigningKey.Digest = .sha256
    ) {
        let tlv = ReceiptForge.tlv
        self.key = key
        self.serial = [serial]
        let commonName = tlv(0x30, tlv(6, [0x55, 0x04, 0x03]) + ReceiptForge.text(name))
        subject = tlv(0x30, tlv(0x31, commonName))
        self.issuer = issuer?.subject ?? subject
        let validity = [days.0 + "000000Z", days.1 + "235959Z"].flatMap {
            tlv(0x17, Array($0.utf8))
        }
        let constraints: [UInt8] =
            tlv(6, [0x55, 0x1D, 0x13]) + [1, 1, 0xFF]
            + tlv(4, tlv(0x30, isAuthority ? [1, 1, 0xFF] : []))
        var extensions = tlv(0x30, constraints)
        if isMarked { extensions += tlv(0x30, tlv(6, Self.marker) + tlv(4, [5, 0])) }
        let body = tlv(
            0x30,
            tlv(0xA0, tlv(2, [2])) + tlv(2, [serial]) + digest.signatureAlgorithm + self.issuer
                + tlv(0x30, validity) + subject + key.publicInfo
                + tlv(0xA3, tlv(0x30, extensions)))
        let signature = (issuer?.key ?? key).signature(of: body, digest)
        der = tlv(0x30, body + digest.signatureAlgorithm + tlv(3, [0] + signature))
    }

    static let marker: [UInt8] = [
        0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x0B, 0x01,
    ]
}
