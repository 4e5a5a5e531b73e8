@testable import AppStoreSimulator
@testable import Reconcile

private let tlv = ReceiptForge.tlv

/// Receipts like Apple's without signatures: PKCS#7 SignedData around a set of attributes.
enum ReceiptForge {
    static let tlv = DERWriter.element
    static let text = DERWriter.utf8

    /// BER: an indefinite length, closed by an end-of-contents.
    static func indefinite(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag, 0x80] + content + [0, 0]
    }

    /// An object identifier under 1.2.840.113549.1.
    static func pkcs(_ numbers: UInt8...) -> [UInt8] {
        tlv(6, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01] + numbers)
    }

    static func payload(
        bundle: String? = "acme", environment: String? = "Production", serial: String = "1"
    ) -> [UInt8] {
        var attributes = PayloadForge.attribute(4, Array(serial.utf8))
        if let environment { attributes += PayloadForge.attribute(0, text(environment)) }
        if let bundle { attributes += PayloadForge.attribute(2, text(bundle)) }
        return tlv(0x31, attributes)
    }

    static func receipt(_ payload: [UInt8], isBER: Bool = false) -> [UInt8] {
        signedData(payload, cutAt: isBER ? 7 : nil)
    }

    /// - Parameter index: where to cut the content into two pieces, with indefinite lengths.
    static func signedData(
        _ payload: [UInt8], cutAt index: Int?, digests: [UInt8] = [],
        _ signatures: [UInt8] = tlv(0x31, [])
    ) -> [UInt8] {
        let wrap = index == nil ? tlv : indefinite
        let pieces = index.map { [payload.prefix($0), payload.dropFirst($0)] }
        let octets = pieces.map { wrap(0x24, $0.flatMap { tlv(4, Array($0)) }) } ?? tlv(4, payload)
        let content = wrap(0x30, pkcs(7, 1) + wrap(0xA0, octets))
        let signed = wrap(0x30, [2, 1, 1] + tlv(0x31, digests) + content + signatures)
        return wrap(0x30, pkcs(7, 2) + wrap(0xA0, signed))
    }

    static func base64(bundle: String? = "acme", serial: String = "1") -> String {
        let receipt = receipt(payload(bundle: bundle, serial: serial))
        return String(decoding: Base64.encode(receipt), as: UTF8.self)
    }
}

/// Payloads with the attributes of Apple's receipts, encoded in DER.
struct PayloadForge: Sendable {
    var bundle = "acme"
    var environment = "Production"
    var version = "7"
    var createdAt = "2024-05-06T07:08:09Z"
    /// Attributes 4 and 5.
    var opaque: [UInt8] = [1, 2, 3, 4]
    var deviceHash: [UInt8] = Array(repeating: 9, count: 20)
    var purchases: [[UInt8]] = []
    /// Encoded attributes that come last.
    var others: [UInt8] = []

    var encoded: [UInt8] {
        let text = ReceiptForge.text
        let attributes = [
            (0, text(environment)), (2, text(bundle)), (3, text(version)), (4, opaque),
            (5, deviceHash), (12, Self.date(createdAt)),
        ]
        return Self.set(attributes + purchases.map { (17, $0) }, others)
    }

    private static func set(_ attributes: [(Int, [UInt8])], _ others: [UInt8] = []) -> [UInt8] {
        tlv(0x31, attributes.flatMap { attribute($0, $1) } + others)
    }

    static func attribute(_ type: Int, _ value: [UInt8]) -> [UInt8] {
        let number = type < 0x80 ? [UInt8(type)] : [UInt8(type >> 8), UInt8(type & 0xFF)]
        return tlv(0x30, tlv(2, number) + [2, 1, 1] + tlv(4, value))
    }

    static let date = DERWriter.ia5

    /// The value of attribute 17. An empty date is present with length zero.
    static func purchase(
        _ product: String = "pro.monthly", id: String = "1001", of chain: String? = nil,
        at: String = "2024-05-01T00:00:00Z", expires: String = "2024-06-01T00:00:00Z",
        cancelled: String = "", kind: UInt8 = 3, with more: [(Int, [UInt8])] = [(1_722, [2, 1, 0])]
    ) -> [UInt8] {
        let text = ReceiptForge.text
        let members = [
            (1_701, [2, 1, 1]), (1_702, text(product)), (1_703, text(id)), (1_704, date(at)),
            (1_705, text(chain ?? id)), (1_706, date(at)), (1_707, [2, 1, kind]),
            (1_708, date(expires)), (1_712, date(cancelled)),
        ]
        return set(members + more)
    }
}

/// An authority like Apple's: a root, an intermediate, and a signer.
struct ReceiptAuthority: Sendable {
    static let shared = ReceiptAuthority(name: "Test")
    static let other = ReceiptAuthority(name: "Test")

    let root, middle, signer: TestCertificate

    /// Two authorities of the same name have different keys.
    init(name: String, digest: SigningKey.Digest = .sha256) {
        root = TestCertificate(name + " Root", serial: 1, isAuthority: true, digest: digest)
        middle = TestCertificate(
            name + " Developer Relations", serial: 2, by: root, isAuthority: true, digest: digest)
        signer = TestCertificate(
            name + " Receipt Signing", serial: 3, by: middle, isMarked: true, digest: digest)
    }

    var certificates: [TestCertificate] { [signer, middle, root] }

    func receipt(_ payload: [UInt8], _ form: SignedForm = SignedForm()) -> [UInt8] {
        form.container(of: payload, signedBy: [signer], certificates)
    }
}

struct SignedForm: Sendable {
    var digest = SigningKey.Digest.sha256
    /// Signs attributes, which OpenSSL does by default and Apple does not.
    var hasAttributes = false
    /// The size of a further attribute, such as OpenSSL's list of ciphers.
    var attributeBytes = 0
    /// Indefinite lengths, and the content in pieces.
    var isBER = false
    /// Elements that no signature covers: after the certificates, and after the signature.
    var afterCertificates: [UInt8] = []
    var afterSignature: [UInt8] = []

    /// The length of the attributes needs no, one or two further bytes.
    static let all =
        [
            SignedForm(), SignedForm(digest: .sha1), SignedForm(isBER: true),
            SignedForm(digest: .sha1, hasAttributes: true, isBER: true),
        ] + [0, 100, 300].map { SignedForm(hasAttributes: true, attributeBytes: $0) }

    func container(
        of payload: [UInt8], signedBy signers: [TestCertificate], _ certificates: [TestCertificate]
    ) -> [UInt8] {
        let wrap = isBER ? ReceiptForge.indefinite : tlv
        return ReceiptForge.signedData(
            payload, cutAt: isBER ? payload.count / 2 : nil, digests: digest.algorithm,
            wrap(0xA0, certificates.flatMap(\.der)) + afterCertificates
                + wrap(0x31, signers.flatMap { info($0, payload) }))
    }

    private func info(_ signer: TestCertificate, _ payload: [UInt8]) -> [UInt8] {
        let attributes = hasAttributes ? attributes(of: payload) : []
        // Signed under the tag of a SET.
        let message = hasAttributes ? tlv(0x31, attributes) : payload
        return tlv(
            0x30,
            [2, 1, 1] + tlv(0x30, signer.issuer + tlv(2, signer.serial)) + digest.algorithm
                + (hasAttributes ? tlv(0xA0, attributes) : [])
                + tlv(0x30, ReceiptForge.pkcs(1, 1) + [5, 0])
                + tlv(4, signer.key.signature(of: message, digest)) + afterSignature)
    }

    private func attributes(of payload: [UInt8]) -> [UInt8] {
        func attribute(_ last: UInt8, _ value: [UInt8]) -> [UInt8] {
            tlv(0x30, ReceiptForge.pkcs(9, last) + tlv(0x31, value))
        }
        let further = attribute(15, tlv(4, Array(repeating: 0, count: attributeBytes)))
        return attribute(3, ReceiptForge.pkcs(7, 1))
            + attribute(4, tlv(4, digest.value(of: payload))) + (attributeBytes > 0 ? further : [])
    }
}
