/// An authority like Apple's for one test run: a root, an intermediate, and a signer.
struct ReceiptAuthority: Sendable {
    static let shared = ReceiptAuthority(name: "Test")
    static let other = ReceiptAuthority(name: "Test")

    let root: TestCertificate
    let middle: TestCertificate
    let signer: TestCertificate

    /// Two authorities of the same name have different keys.
    init(name: String, digest: SigningKey.Digest = .sha256) {
        root = TestCertificate(
            name + " Root", serial: 1, key: SigningKey(), isAuthority: true, digest: digest)
        middle = TestCertificate(
            name + " Developer Relations", serial: 2, key: SigningKey(), by: root,
            isAuthority: true, digest: digest)
        signer = TestCertificate(
            name + " Receipt Signing", serial: 3, key: SigningKey(), by: middle, isMarked: true,
            digest: digest)
    }

    var certificates: [TestCertificate] { [signer, middle, root] }

    func receipt(_ payload: [UInt8], _ form: SignedForm = SignedForm()) -> [UInt8] {
        form.container(of: payload, signedBy: [signer], certificates)
    }
}

/// How a PKCS#7 is encoded and signed.
struct SignedForm: Sendable {
    var digest = SigningKey.Digest.sha256
    /// Signs attributes, which OpenSSL does by default and Apple does not.
    var hasAttributes = false
    /// The size of a further attribute, such as OpenSSL's list of ciphers.
    var attributeBytes = 0
    /// Indefinite lengths, and the content in pieces.
    var isBER = false

    private static let data = ReceiptForge.tlv(
        6, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01])
    private static let signedData = ReceiptForge.tlv(
        6, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02])
    private static let rsaEncryption = ReceiptForge.tlv(
        0x30,
        ReceiptForge.tlv(6, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]) + [5, 0])

    func container(
        of payload: [UInt8], signedBy signers: [TestCertificate],
        _ certificates: [TestCertificate]
    ) -> [UInt8] {
        let wrap = isBER ? ReceiptForge.indefinite : ReceiptForge.tlv
        let tlv = ReceiptForge.tlv
        let half = payload.count / 2
        let octets =
            isBER
            ? wrap(0x24, tlv(4, Array(payload[..<half])) + tlv(4, Array(payload[half...])))
            : tlv(4, payload)
        let content = wrap(0x30, Self.data + wrap(0xA0, octets))
        let infos = signers.flatMap { info($0, payload) }
        let signed = wrap(
            0x30,
            tlv(2, [1]) + tlv(0x31, digest.algorithm) + content
                + wrap(0xA0, certificates.flatMap(\.der)) + wrap(0x31, infos))
        return wrap(0x30, Self.signedData + wrap(0xA0, signed))
    }

    private func info(_ signer: TestCertificate, _ payload: [UInt8]) -> [UInt8] {
        let tlv = ReceiptForge.tlv
        let (attributes, message) = hasAttributes ? signedAttributes(payload) : ([], payload)
        return tlv(
            0x30,
            tlv(2, [1]) + tlv(0x30, signer.issuer + tlv(2, signer.serial)) + digest.algorithm
                + attributes + Self.rsaEncryption
                + tlv(4, signer.key.signature(of: message, digest)))
    }

    /// The encoded field, and the signed bytes: the same content under the tag of a SET.
    private func signedAttributes(_ payload: [UInt8]) -> (field: [UInt8], message: [UInt8]) {
        let tlv = ReceiptForge.tlv
        func attribute(_ last: UInt8, _ value: [UInt8]) -> [UInt8] {
            let type: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, last]
            return tlv(0x30, tlv(6, type) + tlv(0x31, value))
        }
        let further =
            attributeBytes > 0
            ? attribute(15, tlv(4, Array(repeating: 0, count: attributeBytes))) : []
        let content =
            attribute(3, Self.data) + attribute(4, tlv(4, digest.value(of: payload))) + further
        return (tlv(0xA0, content), tlv(0x31, content))
    }
}
