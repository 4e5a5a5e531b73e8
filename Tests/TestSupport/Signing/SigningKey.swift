internal import CCrypto
import Synchronization

@testable import AppStoreSimulator

private let tlv = ReceiptForge.tlv

final class SigningKey: Sendable {
    enum Digest: Sendable { case sha1, sha256 }
    /// The last one has as many bits as P-256, and Apple does not use it.
    enum Curve: Sendable { case p256, p384, secp256k1 }

    private let key: Mutex<OpaquePointer>
    /// SubjectPublicKeyInfo, in DER.
    let publicInfo: [UInt8]

    private let isOfCurve: Bool

    /// - Parameter pkcs8: a known RSA key of at most 2,048 bits; else a new one of 1,024 bits.
    convenience init(pkcs8: [UInt8]? = nil) {
        guard let pkcs8 else {
            let address = Self.newKey(EVP_PKEY_RSA) { EVP_PKEY_CTX_set_rsa_keygen_bits($0, 1_024) }
            self.init(isOfCurve: false, at: address)
            return
        }
        let key = pkcs8.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            return d2i_AutoPrivateKey(nil, &position, bytes.count)
        }
        self.init(isOfCurve: false, at: Int(bitPattern: key))
    }

    /// A new key.
    convenience init(on curve: Curve) {
        let number =
            switch curve {
            case .p256: NID_X9_62_prime256v1
            case .p384: NID_secp384r1
            case .secp256k1: NID_secp256k1
            }
        let address = Self.newKey(EVP_PKEY_EC) {
            EVP_PKEY_CTX_set_ec_paramgen_curve_nid($0, number)
        }
        self.init(isOfCurve: true, at: address)
    }

    /// - Parameter address: since a pointer is not Sendable.
    private init(isOfCurve: Bool, at address: Int) {
        guard let key = OpaquePointer(bitPattern: address) else {
            preconditionFailure("libcrypto makes no key.")
        }
        publicInfo = [UInt8](unsafeUninitializedCapacity: 512) { buffer, count in
            var position = buffer.baseAddress
            count = Int(i2d_PUBKEY(key, &position))
        }
        self.isOfCurve = isOfCurve
        self.key = Mutex(key)
    }

    /// In DER (RFC 5958).
    var pkcs8: [UInt8] {
        key.withLock { key in
            guard let info = EVP_PKEY2PKCS8(key) else { return [] }
            defer { PKCS8_PRIV_KEY_INFO_free(info) }
            return [UInt8](unsafeUninitializedCapacity: 2_048) { buffer, count in
                var position = buffer.baseAddress
                count = Int(i2d_PKCS8_PRIV_KEY_INFO(info, &position))
            }
        }
    }

    private static func newKey(_ kind: Int32, _ set: (OpaquePointer?) -> Int32) -> Int {
        let context = EVP_PKEY_CTX_new_id(kind, nil)
        defer { EVP_PKEY_CTX_free(context) }
        EVP_PKEY_keygen_init(context)
        _ = set(context)
        var key: OpaquePointer?
        EVP_PKEY_keygen(context, &key)
        return Int(bitPattern: key)
    }

    /// AlgorithmIdentifier of a signature by this key.
    func algorithm(with digest: Digest) -> [UInt8] {
        guard isOfCurve else { return digest.withRSA }
        // ecdsa-with-SHA1 and ecdsa-with-SHA256: 1.2.840.10045.4.1 and 1.2.840.10045.4.3.2.
        let signatures: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04]
        return tlv(0x30, tlv(6, signatures + (digest == .sha1 ? [1] : [3, 2])))
    }

    deinit { key.withLock { EVP_PKEY_free($0) } }

    func signature(of message: [UInt8], _ digest: Digest) -> [UInt8] {
        key.withLock { key in
            let context = EVP_MD_CTX_new()
            defer { EVP_MD_CTX_free(context) }
            var signature = [UInt8](repeating: 0, count: 256)
            var count = signature.count
            let method = digest == .sha1 ? EVP_sha1() : EVP_sha256()
            guard EVP_DigestSignInit(context, nil, method, nil, key) == 1,
                EVP_DigestSign(context, &signature, &count, message, message.count) == 1
            else { preconditionFailure("libcrypto does not sign.") }
            return Array(signature.prefix(count))
        }
    }
}

extension SigningKey.Digest {
    func value(of data: [UInt8]) -> [UInt8] { self == .sha1 ? Hash.sha1(data) : Hash.sha256(data) }

    var algorithm: [UInt8] {
        let sha1: [UInt8] = [0x2B, 0x0E, 0x03, 0x02, 0x1A]
        let sha256: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
        return tlv(0x30, tlv(6, self == .sha1 ? sha1 : sha256) + [5, 0])
    }

    /// AlgorithmIdentifier of RSA with the digest.
    fileprivate var withRSA: [UInt8] {
        tlv(0x30, ReceiptForge.pkcs(1, self == .sha1 ? 5 : 11) + [5, 0])
    }
}
