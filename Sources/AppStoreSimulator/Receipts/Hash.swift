internal import CCrypto

enum Hash {
    static func sha256(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, EVP_sha256(), count: 32) }

    static func sha1(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, EVP_sha1(), count: 20) }

    /// HMAC (RFC 2104).
    static func sha256(of bytes: [UInt8], keyedBy key: [UInt8]) -> [UInt8] {
        let block = 64
        precondition(key.count <= block)
        let padded = key + [UInt8](repeating: 0, count: block - key.count)
        return sha256(padded.map { $0 ^ 0x5C } + sha256(padded.map { $0 ^ 0x36 } + bytes))
    }

    private static func digest(
        _ bytes: [UInt8], _ algorithm: OpaquePointer?, count: Int
    ) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: count)
        guard EVP_Digest(bytes, bytes.count, &digest, nil, algorithm, nil) == 1 else {
            preconditionFailure("libcrypto cannot digest.")
        }
        return digest
    }
}
