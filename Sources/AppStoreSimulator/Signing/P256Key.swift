internal import CCrypto

/// A throw-away key on P-256 that signs with ES256 and checks its own signatures.
///
/// Deterministic as RFC 6979 says, unlike OpenSSL 3.0: equal texts get equal signatures, so a seed
/// gives the same bytes in every process. Not hardened against measuring its time, as no key of the
/// simulator is secret. Threads may share one.
final class P256Key: Sendable {
    private static let bytes = 32

    /// Of 32 bytes, like all numbers here.
    private let secret: [UInt8]
    /// x and y, after the byte 4 (SEC 1, 2.3.3).
    let point: [UInt8]
    /// Addresses of the curve and of the public key in libcrypto, because pointers are not
    /// Sendable. Nothing changes what is there.
    private let group: Int
    private let verifier: Int

    /// A key that everybody can compute.
    convenience init(derivedFrom words: String) {
        self.init(secret: Hash.sha256(Array(words.utf8)))
    }

    /// - Parameter secret: 32 bytes, above 0 and below the curve's order.
    init(secret: [UInt8]) {
        let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)
        let point = Self.point(secret, group)
        let info = P256Form.publicInfo(point)
        let key = info.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            return d2i_PUBKEY(nil, &position, bytes.count)
        }
        guard let group, let key else {
            preconditionFailure("libcrypto refuses a key of the simulator.")
        }
        self.secret = secret
        self.point = point
        self.group = Int(bitPattern: group)
        verifier = Int(bitPattern: key)
    }

    deinit {
        EC_GROUP_free(OpaquePointer(bitPattern: group))
        EVP_PKEY_free(OpaquePointer(bitPattern: verifier))
    }

    /// PKCS#8 in DER (RFC 5208), the form of Apple's `.p8` files.
    var pkcs8: [UInt8] { P256Form.privateInfo(secret, point) }

    /// r and s, of 32 bytes each (RFC 7518, 3.4).
    func signature(of message: [UInt8]) -> [UInt8] {
        let numbers = Numbers()
        let group = OpaquePointer(bitPattern: group)
        let order = EC_GROUP_get0_order(group)
        let key = numbers.make(secret)
        let digest = numbers.make(Hash.sha256(message))
        BN_nnmod(digest, digest, order, numbers.context)
        var nonces = NonceSource(secret: secret, digest: Numbers.bytes(of: digest))
        let point = EC_POINT_new(group)
        defer { EC_POINT_free(point) }
        while true {
            let nonce = numbers.make(nonces.next())
            guard BN_is_zero(nonce) == 0, BN_cmp(nonce, order) < 0 else { continue }
            let r = numbers.make()
            EC_POINT_mul(group, point, nonce, nil, nil, numbers.context)
            EC_POINT_get_affine_coordinates(group, point, r, nil, numbers.context)
            BN_nnmod(r, r, order, numbers.context)
            // s = (digest + r · key) ÷ nonce
            let s = numbers.make()
            BN_mod_mul(s, r, key, order, numbers.context)
            BN_mod_add(s, s, digest, order, numbers.context)
            BN_mod_inverse(nonce, nonce, order, numbers.context)
            BN_mod_mul(s, s, nonce, order, numbers.context)
            if BN_is_zero(r) == 0, BN_is_zero(s) == 0 {
                return Numbers.bytes(of: r) + Numbers.bytes(of: s)
            }
        }
    }

    /// - Parameter signature: r and s, as above.
    func hasSigned(_ message: [UInt8], _ signature: [UInt8]) -> Bool {
        guard signature.count == 2 * Self.bytes else { return false }
        let der = DERWriter.element(
            DERWriter.sequence,
            P256Form.number(signature.prefix(Self.bytes))
                + P256Form.number(signature.suffix(Self.bytes)))
        let context = EVP_MD_CTX_new()
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        let key = OpaquePointer(bitPattern: verifier)
        guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else { return false }
        return EVP_DigestVerify(context, der, der.count, message, message.count) == 1
    }

    private static func point(_ secret: [UInt8], _ group: OpaquePointer?) -> [UInt8] {
        let point = EC_POINT_new(group)
        defer { EC_POINT_free(point) }
        let numbers = Numbers()
        var bytes = [UInt8](repeating: 0, count: 1 + 2 * Self.bytes)
        EC_POINT_mul(group, point, numbers.make(secret), nil, nil, numbers.context)
        EC_POINT_point2oct(
            group, point, POINT_CONVERSION_UNCOMPRESSED, &bytes, bytes.count, nil)
        return bytes
    }
}

/// Numbers of libcrypto, which live as long as this.
private struct Numbers: ~Copyable {
    let context = BN_CTX_new()

    init() { BN_CTX_start(context) }

    deinit {
        BN_CTX_end(context)
        BN_CTX_free(context)
    }

    func make() -> OpaquePointer? { BN_CTX_get(context) }

    func make(_ bytes: [UInt8]) -> OpaquePointer? {
        let number = make()
        BN_bin2bn(bytes, Int32(bytes.count), number)
        return number
    }

    static func bytes(of number: OpaquePointer?) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 32)
        BN_bn2binpad(number, &bytes, 32)
        return bytes
    }
}

/// The candidates for the secret number of a signature (RFC 6979, 3.2).
private struct NonceSource {
    private var key = [UInt8](repeating: 0, count: 32)
    private var state = [UInt8](repeating: 1, count: 32)
    private var isFirst = true

    /// - Parameter digest: modulo the curve's order.
    init(secret: [UInt8], digest: [UInt8]) {
        for step: UInt8 in [0, 1] { stir([step] + secret + digest) }
    }

    mutating func next() -> [UInt8] {
        if !isFirst { stir([0]) }
        isFirst = false
        state = Hash.sha256(of: state, keyedBy: key)
        return state
    }

    private mutating func stir(_ bytes: [UInt8]) {
        key = Hash.sha256(of: state + bytes, keyedBy: key)
        state = Hash.sha256(of: state, keyedBy: key)
    }
}
