internal import CCrypto

/// SHA-1, needed only for the device hash that Apple puts into receipts.
enum SHA1 {
    static func value(of bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
            var size: UInt32 = 0
            let done = EVP_Digest(
                bytes, bytes.count, buffer.baseAddress, &size, EVP_sha1(), nil)
            count = done == 1 ? Int(size) : 0
        }
    }
}
