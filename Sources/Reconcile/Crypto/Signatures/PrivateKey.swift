internal import CCrypto

/// A private key on P-256, which signs with ES256. Prints as `‹redacted›`.
///
/// libcrypto does not change a key when it signs, so several threads may use one; it overwrites the
/// key's memory when the key is freed.
package final class PrivateKey: Sendable {
    /// An address, because a pointer is not Sendable.
    private let address: Int
    private var key: OpaquePointer? { OpaquePointer(bitPattern: address) }

    /// - Parameter pem: text with one block `PRIVATE KEY` (PKCS#8, RFC 5958), as Apple's `.p8`
    ///   files have it. Nil unless it holds a key on P-256.
    package init?(pem: String) {
        defer { ERR_clear_error() }
        guard let der = Self.block(in: pem) else { return nil }
        let parsed = der.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            return d2i_PKCS8_PRIV_KEY_INFO(nil, &position, bytes.count)
        }
        guard let parsed else { return nil }
        defer { PKCS8_PRIV_KEY_INFO_free(parsed) }
        guard let key = EVP_PKCS82PKEY(parsed) else { return nil }
        guard PublicKey.curve(of: key) == "prime256v1" else {
            EVP_PKEY_free(key)
            return nil
        }
        address = Int(bitPattern: key)
    }

    deinit { EVP_PKEY_free(key) }

    private static func block(in pem: String) -> [UInt8]? {
        let lines = pem.split(whereSeparator: \.isNewline).map { $0.trimmed }
        guard let first = lines.firstIndex(of: "-----BEGIN PRIVATE KEY-----"),
            let last = lines.firstIndex(of: "-----END PRIVATE KEY-----"), first < last
        else { return nil }
        let text = lines[(first + 1)..<last].joined()
        var bytes = [UInt8](repeating: 0, count: text.utf8.count / 4 * 3 + 3)
        // Padding counts as zeros, which follow the key.
        let count = EVP_DecodeBlock(&bytes, text, Int32(clamping: text.utf8.count))
        return count > 0 ? Array(bytes.prefix(Int(count))) : nil
    }

    /// A signature of ES256: r and s of 32 bytes each, not DER. Source: RFC 7518, 3.4.
    func signES256(_ message: [UInt8]) -> [UInt8] {
        let signature = signature(of: message)
        guard var content = try? DERReader(signature).sequence(),
            let r = try? content.next(), let s = try? content.next()
        else { preconditionFailure("libcrypto signed in another form than ECDSA's") }
        return [r, s].flatMap { number -> [UInt8] in
            let digits = content.bytes[number.content].drop { $0 == 0 }
            return [UInt8](repeating: 0, count: 32 - digits.count) + digits
        }
    }

    /// In DER.
    private func signature(of message: [UInt8]) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var count = Int(EVP_PKEY_get_size(key))
        var signature = [UInt8](repeating: 0, count: count)
        let isDone =
            EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1
            && EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        precondition(isDone, "OpenSSL cannot sign on P-256: check its configuration")
        return Array(signature.prefix(count))
    }
}

extension PrivateKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "‹redacted›" }
    package var debugDescription: String { "‹redacted›" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension DERReader {
    /// What is inside the SEQUENCE that comes next.
    fileprivate func sequence() throws(DERError) -> DERReader? {
        var reader = self
        return try reader.next().map { inside($0) }
    }
}

extension Substring {
    fileprivate var trimmed: String {
        var rest = self
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        return String(rest.drop(while: \.isWhitespace))
    }
}
