/// How keys and signatures on P-256 are written in DER.
enum P256Form {
    /// SubjectPublicKeyInfo (RFC 5480, 2).
    static func publicInfo(_ point: [UInt8]) -> [UInt8] {
        DERWriter.element(DERWriter.sequence, algorithm + DERWriter.element(0x03, [0] + point))
    }

    /// PrivateKeyInfo (RFC 5208, 5) around ECPrivateKey (RFC 5915, 3).
    static func privateInfo(_ secret: [UInt8], _ point: [UInt8]) -> [UInt8] {
        let publicKey = DERWriter.element(0xA1, DERWriter.element(0x03, [0] + point))
        let key = DERWriter.element(
            DERWriter.sequence, DERWriter.integer(1) + DERWriter.octets(secret) + publicKey)
        return DERWriter.element(
            DERWriter.sequence, DERWriter.integer(0) + algorithm + DERWriter.octets(key))
    }

    /// INTEGER: without leading zeros, but never negative.
    static func number(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let digits = bytes.drop { $0 == 0 }
        let isSigned = digits.first.map { $0 >= 0x80 } ?? true
        return DERWriter.element(0x02, (isSigned ? [0] : []) + digits)
    }

    /// id-ecPublicKey 1.2.840.10045.2.1, and prime256v1 1.2.840.10045.3.1.7.
    private static let algorithm = DERWriter.element(
        DERWriter.sequence,
        DERWriter.objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01])
            + DERWriter.objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]))
}
