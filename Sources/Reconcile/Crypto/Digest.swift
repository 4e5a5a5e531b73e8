internal import CCrypto

/// A SHA-256 digest, as a value.
package struct Digest: Hashable, Sendable {
    package let bytes: [UInt8]

    package static func sha256(_ bytes: [UInt8]) -> Digest {
        var stream = DigestStream()
        bytes.withUnsafeBytes { stream.update($0) }
        return stream.finish()
    }

    /// Lower-case digits, two a byte.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }
}

/// SHA-256 of bytes that come in pieces.
package struct DigestStream: ~Copyable {
    private let context = EVP_MD_CTX_new()

    package init() { EVP_DigestInit_ex(context, EVP_sha256(), nil) }

    deinit { EVP_MD_CTX_free(context) }

    package mutating func update(_ piece: UnsafeRawBufferPointer) {
        EVP_DigestUpdate(context, piece.baseAddress, piece.count)
    }

    package func finish() -> Digest {
        var bytes = [UInt8](repeating: 0, count: 32)
        EVP_DigestFinal_ex(context, &bytes, nil)
        return Digest(bytes: bytes)
    }
}
