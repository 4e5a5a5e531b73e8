internal import CCrypto

/// AES-256 in Galois/Counter Mode (NIST SP 800-38D). Without the key, sealed data can be neither
/// read nor changed. Uses libcrypto, which compares tags in constant time.
struct AES256GCM: Sendable, Equatable {
    static let keyBytes = 32
    static let nonceBytes = 12
    static let tagBytes = 16

    private let key: [UInt8]

    init?(key: [UInt8]) {
        guard key.count == Self.keyBytes else { return nil }
        self.key = key
    }

    /// Returns the ciphertext, followed by the tag. A nonce must never be used twice with one key:
    /// generate a random one for each call.
    func seal(
        _ plaintext: [UInt8], nonce: [UInt8], authenticating associated: [UInt8]
    ) -> [UInt8] {
        precondition(nonce.count == Self.nonceBytes, "a nonce has 12 bytes")
        let context = Self.context()
        defer { EVP_CIPHER_CTX_free(context) }
        var output = [UInt8](repeating: 0, count: plaintext.count + Self.tagBytes)
        var count: Int32 = 0
        let isDone =
            EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1
            && EVP_EncryptUpdate(context, nil, &count, associated, Int32(associated.count)) == 1
            && EVP_EncryptUpdate(context, &output, &count, plaintext, Int32(plaintext.count)) == 1
            && output.withUnsafeMutableBufferPointer { output in
                let tag = output.baseAddress.map { $0 + plaintext.count }
                return EVP_EncryptFinal_ex(context, tag, &count) == 1
                    && EVP_CIPHER_CTX_ctrl(
                        context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagBytes), tag) == 1
            }
        precondition(isDone, "OpenSSL offers no AES-256-GCM: check its configuration")
        return output
    }

    /// The plaintext; nil for data that was not sealed with this key, nonce and associated data.
    func open(
        _ sealed: [UInt8], nonce: [UInt8], authenticating associated: [UInt8]
    ) -> [UInt8]? {
        guard sealed.count >= Self.tagBytes, nonce.count == Self.nonceBytes else { return nil }
        let context = Self.context()
        defer {
            EVP_CIPHER_CTX_free(context)
            ERR_clear_error()
        }
        let length = sealed.count - Self.tagBytes
        var tag = Array(sealed[length...])
        var output = [UInt8](repeating: 0, count: length + 1)
        var count: Int32 = 0
        let isAuthentic =
            EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1
            && EVP_DecryptUpdate(context, nil, &count, associated, Int32(associated.count)) == 1
            && EVP_DecryptUpdate(context, &output, &count, sealed, Int32(length)) == 1
            && EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagBytes), &tag) == 1
            && EVP_DecryptFinal_ex(context, nil, &count) == 1
        return isAuthentic ? Array(output[..<length]) : nil
    }

    private static func context() -> OpaquePointer {
        guard let context = EVP_CIPHER_CTX_new() else {
            preconditionFailure("no memory for a cipher of OpenSSL's")
        }
        return context
    }
}

extension AES256GCM: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { "‹redacted›" }
    var debugDescription: String { "‹redacted›" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
