internal import CCrypto

struct SigningKey: Sendable {
    enum Digest: Sendable { case sha1, sha256 }

    /// PKCS#8, in DER.
    private let secret: [UInt8]
    /// SubjectPublicKeyInfo, in DER.
    let publicInfo: [UInt8]

    /// 1,024 bits: quick to make, and all that a test needs.
    init() {
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1,
            EVP_PKEY_CTX_set_rsa_keygen_bits(context, 1_024) == 1,
            EVP_PKEY_keygen(context, &key) == 1
        else { preconditionFailure("libcrypto makes no key.") }
        defer { EVP_PKEY_free(key) }
        self.init(pkcs8: Self.encoded { i2d_PrivateKey(key, $0) })
    }

    /// A known RSA key of at most 2,048 bits, so that signatures have the same bytes again.
    init(pkcs8: [UInt8]) {
        secret = pkcs8
        publicInfo = Self.using(pkcs8) { key in Self.encoded { i2d_PUBKEY(key, $0) } }
    }

    /// PKCS#1 v1.5.
    func signature(of message: [UInt8], _ digest: Digest) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        return Self.using(secret) { key in
            var signature = [UInt8](repeating: 0, count: 256)
            var count = signature.count
            guard EVP_DigestSignInit(context, nil, digest.method, nil, key) == 1,
                EVP_DigestSign(context, &signature, &count, message, message.count) == 1
            else { preconditionFailure("libcrypto does not sign.") }
            return Array(signature.prefix(count))
        }
    }

    private static func using(
        _ pkcs8: [UInt8], _ body: (OpaquePointer?) -> [UInt8]
    ) -> [UInt8] {
        let key = pkcs8.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            return d2i_AutoPrivateKey(nil, &position, bytes.count)
        }
        defer { EVP_PKEY_free(key) }
        return body(key)
    }

    private static func encoded(
        _ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
    ) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(write(nil))) { buffer, count in
            var position = buffer.baseAddress
            count = Int(write(&position))
        }
    }
}

extension SigningKey.Digest {
    fileprivate var method: OpaquePointer? { self == .sha1 ? EVP_sha1() : EVP_sha256() }

    func value(of bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
            var size: UInt32 = 0
            EVP_Digest(bytes, bytes.count, buffer.baseAddress, &size, method, nil)
            count = Int(size)
        }
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
