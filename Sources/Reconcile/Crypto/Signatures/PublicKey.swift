internal import CCrypto

/// libcrypto does not change a key when it checks a signature, so several threads may use one.
final class PublicKey: Sendable {
    /// An address, because a pointer is not Sendable.
    private let address: Int
    private var key: OpaquePointer? { OpaquePointer(bitPattern: address) }
    private let isOfP256: Bool

    /// Larger keys cost too much to check; Apple's have 1,024 to 4,096 bits.
    private static let mostBits: Int32 = 8_192

    init(ofCertificate certificate: ArraySlice<UInt8>) throws(SignatureError) {
        guard let parsed = Certificate.parsed(certificate) else {
            throw SignatureError(.unreadable)
        }
        defer { X509_free(parsed) }
        guard let key = X509_get_pubkey(parsed) else {
            throw SignatureError(
                Self.isOfKnownKind(parsed) ? .unreadable : .algorithmUnsupported)
        }
        guard [EVP_PKEY_RSA, EVP_PKEY_EC].contains(EVP_PKEY_get_base_id(key)),
            EVP_PKEY_get_bits(key) <= Self.mostBits
        else {
            EVP_PKEY_free(key)
            throw SignatureError(.algorithmUnsupported)
        }
        address = Int(bitPattern: key)
        isOfP256 = Self.curve(of: key) == "prime256v1"
    }

    deinit { EVP_PKEY_free(key) }

    /// OpenSSL's name of it; empty for an RSA key.
    static func curve(of key: OpaquePointer) -> String {
        guard EVP_PKEY_get_base_id(key) == EVP_PKEY_EC else { return "" }
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        guard EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1 else { return "" }
        return String(decoding: name.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether libcrypto supports this kind of key, so that a key it cannot parse is damaged.
    private static func isOfKnownKind(_ certificate: OpaquePointer) -> Bool {
        var algorithm: OpaquePointer?
        X509_PUBKEY_get0_param(
            &algorithm, nil, nil, nil, X509_get_X509_PUBKEY(certificate))
        return [EVP_PKEY_RSA, EVP_PKEY_EC].contains(OBJ_obj2nid(algorithm))
    }

    /// - Parameter algorithm: the object identifier from the SignerInfo.
    func verify(
        _ signature: ArraySlice<UInt8>, of message: ArraySlice<UInt8>, _ digest: SignatureDigest,
        _ algorithm: ArraySlice<UInt8>
    ) throws(SignatureError) {
        guard isOfferedFor(algorithm) else { throw SignatureError(.algorithmUnsupported) }
        try verify(signature, of: message, digest.method)
    }

    /// Checks a signature in the format of iOS 6 receipts.
    func verifySHA1(
        _ signature: ArraySlice<UInt8>, of message: ArraySlice<UInt8>
    ) throws(SignatureError) {
        defer { ERR_clear_error() }
        try verify(signature, of: message, EVP_sha1())
    }

    /// Checks a signature of ES256: ECDSA on P-256 with SHA-256, as r and s of 32 bytes each.
    /// Source: RFC 7518, 3.4.
    func verifyES256(
        _ signature: ArraySlice<UInt8>, of message: ArraySlice<UInt8>
    ) throws(SignatureError) {
        defer { ERR_clear_error() }
        guard isOfP256 else { throw SignatureError(.algorithmUnsupported) }
        guard signature.count == 64 else { throw SignatureError(.doesNotFit) }
        let numbers = Self.integer(signature.prefix(32)) + Self.integer(signature.suffix(32))
        let der = DERElement.encoding(0x30, numbers)
        try verify(der[...], of: message, EVP_sha256())
    }

    /// An INTEGER that is not negative, in as few bytes as possible.
    private static func integer(_ number: ArraySlice<UInt8>) -> [UInt8] {
        let digits = number.drop { $0 == 0 }
        let isFilled = digits.first.map { $0 >= 0x80 } ?? true
        return DERElement.encoding(0x02, (isFilled ? [0] : []) + digits)
    }

    private func verify(
        _ signature: ArraySlice<UInt8>, of message: ArraySlice<UInt8>, _ method: OpaquePointer?
    ) throws(SignatureError) {
        guard let context = EVP_MD_CTX_new() else { throw SignatureError(.algorithmUnsupported) }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, method, nil, key) == 1 else {
            throw SignatureError(.algorithmUnsupported)
        }
        let result = signature.withUnsafeBufferPointer { signature in
            message.withUnsafeBufferPointer { message in
                EVP_DigestVerify(
                    context, signature.baseAddress, signature.count, message.baseAddress,
                    message.count)
            }
        }
        guard result == 1 else { throw SignatureError(.doesNotFit) }
    }

    /// Whether `algorithm` names this key's kind alone, as Apple writes it, or also a digest.
    /// RSA-PSS is refused.
    private func isOfferedFor(_ algorithm: ArraySlice<UInt8>) -> Bool {
        let number = Algorithm(algorithm).number
        let kind = EVP_PKEY_get_base_id(key)
        if number == kind { return true }
        var named: Int32 = 0
        return OBJ_find_sigid_algs(number, nil, &named) == 1 && named == kind
    }
}

struct SignatureDigest {
    fileprivate let method: OpaquePointer

    /// - Parameter algorithm: an object identifier in DER. Nil when libcrypto does not have it.
    init?(_ algorithm: ArraySlice<UInt8>) {
        guard let name = OBJ_nid2sn(Algorithm(algorithm).number),
            let method = EVP_get_digestbyname(name)
        else { return nil }
        self.method = method
    }

    func value(of bytes: ArraySlice<UInt8>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
            var size: UInt32 = 0
            let done = bytes.withUnsafeBufferPointer {
                EVP_Digest($0.baseAddress, $0.count, buffer.baseAddress, &size, method, nil)
            }
            count = done == 1 ? Int(size) : 0
        }
    }
}

/// An algorithm by its libcrypto number; 0 when unknown.
private struct Algorithm {
    let number: Int32

    init(_ element: ArraySlice<UInt8>) {
        let object = element.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            return d2i_ASN1_OBJECT(nil, &position, bytes.count)
        }
        number = OBJ_obj2nid(object)
        ASN1_OBJECT_free(object)
    }
}
