internal import CCrypto

/// Signs with the throw-away key. Must not be shared between threads; creating one is cheap.
final class Signer {
    private let key: OpaquePointer
    private let context: OpaquePointer

    init() {
        let der = ThrowAwayAuthority.signerKey
        let key = der.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            return d2i_AutoPrivateKey(nil, &position, bytes.count)
        }
        guard let key, let context = EVP_MD_CTX_new() else {
            preconditionFailure("libcrypto cannot parse the simulator's own key.")
        }
        self.key = key
        self.context = context
    }

    deinit {
        EVP_MD_CTX_free(context)
        EVP_PKEY_free(key)
    }

    /// RSA, PKCS#1 v1.5, with SHA-256; deterministic.
    func signature(of message: [UInt8]) -> [UInt8] {
        var size = 0
        EVP_MD_CTX_reset(context)
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
            EVP_DigestSign(context, nil, &size, message, message.count) == 1
        else { preconditionFailure("libcrypto cannot sign.") }
        var signature = [UInt8](repeating: 0, count: size)
        guard EVP_DigestSign(context, &signature, &size, message, message.count) == 1 else {
            preconditionFailure("libcrypto cannot sign.")
        }
        return Array(signature.prefix(size))
    }
}
