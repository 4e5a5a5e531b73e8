internal import CCrypto
import Foundation
import Synchronization

@testable import AppStoreSimulator

private let tlv = ReceiptForge.tlv

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

    /// The length of the attributes needs no, one or two further bytes.
    static let all = [
        SignedForm(), SignedForm(digest: .sha1), SignedForm(isBER: true),
        SignedForm(hasAttributes: true),
        SignedForm(digest: .sha1, hasAttributes: true, isBER: true),
        SignedForm(hasAttributes: true, attributeBytes: 100),
        SignedForm(hasAttributes: true, attributeBytes: 300),
    ]

    func container(
        of payload: [UInt8], signedBy signers: [TestCertificate], _ certificates: [TestCertificate]
    ) -> [UInt8] {
        let wrap = isBER ? ReceiptForge.indefinite : tlv
        return ReceiptForge.signedData(
            payload, cutAt: isBER ? payload.count / 2 : nil, digests: digest.algorithm,
            wrap(0xA0, certificates.flatMap(\.der))
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
                + tlv(4, signer.key.signature(of: message, digest)))
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

/// A certificate of a test authority, encoded in DER (RFC 5280, 4.1).
struct TestCertificate: Sendable {
    let key: SigningKey
    let serial: [UInt8]
    let subject: [UInt8]
    let issuer: [UInt8]
    let der: [UInt8]

    /// Self-signed without `issuer`. Marked ones have 1.2.840.113635.100.6.11.1, as Apple's signers
    /// of receipts do.
    init(
        _ name: String, serial: UInt8, key: SigningKey, by issuer: TestCertificate? = nil,
        days: (String, String) = ("080101", "491231"), isAuthority: Bool = false,
        isMarked: Bool = false, host: String? = nil, digest: SigningKey.Digest = .sha256
    ) {
        self.key = key
        self.serial = [serial]
        let commonName = tlv(0x30, tlv(6, [0x55, 0x04, 0x03]) + ReceiptForge.text(name))
        subject = tlv(0x30, tlv(0x31, commonName))
        self.issuer = issuer?.subject ?? subject
        let validity = [days.0 + "000000Z", days.1 + "235959Z"].flatMap {
            tlv(0x17, Array($0.utf8))
        }
        let constraints = tlv(4, tlv(0x30, isAuthority ? [1, 1, 0xFF] : []))
        var extensions = tlv(0x30, tlv(6, [0x55, 0x1D, 0x13]) + [1, 1, 0xFF] + constraints)
        if let host {
            let names = tlv(0x30, tlv(0x82, Array(host.utf8)))
            extensions += tlv(0x30, tlv(6, [0x55, 0x1D, 0x11]) + tlv(4, names))
        }
        if isMarked { extensions += tlv(0x30, tlv(6, Self.marker) + tlv(4, [5, 0])) }
        let body = tlv(
            0x30,
            tlv(0xA0, [2, 1, 2]) + tlv(2, [serial]) + digest.signatureAlgorithm + self.issuer
                + tlv(0x30, validity) + subject + key.publicInfo + tlv(0xA3, tlv(0x30, extensions)))
        let signature = (issuer?.key ?? key).signature(of: body, digest)
        der = tlv(0x30, body + digest.signatureAlgorithm + tlv(3, [0] + signature))
    }

    var pem: String { Self.pem("CERTIFICATE", der) }

    static func pem(_ label: String, _ der: [UInt8]) -> String {
        let lines = Data(der).base64EncodedString(
            options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(label)-----\n\(lines)\n-----END \(label)-----\n"
    }

    static let marker: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x0B, 0x01]
}

final class SigningKey: Sendable {
    enum Digest: Sendable { case sha1, sha256 }

    /// libcrypto's.
    private let key: Mutex<OpaquePointer>
    /// SubjectPublicKeyInfo, in DER.
    let publicInfo: [UInt8]

    /// - Parameter pkcs8: a known RSA key of at most 2,048 bits, in DER, so that signatures have
    ///   the same bytes again; else one of 1,024 bits: quick to make, and all that a test needs.
    init(pkcs8: [UInt8]? = nil) {
        var key: OpaquePointer?
        if let pkcs8 {
            pkcs8.withUnsafeBufferPointer { bytes in
                var position = bytes.baseAddress
                key = d2i_AutoPrivateKey(nil, &position, bytes.count)
            }
        } else {
            let context = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil)
            defer { EVP_PKEY_CTX_free(context) }
            EVP_PKEY_keygen_init(context)
            EVP_PKEY_CTX_set_rsa_keygen_bits(context, 1_024)
            EVP_PKEY_keygen(context, &key)
        }
        guard let key else { preconditionFailure("libcrypto makes no key.") }
        publicInfo = [UInt8](unsafeUninitializedCapacity: 512) { buffer, count in
            var position = buffer.baseAddress
            count = Int(i2d_PUBKEY(key, &position))
        }
        self.key = Mutex(key)
    }

    deinit { key.withLock { EVP_PKEY_free($0) } }

    /// PKCS#1 v1.5.
    func signature(of message: [UInt8], _ digest: Digest) -> [UInt8] {
        key.withLock { key in
            let context = EVP_MD_CTX_new()
            defer { EVP_MD_CTX_free(context) }
            var signature = [UInt8](repeating: 0, count: 256)
            var count = signature.count
            guard EVP_DigestSignInit(context, nil, digest.method, nil, key) == 1,
                EVP_DigestSign(context, &signature, &count, message, message.count) == 1
            else { preconditionFailure("libcrypto does not sign.") }
            return Array(signature.prefix(count))
        }
    }
}

extension SigningKey.Digest {
    fileprivate var method: OpaquePointer? { self == .sha1 ? EVP_sha1() : EVP_sha256() }

    func value(of bytes: [UInt8]) -> [UInt8] {
        self == .sha1 ? Hash.sha1(bytes) : Hash.sha256(bytes)
    }

    /// AlgorithmIdentifier of the digest.
    var algorithm: [UInt8] {
        let sha1: [UInt8] = [0x2B, 0x0E, 0x03, 0x02, 0x1A]
        let sha256: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
        return ReceiptForge.tlv(
            0x30, ReceiptForge.tlv(6, self == .sha1 ? sha1 : sha256) + [5, 0])
    }

    /// AlgorithmIdentifier of RSA with the digest.
    var signatureAlgorithm: [UInt8] {
        ReceiptForge.tlv(0x30, ReceiptForge.pkcs(1, self == .sha1 ? 5 : 11) + [5, 0])
    }
}
